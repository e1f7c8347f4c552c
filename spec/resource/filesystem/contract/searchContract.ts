import { ResourceError } from '../../../../src/error/infrastructureErrors';
import type { Filesystem } from '../../../../src/interface/Filesystem';
import { expectRefusal, refusalOf, textOf, withFiles, type OpenFilesystem } from './support';

export function globContract(open: OpenFilesystem): void {
  const files = {
    'README.md': '',
    '.env': '',
    'src/app.ts': '',
    'src/app.test.ts': '',
    'src/lib/a.ts': '',
    'src/lib/b.js': '',
    'src/lib/deep/c.ts': '',
    'docs/index.md': '',
  };

  test.each([
    [
      '**',
      [
        '.env',
        'README.md',
        'docs/index.md',
        'src/app.test.ts',
        'src/app.ts',
        'src/lib/a.ts',
        'src/lib/b.js',
        'src/lib/deep/c.ts',
      ],
    ],
    ['*.md', ['README.md', 'docs/index.md']],
    ['/*.md', ['README.md']],
    ['./*.md', ['README.md']],
    ['*/*.md', ['docs/index.md']],
    ['**/*.ts', ['src/app.test.ts', 'src/app.ts', 'src/lib/a.ts', 'src/lib/deep/c.ts']],
    ['src/*.ts', ['src/app.test.ts', 'src/app.ts']],
    ['src/**/*.ts', ['src/app.test.ts', 'src/app.ts', 'src/lib/a.ts', 'src/lib/deep/c.ts']],
    ['src/**/deep/**', ['src/lib/deep/c.ts']],
    ['src/lib/?.[jt]s', ['src/lib/a.ts', 'src/lib/b.js']],
    ['src/lib/[!a].*', ['src/lib/b.js']],
    ['{docs,src}/*.{md,ts}', ['docs/index.md', 'src/app.test.ts', 'src/app.ts']],
    ['/*', ['.env', 'README.md']],
    ['src', []],
    ['src/', []],
    ['nothing/**', []],
  ])('%s', async (pattern, expected) => {
    const fs = await withFiles(open, files);
    expect(await fs.glob(pattern)).toEqual(expected);
  });

  test('searches below a directory, and returns whole paths', async () => {
    const fs = await withFiles(open, files);
    expect(await fs.glob('/*.ts', { path: 'src' })).toEqual(['src/app.test.ts', 'src/app.ts']);
    expect(await fs.glob('lib/*.js', { path: '/src/' })).toEqual(['src/lib/b.js']);
    await expectRefusal(fs.glob('*', { path: 'q' }), 'notFound', 'q');
    await expectRefusal(fs.glob('*', { path: 'README.md' }), 'notDirectory', 'README.md');
  });

  test('sorts by the whole path', async () => {
    const fs = await withFiles(open, { 'a/b': '', 'a.b': '', 'a-b': '', a0: '' });
    expect(await fs.glob('**')).toEqual(['a-b', 'a.b', 'a/b', 'a0']);
  });

  test.each(['', '/', '../*', 'a/../b', '[a', '{a,b', 'a\\', '[z-a]', 'x'.repeat(1_001)])(
    'refuses %j',
    async (pattern) => {
      const fs = await open();
      expect(await refusalOf(fs.glob(pattern))).toMatchObject({ kind: 'invalidPattern', path: pattern });
      expect(await refusalOf(fs.grep('a', { glob: pattern }))).toMatchObject({ kind: 'invalidPattern', path: pattern });
    },
  );
}

export function grepContract(open: OpenFilesystem): void {
  test('returns the first match of each line, by path and line', async () => {
    const fs = await withFiles(open, { b: 'two foo\nnothing\nfoo foo\n', 'a/c': 'x\r\n  food\r\n', a0: 'foo' });
    expect(await fs.grep('fo+')).toEqual([
      { path: 'a/c', line: 2, text: '  food', start: 2, end: 5 },
      { path: 'a0', line: 1, text: 'foo', start: 0, end: 3 },
      { path: 'b', line: 1, text: 'two foo', start: 4, end: 7 },
      { path: 'b', line: 3, text: 'foo foo', start: 0, end: 3 },
    ]);
  });

  test('searches where the options say, and returns no more than their limit', async () => {
    const fs = await withFiles(open, { 'a/x.ts': 'q\nq', 'a/y.js': 'q', 'b/z.ts': 'q' });
    const places = async (options: Parameters<Filesystem['grep']>[1]): Promise<readonly string[]> =>
      (await fs.grep('q', options)).map(({ path, line }) => `${path}:${String(line)}`);
    expect(await places({ glob: '*.ts' })).toEqual(['a/x.ts:1', 'a/x.ts:2', 'b/z.ts:1']);
    expect(await places({ path: 'a' })).toEqual(['a/x.ts:1', 'a/x.ts:2', 'a/y.js:1']);
    expect(await places({ path: 'a', glob: '*.ts', maxMatches: 1 })).toEqual(['a/x.ts:1']);
    expect(await places({ path: 'a/y.js' })).toEqual(['a/y.js:1']);
    expect(await places({ path: 'a/y.js', glob: '*.ts' })).toEqual([]);
    expect(await places({ maxMatches: 3 })).toEqual(['a/x.ts:1', 'a/x.ts:2', 'a/y.js:1']);
    expect(await places({ maxMatches: 0 })).toEqual([]);
    await expectRefusal(fs.grep('q', { path: 'c' }), 'notFound', 'c');
    await expectRefusal(fs.grep('q', { path: 'a/x.ts/y' }), 'notDirectory', 'a/x.ts/y');
  });

  test('returns a thousand matches by default', async () => {
    const fs = await withFiles(open, { a: 'x\n'.repeat(1_001) });
    expect(await fs.grep('x')).toHaveLength(1_000);
  });

  test.each([
    ['^b$', ['b']],
    ['^$', ['']],
    ['\\p{Lu}', ['Ä']],
    ['^.$', ['b', 'Ä', '😀']],
    ['a\\-c', ['a-c']],
    ['x|z', ['xyz']],
  ])('%s matches %j', async (pattern, texts) => {
    const fs = await withFiles(open, { a: 'b\r\n\r\nÄ\n😀\na-c\nxyz\n' });
    expect((await fs.grep(pattern)).map(({ text }) => text)).toEqual(texts);
  });

  test.each(['(', '[z-a]', '*', '(?=a)b', '(?<!a)b', '(a)\\1', '(?:a{1000}){1000}', 'x'.repeat(1_001)])(
    'refuses %s',
    async (pattern) => {
      const fs = await withFiles(open, { a: 'a'.repeat(50) });
      expect(await refusalOf(fs.grep(pattern))).toMatchObject({ kind: 'invalidPattern', path: pattern });
    },
  );

  test('says what is wrong with a pattern', async () => {
    const fs = await open();
    expect((await refusalOf(fs.grep('a('))).message).toMatch(
      /^The regular expression "a\(" cannot be used: Unterminated group/,
    );
    expect((await refusalOf(fs.grep('a(?=b)'))).message).toBe(
      'The regular expression "a(?=b)" cannot be used: it has the lookahead (?=…), which may take too long to match. ' +
        'Remove it and match the text that it checks, or place it right after a ^ at the beginning.',
    );
  });

  test.each(['(a+)+$', '(?:a|a)*b', 'a*a*a*a*a*b'])('answers at once to %s', async (pattern) => {
    const fs = await withFiles(open, { a: `${'a'.repeat(100)}!\naab aa` });
    const startedAt = performance.now();
    expect((await fs.grep(pattern)).map(({ line }) => line)).toEqual([2]);
    expect(performance.now() - startedAt).toBeLessThan(1_000);
  });

  test('searches the beginning of a long line', async () => {
    const fs = await withFiles(open, { a: `${'x'.repeat(9_999)}ab\nb` });
    expect(await fs.grep('a')).toEqual([
      { path: 'a', line: 1, text: `${'x'.repeat(9_999)}a`, start: 9_999, end: 10_000 },
    ]);
    expect((await fs.grep('b')).map(({ line }) => line)).toEqual([2]);
  });

  test('ends when its signal is aborted', async () => {
    const fs = await withFiles(open, { a: 'a?b?c?\n'.repeat(200_000) });
    const controller = new AbortController();
    const searched = fs.grep('(?:a.?|b.?)*(?:x|y)', { signal: controller.signal });
    setImmediate(() => {
      controller.abort(new RangeError('enough'));
    });
    await expect(searched).rejects.toThrow('enough');
  });
}

export function snapshotContract(open: OpenFilesystem): void {
  test('keep everything as it was, however often it is put back', async () => {
    const fs = await withFiles(open, { a: '1', 'd/e': 'x' });
    await fs.mkdir('empty');
    const first = await fs.snapshot();
    await fs.write('a', '2');
    await fs.write('b', '3');
    const second = await fs.snapshot();
    await fs.delete('a');
    await fs.delete('d', { recursive: true });
    await fs.delete('empty');
    await fs.restore(first);
    expect(await fs.glob('**')).toEqual(['a', 'd/e']);
    expect(await textOf(fs, 'a')).toBe('1');
    expect(await fs.list('empty')).toEqual([]);
    await fs.restore(second);
    expect(await fs.glob('**')).toEqual(['a', 'b', 'd/e']);
    expect(await textOf(fs, 'a')).toBe('2');
    await fs.restore(first);
    await fs.restore(first);
    expect(await textOf(fs, 'a')).toBe('1');
  });

  test('patterns of another kind are refused', async () => {
    const fs = await withFiles(open, { a: '1' });
    const error: unknown = await fs.restore({ filesystem: 'Other' }).catch((thrown: unknown) => thrown);
    expect(error instanceof ResourceError).toBe(true);
    expect(error).toMatchObject({ code: 'E905' });
    expect(await textOf(fs, 'a')).toBe('1');
  });
}
