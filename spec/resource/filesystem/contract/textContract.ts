import type { WriteMode } from '../../../../src/interface/Filesystem';
import { expectRefusal, names, refusalOf, textOf, withFiles, type OpenFilesystem } from './support';

export function readingContract(open: OpenFilesystem): void {
  const five = '1\n2\n3\n4\n5\n';

  test('returns the lines, with their numbers', async () => {
    const fs = await withFiles(open, { 'd/a.txt': five });
    expect(await fs.read('d/a.txt')).toEqual({
      content: '1\n2\n3\n4\n5',
      path: 'd/a.txt',
      totalLines: 5,
      offset: 0,
      limit: 5,
      truncated: false,
    });
  });

  test.each([
    [{ offset: 1, limit: 2 }, '2\n3', 1, 2, true],
    [{ offset: 3, limit: 2 }, '4\n5', 3, 2, false],
    [{ offset: 3 }, '4\n5', 3, 2, false],
    [{ limit: 5 }, '1\n2\n3\n4\n5', 0, 5, false],
    [{ limit: 0 }, '', 0, 0, true],
    [{ limit: -1 }, '1\n2\n3\n4\n5', 0, 5, false],
    [{ offset: 4, limit: -1 }, '5', 4, 1, false],
    [{ offset: 9, limit: 2 }, '', 5, 0, false],
    [{ offset: -9, limit: 1 }, '1', 0, 1, true],
    [{ offset: undefined, limit: undefined }, '1\n2\n3\n4\n5', 0, 5, false],
  ])('edits a text with %j', async (options, content, offset, limit, truncated) => {
    const fs = await withFiles(open, { a: five });
    expect(await fs.read('a', options)).toEqual({ content, path: 'a', totalLines: 5, offset, limit, truncated });
  });

  test('returns 2,000 lines by default', async () => {
    const fs = await withFiles(open, { a: 'x\n'.repeat(2_001) });
    expect(await fs.read('a')).toMatchObject({ totalLines: 2_001, limit: 2_000, truncated: true });
    expect(await fs.read('a', { limit: -1 })).toMatchObject({ limit: 2_001, truncated: false });
  });

  test.each([
    ['', 0, ''],
    ['\n', 1, ''],
    ['a', 1, 'a'],
    ['a\n', 1, 'a'],
    ['a\n\n', 2, 'a\n'],
    ['\n\na', 3, '\n\na'],
    ['a\r\nb\r\n', 2, 'a\r\nb\r'],
    ['a\rb', 1, 'a\rb'],
    ['ä\u2028b', 1, 'ä\u2028b'],
  ])('%j has %i lines', async (text, totalLines, content) => {
    const fs = await withFiles(open, { a: text });
    expect(await fs.read('a')).toMatchObject({ totalLines, content, limit: totalLines, truncated: false });
    expect(await textOf(fs, 'a')).toBe(text);
  });

  test('pages with a line end after each are the file again', async () => {
    const text = Array.from({ length: 25 }, (_, line) => `line ${String(line)}\r`).join('\n') + '\n';
    const fs = await withFiles(open, { a: text });
    let read = '';
    for (let offset = 0; offset < 25; offset += 4) read += `${(await fs.read('a', { offset, limit: 4 })).content}\n`;
    expect(read).toBe(text);
  });

  test('a path without a file is refused', async () => {
    const fs = await withFiles(open, { 'd/a': 'x' });
    await expectRefusal(fs.read('q'), 'notFound', 'q');
    await expectRefusal(fs.read('d/q'), 'notFound', 'd/q');
    await expectRefusal(fs.read('q/r'), 'notFound', 'q/r');
    await expectRefusal(fs.read('d'), 'isDirectory', 'd');
    await expectRefusal(fs.read('/'), 'isDirectory', '/');
    await expectRefusal(fs.read('d/a/b'), 'notDirectory', 'd/a/b');
  });
}

export function writingContract(open: OpenFilesystem): void {
  test('makes a file and its directories, and says what it did', async () => {
    const fs = await open();
    expect(await fs.write('a/b/c.txt', 'käse')).toEqual({ path: 'a/b/c.txt', bytesWritten: 5, mode: 'overwrite' });
    expect(await textOf(fs, 'a/b/c.txt')).toBe('käse');
    expect(await names(fs, 'a')).toEqual(['b']);
  });

  test('overwrites', async () => {
    const fs = await withFiles(open, { a: 'a long text' });
    await fs.write('a', 'short', { mode: 'overwrite' });
    expect(await textOf(fs, 'a')).toBe('short');
  });

  test('appends, to nothing as well, and counts what it was given', async () => {
    const fs = await open();
    await fs.write('d/a', 'one', { mode: 'append' });
    expect(await fs.write('d/a', 'zwölf', { mode: 'append' })).toEqual({
      path: 'd/a',
      bytesWritten: 6,
      mode: 'append',
    });
    expect(await textOf(fs, 'd/a')).toBe('onezwölf');
  });

  test('creates only what is not there', async () => {
    const fs = await open();
    expect(await fs.write('a', '1', { mode: 'create' })).toEqual({ path: 'a', bytesWritten: 1, mode: 'create' });
    await expectRefusal(fs.write('a', '2', { mode: 'create' }), 'exists', 'a');
    expect(await textOf(fs, 'a')).toBe('1');
  });

  test('makes no directories if told so', async () => {
    const fs = await withFiles(open, { 'there/x': '' });
    await expectRefusal(fs.write('d/a', 'x', { createParents: false }), 'notFound', 'd/a');
    expect(await fs.exists('d')).toBe(false);
    await fs.write('there/a', 'x', { createParents: false });
    await fs.write('top', 'x', { createParents: false });
    expect(await names(fs)).toEqual(['there', 'top']);
  });

  test.each<WriteMode>(['create', 'overwrite', 'append'])(
    '%s: neither on a directory nor through a file',
    async (mode) => {
      const fs = await withFiles(open, { 'd/a': 'x' });
      await expectRefusal(fs.write('d', 'x', { mode }), 'isDirectory', 'd');
      await expectRefusal(fs.write('/', 'x', { mode }), 'invalidPath', '/');
      await expectRefusal(fs.write('', 'x', { mode }), 'invalidPath', '');
      await expectRefusal(fs.write('d/..', 'x', { mode }), 'invalidPath', 'd/..');
      await expectRefusal(fs.write('d/a/b', 'x', { mode }), 'notDirectory', 'd/a/b');
      await expectRefusal(fs.write('d/a/b/c', 'x', { mode }), 'notDirectory', 'd/a/b/c');
      expect(await fs.glob('**')).toEqual(['d/a']);
    },
  );
}

export function editingContract(open: OpenFilesystem): void {
  test('replaces the one occurrence, and nothing in it has a meaning', async () => {
    const fs = await withFiles(open, { a: 'x = a.b(c);\ny = 1;\n' });
    expect(await fs.edit('a', 'a.b(c)', "$& $1 $' .*")).toEqual({ path: 'a', replacements: 1 });
    expect(await textOf(fs, 'a')).toBe("x = $& $1 $' .*;\ny = 1;\n");
  });

  test('replaces all, one after the other', async () => {
    const fs = await withFiles(open, { a: 'aaaaa' });
    expect(await fs.edit('a', 'aa', 'a', { replaceAll: true })).toEqual({ path: 'a', replacements: 2 });
    expect(await textOf(fs, 'a')).toBe('aaa');
    expect(await fs.edit('a', 'aaa', '', { replaceAll: true })).toEqual({ path: 'a', replacements: 1 });
    expect(await textOf(fs, 'a')).toBe('');
  });

  test('refuses a text that is empty, not there, or not the only one', async () => {
    const fs = await withFiles(open, { a: 'abab aaa' });
    await expectRefusal(fs.edit('a', '', 'x'), 'invalidPattern', 'a');
    await expectRefusal(fs.edit('a', '', 'x', { replaceAll: true }), 'invalidPattern', 'a');
    await expectRefusal(fs.edit('a', 'AB', 'x'), 'invalidPattern', 'a');
    await expectRefusal(fs.edit('a', 'q', 'x', { replaceAll: true }), 'invalidPattern', 'a');
    await expectRefusal(fs.edit('a', 'ab', 'x'), 'invalidPattern', 'a');
    await expectRefusal(fs.edit('a', 'aa', 'x', {}), 'invalidPattern', 'a');
    expect(await textOf(fs, 'a')).toBe('abab aaa');
  });

  test('keeps line endings, and reports invisible ones', async () => {
    const fs = await withFiles(open, { a: 'a\r\nb\r\nc' });
    const { message } = await refusalOf(fs.edit('a', 'a\nb', 'x'));
    expect(message).toContain('\\r\\n');
    await fs.edit('a', 'a\r\nb', 'x');
    expect(await textOf(fs, 'a')).toBe('x\r\nc');
  });

  test('edits what is a file', async () => {
    const fs = await withFiles(open, { 'd/a': 'x' });
    await expectRefusal(fs.edit('q', 'x', 'y'), 'notFound', 'q');
    await expectRefusal(fs.edit('d', 'x', 'y'), 'isDirectory', 'd');
    await expectRefusal(fs.edit('d/a/b', 'x', 'y'), 'notDirectory', 'd/a/b');
  });
}
