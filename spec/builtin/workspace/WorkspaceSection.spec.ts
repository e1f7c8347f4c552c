import { InMemoryFilesystem } from 'toolwright/resources';
import { DirectoryListing, FilePage, FilesFound, FileWritten, LinesFound } from 'toolwright/sections';
import { failAfter, failAtWrite } from 'toolwright/testing';
import { workbench } from './workbench.js';

const tools = ['ls', 'read_file', 'write_file', 'edit_file', 'glob', 'grep', 'rm'];
const lines = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line ${String(index + 1)}\n`).join('');

describe('the workspace section', () => {
  test('the workspace section has the key workspace, and says in a few lines how to work with each tool', async () => {
    const { rendered } = await workbench();
    expect(rendered.sections.map(({ path }) => path)).toEqual(['workspace']);
    for (const name of tools) expect(rendered.text).toContain(`\`${name}\``);
    expect(rendered.text).toMatch(/relative to its root/);
    expect(rendered.text.split('\n').length).toBeLessThan(12);
  });

  test('the workspace section has seven tools, which declare their effects', async () => {
    const { rendered } = await workbench();
    expect(rendered.tools.map(({ name }) => name)).toEqual(tools);
    const looks = rendered.tools.filter(({ hints }) => hints.readOnly === true).map(({ name }) => name);
    expect(looks).toEqual(['ls', 'read_file', 'glob', 'grep']);
    const destroys = rendered.tools.filter(({ hints }) => hints.destructive === true).map(({ name }) => name);
    expect(destroys).toEqual(['write_file', 'edit_file', 'rm']);
    const again = rendered.tools.filter(({ hints }) => hints.idempotent === false).map(({ name }) => name);
    expect(again).toEqual(['edit_file']);
  });

  test('the workspace section names its arguments as models know them, each described', async () => {
    const { rendered } = await workbench();
    const fields = rendered.toolSchemas('json-schema').map(({ name, parameters }) => {
      const properties = parameters['properties'] as Record<string, { description?: string }>;
      for (const { description } of Object.values(properties)) expect(description).toMatch(/\w/);
      const required = (parameters['required'] ?? []) as readonly string[];
      return [name, ...Object.keys(properties).map((field) => (required.includes(field) ? `${field}!` : field))].join(
        ' ',
      );
    });
    expect(fields).toEqual([
      'ls path',
      'read_file path! offset limit',
      'write_file path! content!',
      'edit_file path! old_text! new_text! replace_all',
      'glob pattern! path',
      'grep pattern! path glob limit',
      'rm path! recursive',
    ]);
  });

  test('without a filesystem, every workspace tool says so, and says how the host binds one', async () => {
    const { call } = await workbench(null);
    const args = { path: 'a', pattern: 'a', content: '', old_text: 'a', new_text: 'b' };
    const own: Readonly<Record<string, readonly string[]>> = {
      ls: ['path'],
      read_file: ['path'],
      write_file: ['path', 'content'],
      edit_file: ['path', 'old_text', 'new_text'],
      glob: ['pattern'],
      grep: ['pattern'],
      rm: ['path'],
    };
    for (const name of tools) {
      const taken = Object.fromEntries(Object.entries(args).filter(([field]) => own[name]?.includes(field)));
      const { kind, text } = await call(name, taken);
      expect(kind).toBe('failed');
      expect(text).toMatch(/^There are no files: no filesystem is bound\..*bind\(Filesystem, \{ value: files \}\)/s);
    }
  });
});

describe('ls', () => {
  const files = { 'b.md': '', 'src/app.ts': '', 'a/x.txt': '' };

  test('ls lists the root when no path is given, directories with a slash', async () => {
    const { call } = await workbench(files);
    const { text, value } = await call('ls');
    expect(text).toBe('a/\nb.md\nsrc/');
    expect(value).toBeInstanceOf(DirectoryListing);
    expect((value as DirectoryListing).entries.map(({ path, isDirectory }) => [path, isDirectory])).toEqual([
      ['a', true],
      ['b.md', false],
      ['src', true],
    ]);
  });

  test.each(['/', ''])('ls takes %j for the root', async (path) => {
    const { call } = await workbench(files);
    expect((await call('ls', { path })).text).toBe('a/\nb.md\nsrc/');
  });

  test.each(['src', 'src/'])('ls lists a directory, with and without a slash at its end: %s', async (path) => {
    const { call } = await workbench(files);
    expect((await call('ls', { path })).text).toBe('app.ts');
  });

  test('ls says that a directory is empty, is a file, or is not there', async () => {
    const { call } = await workbench();
    expect(await call('ls')).toMatchObject({ kind: 'succeeded', text: 'The directory is empty.' });
    await call('write_file', { path: 'a.txt', content: '' });
    expect(await call('ls', { path: 'a.txt' })).toMatchObject({
      kind: 'failed',
      text: '"a.txt" is a file, not a directory. Read it, or name the directory that it is in.',
    });
    expect((await call('ls', { path: 'none' })).text).toMatch(/^"none" does not exist\./);
  });

  test('ls shows the first 1,000 names of very many, and returns all of them as value', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 1_200 }, (_, index) => [`f${String(index).padStart(4, '0')}`, '']),
    );
    const { call } = await workbench(many);
    const { text, value } = await call('ls');
    expect(text.split('\n')).toHaveLength(1_001);
    expect(text).toMatch(/\n… and 200 more\. Narrow what you ask for\.$/);
    expect((value as DirectoryListing).entries).toHaveLength(1_200);
  });

  test('a name with a line break cannot pass for two names', async () => {
    const { call } = await workbench({ 'a\nb/': '', 'a\nb': '' });
    expect((await call('ls')).text).toBe('"a\\nb"');
  });
});

describe('read_file', () => {
  test('numbers the lines, and says which they are', async () => {
    const { call } = await workbench({ 'src/app.ts': 'one\n\n  three\n' });
    const { text, value } = await call('read_file', { path: 'src/app.ts' });
    expect(text).toBe('src/app.ts, lines 1-3 of 3.\n1\tone\n2\t\n3\t  three');
    expect(value).toBeInstanceOf(FilePage);
    expect(value).toMatchObject({ path: 'src/app.ts', content: 'one\n\n  three', offset: 0, lines: 3, totalLines: 3 });
  });

  test('read_file reads a part, and says with which offset to go on, until there is no more', async () => {
    const { call } = await workbench({ a: lines(5) });
    expect((await call('read_file', { path: 'a', limit: 2 })).text).toBe(
      'a, lines 1-2 of 5. Continue with offset 2.\n1\tline 1\n2\tline 2',
    );
    expect((await call('read_file', { path: 'a', offset: 2, limit: 2 })).text).toBe(
      'a, lines 3-4 of 5. Continue with offset 4.\n3\tline 3\n4\tline 4',
    );
    expect((await call('read_file', { path: 'a', offset: 4, limit: 2 })).text).toBe('a, lines 5-5 of 5.\n5\tline 5');
    expect((await call('read_file', { path: 'a', offset: 5 })).text).toBe(
      'a ends with line 5. Choose a smaller offset.',
    );
  });

  test('an empty file is empty, whatever the offset', async () => {
    const { call } = await workbench({ a: '' });
    expect((await call('read_file', { path: 'a' })).text).toBe('a is empty.');
    expect((await call('read_file', { path: 'a', offset: 7 })).text).toBe('a is empty.');
  });

  test.each(['a', 'a\n', '\n', '\n\n', 'a\r\nb\r\n', '\n a'])(
    'read_file shows each line of %j once',
    async (content) => {
      const { call } = await workbench({ f: content });
      const { value } = await call('read_file', { path: 'f' });
      const { content: read, lines: count, totalLines } = value as FilePage;
      expect(count).toBe(totalLines);
      expect(read.split('\n')).toHaveLength(count);
      expect([read, `${read}\n`]).toContain(content);
    },
  );

  test('read_file goes through a huge file page by page, losing no line', async () => {
    const long = Array.from({ length: 6_000 }, (_, index) => `${String(index)} ${'x'.repeat(index % 120)}`).join('\n');
    const { call } = await workbench({ long });
    const read: string[] = [];
    for (let offset = 0, pages = 0; ; pages++) {
      const { text, value } = await call('read_file', { path: 'long', offset });
      expect(text.length).toBeLessThan(100_000);
      read.push((value as FilePage).content);
      const next = /Continue with offset (\d+)\./.exec(text)?.[1];
      if (next === undefined) break;
      expect(Number(next)).toBeGreaterThan(offset);
      offset = Number(next);
      expect(pages).toBeLessThan(100);
    }
    expect(read.join('\n')).toBe(long);
  });

  test('read_file cuts long lines where they are shown, and says how long they are', async () => {
    const { call } = await workbench({ a: `${'x'.repeat(200_000)}\nend` });
    const { text, value } = await call('read_file', { path: 'a' });
    expect(text).toMatch(/^a, lines 1-2 of 2\.\n1\tx{2000}… \(the line has 200000 characters\)\n2\tend$/);
    expect((value as FilePage).content).toHaveLength(200_004);
  });

  test('read_file refuses what is no text, and directories', async () => {
    const { call } = await workbench({ 'd/image.png': '\u0089PNG\0\0' });
    expect(await call('read_file', { path: 'd/image.png' })).toMatchObject({
      kind: 'failed',
      text: '"d/image.png" is not a text file: it contains NUL characters. Continue without reading it.',
    });
    expect((await call('read_file', { path: 'd' })).text).toMatch(/^"d" is a directory, not a file\./);
  });

  test.each([
    { path: 'a', offset: -1 },
    { path: 'a', limit: 0 },
    { path: 'a', limit: 2_001 },
    { path: 'a', offset: 0.5 },
    { path: 5 },
    {},
  ])('read_file takes no arguments such as %j', async (args) => {
    const { call } = await workbench({ a: '1' });
    expect((await call('read_file', args)).kind).toBe('rejected');
  });
});

describe('write_file and edit_file', () => {
  test('a file is written with the directories above it, and replaced', async () => {
    const { call, contents } = await workbench();
    const { text, value } = await call('write_file', { path: 'docs/notes.md', content: 'Grüße\n' });
    expect(text).toBe('Wrote 8 bytes to docs/notes.md.');
    expect(value).toBeInstanceOf(FileWritten);
    await call('write_file', { path: 'docs/notes.md', content: '' });
    expect(contents()).toEqual({ 'docs/notes.md': '' });
  });

  test('a directory cannot be written to, nor what lies below a file', async () => {
    const { call, contents } = await workbench({ 'a/b': '1' });
    expect((await call('write_file', { path: 'a', content: '' })).text).toMatch(/^"a" is a directory/);
    expect((await call('write_file', { path: 'a/b/c', content: '' })).text).toMatch(/^"a\/b\/c" cannot exist/);
    expect(contents()).toEqual({ 'a/b': '1' });
  });

  test('an edit replaces the one place, or all of them, and nothing else is special', async () => {
    const { call, contents } = await workbench({ a: 'x = $1;\ny = $1;\n' });
    expect((await call('edit_file', { path: 'a', old_text: 'x = $1', new_text: '$& = \\n' })).text).toBe(
      'Replaced 1 occurrence in a.',
    );
    expect(contents()).toEqual({ a: '$& = \\n;\ny = $1;\n' });
    expect((await call('edit_file', { path: 'a', old_text: ';', new_text: '', replace_all: true })).text).toBe(
      'Replaced 2 occurrences in a.',
    );
    expect(contents()).toEqual({ a: '$& = \\n\ny = $1\n' });
  });

  test('an edit that does not fit says why, and changes nothing', async () => {
    const { call, contents } = await workbench({ a: 'x x' });
    const edit = (args: Record<string, unknown>) => call('edit_file', { path: 'a', new_text: 'y', ...args });
    expect((await edit({ old_text: 'x' })).text).toMatch(/more than once.*replace all/s);
    expect((await edit({ old_text: 'z' })).text).toMatch(/does not occur in "a".*Read the file/s);
    expect((await edit({ old_text: 'x', path: 'b' })).text).toMatch(/^"b" does not exist/);
    expect((await edit({ old_text: '' })).kind).toBe('rejected');
    expect(contents()).toEqual({ a: 'x x' });
  });

  test('a text that was read can be edited as it was shown, without its line numbers', async () => {
    const { call, contents } = await workbench({ a: '  if (x) {\n\treturn;\n  }\n' });
    const { text } = await call('read_file', { path: 'a' });
    const shown = text
      .split('\n')
      .slice(1)
      .map((line) => line.slice(line.indexOf('\t') + 1));
    await call('edit_file', { path: 'a', old_text: shown.slice(0, 2).join('\n'), new_text: 'return;' });
    expect(contents()).toEqual({ a: 'return;\n  }\n' });
  });
});

describe('glob and grep', () => {
  const files = { 'src/app.ts': 'const a = 1;\nconst b = 2;\n', 'src/lib/x.ts': 'let c;\n', 'b.md': 'a const\n' };

  test('glob returns paths, one a line', async () => {
    const { call } = await workbench(files);
    const { text, value } = await call('glob', { pattern: '**/*.ts' });
    expect(text).toBe('src/app.ts\nsrc/lib/x.ts');
    expect(value).toBeInstanceOf(FilesFound);
    expect((await call('glob', { pattern: '*.ts', path: 'src/lib' })).text).toBe('src/lib/x.ts');
    expect(await call('glob', { pattern: '*.py' })).toMatchObject({
      kind: 'succeeded',
      text: 'No file fits the pattern.',
    });
  });

  test('grep returns path, line and text, everywhere or in some files', async () => {
    const { call } = await workbench(files);
    const { text, value } = await call('grep', { pattern: 'const' });
    expect(text).toBe('b.md:1: a const\nsrc/app.ts:1: const a = 1;\nsrc/app.ts:2: const b = 2;');
    expect(value).toBeInstanceOf(LinesFound);
    expect(value).toMatchObject({ isComplete: true });
    expect((await call('grep', { pattern: 'const', glob: '*.md' })).text).toBe('b.md:1: a const');
    expect((await call('grep', { pattern: 'const', glob: null, path: 'b.md' })).text).toBe('b.md:1: a const');
    expect((await call('grep', { pattern: 'let', path: 'src' })).text).toBe('src/lib/x.ts:1: let c;');
    expect(await call('grep', { pattern: 'nowhere' })).toMatchObject({ kind: 'succeeded', text: 'No line matches.' });
  });

  test('grep stops at its limit, and says that there may be more', async () => {
    const { call } = await workbench({ a: lines(10) });
    const { text, value } = await call('grep', { pattern: 'line', limit: 3 });
    expect(text).toBe(
      'a:1: line 1\na:2: line 2\na:3: line 3\nThere may be more than these 3. Narrow the pattern, path or glob, or raise limit.',
    );
    expect(value).toMatchObject({ isComplete: false });
  });

  test.each([
    [0, /^a:1: needlex{294}…$/],
    [5_000, /^a:1: …x{100}needlex{194}…$/],
    [9_994, /^a:1: …x{294}needle$/],
  ])('grep shows what is around the match of a long line: at %d', async (at, shown) => {
    const { call } = await workbench({ a: `${'x'.repeat(at)}needle${'x'.repeat(9_994 - at)}` });
    expect((await call('grep', { pattern: 'needle' })).text).toMatch(shown);
  });

  test('patterns that cannot be used say what is wrong with them', async () => {
    const { call } = await workbench(files);
    expect((await call('grep', { pattern: '(' })).text).toMatch(/^The regular expression "\(" cannot be used/);
    expect((await call('grep', { pattern: 'a(?!b)' })).text).toMatch(/^The regular expression .* cannot be used/);
    expect((await call('glob', { pattern: '[' })).text).toMatch(/^The file pattern "\[" cannot be used/);
    for (const pattern of ['../*.ts', './*.ts', 'src/../*']) {
      expect((await call('glob', { pattern })).text).toMatch(/^The file pattern .* has \. or \.\. among its names/);
      expect((await call('grep', { pattern: 'x', glob: pattern })).text).toMatch(/^The file pattern .* has \. or \.\./);
    }
  });
});

describe('rm', () => {
  test('rm deletes a file, an empty directory, or with recursive a directory with its content', async () => {
    const { call, contents } = await workbench({ a: '1', 'd/x': '2', 'd/y': '3' });
    expect((await call('rm', { path: 'a' })).text).toBe('Deleted a.');
    expect(await call('rm', { path: 'd' })).toMatchObject({
      kind: 'failed',
      text: expect.stringMatching(/^"d" is a directory that is not empty\..*recursively/) as unknown,
    });
    expect(contents()).toEqual({ 'd/x': '2', 'd/y': '3' });
    expect((await call('rm', { path: 'd', recursive: true })).text).toBe('Deleted d.');
    expect(contents()).toEqual({});
    expect((await call('rm', { path: 'd' })).text).toMatch(/^"d" does not exist/);
  });

  test.each(['', '/'])('rm does not delete the root: %j', async (path) => {
    const { call, contents } = await workbench({ a: '1' });
    expect(await call('rm', { path, recursive: true })).toMatchObject({
      kind: 'failed',
      text: 'The path names the root of the workspace. Name something below it.',
    });
    expect(contents()).toEqual({ a: '1' });
  });
});

describe('a call that fails', () => {
  test('a call that fails after its handler restores the files', async () => {
    const before = { a: 'one', 'd/b': 'two' };
    const { call, contents } = await workbench(before, [failAfter('*')]);
    expect((await call('write_file', { path: 'a', content: 'x' })).kind).toBe('failed');
    expect((await call('write_file', { path: 'new/file', content: 'x' })).kind).toBe('failed');
    expect((await call('edit_file', { path: 'a', old_text: 'one', new_text: 'x' })).kind).toBe('failed');
    expect((await call('rm', { path: 'd', recursive: true })).kind).toBe('failed');
    expect(contents()).toEqual(before);
  });

  test('a broken filesystem is reported as a failure of the tool, not as a refusal', async () => {
    const { call } = await workbench(failAtWrite(new InMemoryFilesystem(), 1));
    const { kind, text } = await call('write_file', { path: 'a', content: '' });
    expect(kind).toBe('failed');
    expect(text).toMatch(/^The tool write_file failed: .*write/);
  });
});
