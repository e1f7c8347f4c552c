import { expectRefusal, names, refusalOf, textOf, withFiles, type OpenFilesystem } from './support';

export function directoryContract(open: OpenFilesystem): void {
  test('directories are listed by name, with what is directly in them', async () => {
    const fs = await withFiles(open, { 'b/x/y': '', 'b.txt': '1', a: '', 'B/q': '' });
    expect(await fs.list()).toEqual([
      { name: 'B', path: 'B', isFile: false, isDirectory: true },
      { name: 'a', path: 'a', isFile: true, isDirectory: false },
      { name: 'b', path: 'b', isFile: false, isDirectory: true },
      { name: 'b.txt', path: 'b.txt', isFile: true, isDirectory: false },
    ]);
    expect(await fs.list('b')).toEqual([{ name: 'x', path: 'b/x', isFile: false, isDirectory: true }]);
    expect(await names(fs, '/')).toEqual(await names(fs));
  });

  test('refuses to list what is no directory', async () => {
    const fs = await withFiles(open, { a: '' });
    await expectRefusal(fs.list('q'), 'notFound', 'q');
    await expectRefusal(fs.list('a'), 'notDirectory', 'a');
    await expectRefusal(fs.list('a/b'), 'notDirectory', 'a/b');
  });

  test('directories and files have a size', async () => {
    const fs = await withFiles(open, { 'd/a': 'ä€😀\n' });
    expect(await fs.stat('d/a')).toEqual({ name: 'a', path: 'd/a', isFile: true, isDirectory: false, sizeBytes: 10 });
    expect(await fs.stat('d')).toEqual({ name: 'd', path: 'd', isFile: false, isDirectory: true, sizeBytes: 0 });
    expect(await fs.stat('/')).toEqual({ name: '/', path: '/', isFile: false, isDirectory: true, sizeBytes: 0 });
    await expectRefusal(fs.stat('q'), 'notFound', 'q');
    await expectRefusal(fs.stat('d/a/b'), 'notDirectory', 'd/a/b');
  });

  test('directories and files exist', async () => {
    const fs = await withFiles(open, { 'd/a': '' });
    const asked = ['d/a', 'd', '/', '', 'q', 'd/q', 'd/a/b'];
    expect(await Promise.all(asked.map((path) => fs.exists(path)))).toEqual([
      true,
      true,
      true,
      true,
      false,
      false,
      false,
    ]);
  });

  test('directories are made, with those above them', async () => {
    const fs = await withFiles(open, { f: '1' });
    await fs.mkdir('a/b');
    await fs.mkdir('a/b');
    await fs.mkdir('/');
    await expectRefusal(fs.mkdir('a/b', { existOk: false }), 'exists', 'a/b');
    await expectRefusal(fs.mkdir('x/y', { parents: false }), 'notFound', 'x/y');
    await fs.mkdir('a/c', { parents: false, existOk: false });
    await expectRefusal(fs.mkdir('f'), 'exists', 'f');
    await expectRefusal(fs.mkdir('f/g'), 'notDirectory', 'f/g');
    await expectRefusal(fs.mkdir('f/g/h'), 'notDirectory', 'f/g/h');
    expect(await names(fs)).toEqual(['a', 'f']);
    expect(await names(fs, 'a')).toEqual(['b', 'c']);
    expect(await names(fs, 'a/b')).toEqual([]);
  });
}

export function deletingContract(open: OpenFilesystem): void {
  test('takes files, and directories that are empty or may go with everything in them', async () => {
    const fs = await withFiles(open, { 'd/a': '1', 'd/e/b': '2', f: '3' });
    await fs.mkdir('empty');
    await fs.delete('f');
    await expectRefusal(fs.delete('f'), 'notFound', 'f');
    await fs.delete('empty');
    await expectRefusal(fs.delete('d'), 'isDirectory', 'd');
    await expectRefusal(fs.delete('d/a/b'), 'notDirectory', 'd/a/b');
    expect(await fs.glob('**')).toEqual(['d/a', 'd/e/b']);
    await fs.delete('d', { recursive: true });
    expect(await fs.list()).toEqual([]);
    await expectRefusal(fs.delete('d', { recursive: true }), 'notFound', 'd');
  });

  test('keeps the directory of a deleted file', async () => {
    const fs = await withFiles(open, { 'd/a': '1' });
    await fs.delete('d/a');
    expect(await fs.list('d')).toEqual([]);
  });

  test('empties the root, and keeps it', async () => {
    const fs = await withFiles(open, { 'd/a': '1', b: '2' });
    await expectRefusal(fs.delete('/'), 'isDirectory', '/');
    await fs.delete('/', { recursive: true });
    expect(await fs.list('/')).toEqual([]);
    await fs.delete('/');
    await fs.write('c', '3');
    expect(await names(fs)).toEqual(['c']);
  });

  test('makes room for something of another kind', async () => {
    const fs = await withFiles(open, { 'd/a': '1', f: '2' });
    await fs.delete('d', { recursive: true });
    await fs.write('d', 'file');
    await fs.delete('f');
    await fs.write('f/g', 'in a directory');
    expect(await fs.glob('**')).toEqual(['d', 'f/g']);
  });
}

export function pathContract(open: OpenFilesystem): void {
  test.each([
    ['a/b', 'a/b'],
    ['/a/b', 'a/b'],
    ['./a/./b/.', 'a/b'],
    ['a//b///', 'a/b'],
    ['a/x/../b', 'a/b'],
    ['../../a/b', 'a/b'],
    ['/../a/b', 'a/b'],
    ['a/../../a/b', 'a/b'],
  ])('%j is %j', async (given, path) => {
    const fs = await open();
    expect(await fs.write(given, 'x')).toMatchObject({ path });
    expect(await fs.read(given)).toMatchObject({ path, content: 'x' });
    expect(await fs.stat(given)).toMatchObject({ path, name: 'b' });
    expect(await fs.edit(given, 'x', 'y')).toMatchObject({ path });
    expect(await fs.glob('**')).toEqual([path]);
    await fs.delete(given);
    expect(await fs.exists(path)).toBe(false);
  });

  test('FS-01 nothing leads out of the root: outside of it there is nothing to find', async () => {
    const fs = await withFiles(open, { 'etc/passwd': 'ours' });
    for (const path of ['../etc/passwd', 'a/../../etc/passwd', '/etc/passwd', '//etc/passwd'])
      expect(await fs.read(path)).toMatchObject({ content: 'ours', path: 'etc/passwd' });
    await expectRefusal(fs.read('~root'), 'notFound', '~root');
    await expectRefusal(fs.read('%2e%2e/etc/passwd'), 'notFound', '%2e%2e/etc/passwd');
    await fs.write('..%2fx', '1');
    await fs.write('...', '2');
    expect(await names(fs)).toEqual(['..%2fx', '...', 'etc']);
  });

  test.each(['a\0b', '\0', 'a/\ud800', 'x'.repeat(256), `d/${'ä'.repeat(128)}`, 'a/'.repeat(2_049)])(
    'FS-01 %j is no path in any method',
    async (path) => {
      const fs = await withFiles(open, { a: '' });
      for (const operation of [
        fs.read(path),
        fs.write(path, ''),
        fs.edit(path, 'a', 'b'),
        fs.list(path),
        fs.stat(path),
        fs.exists(path),
        fs.delete(path),
        fs.mkdir(path),
        fs.glob('*', { path }),
        fs.grep('a', { path }),
      ])
        expect(await refusalOf(operation)).toMatchObject({ kind: 'invalidPath', path });
    },
  );

  test('a path that is no text is refused as well', async () => {
    const fs = await open();
    expect((await refusalOf(fs.read(undefined as never))).kind).toBe('invalidPath');
    expect((await refusalOf(fs.write({} as never, 'x'))).kind).toBe('invalidPath');
  });

  test('names may be anything else', async () => {
    const odd = [
      '__proto__',
      'constructor',
      'toString',
      ' ',
      ' a ',
      'a b',
      '😀.txt',
      '日本',
      '-rf',
      '*',
      '[a]',
      '{a,b}',
    ];
    const fs = await withFiles(open, Object.fromEntries(odd.map((name) => [`${name}/${name}`, name])));
    expect(await names(fs)).toEqual([...odd].sort());
    for (const name of odd) {
      expect(await textOf(fs, `${name}/${name}`)).toBe(name);
      expect(await names(fs, name)).toEqual([name]);
    }
    await fs.write('__proto__/constructor', 'x');
    expect(await names(fs, '__proto__')).toEqual(['__proto__', 'constructor']);
    expect(await fs.exists('hasOwnProperty')).toBe(false);
  });

  test('a name of 255 bytes, and one that is long in all', async () => {
    const fs = await open();
    await fs.write('ä'.repeat(127), 'x');
    await fs.write(`${'d/'.repeat(200)}f`, 'deep');
    expect(await textOf(fs, `${'d/'.repeat(200)}f`)).toBe('deep');
  });
}
