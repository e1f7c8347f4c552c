import { once } from 'node:events';
import { chmodSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import type { HostFilesystem } from '../../src/HostFilesystem';
import { expectRefusal, names, refusalOf, textOf } from '../../../../spec/resource/filesystem/contract/support';
import { diskTree } from './diskTree';
import { Folders } from './folders';
import { makePipe } from './makePipe';

const folders = new Folders();
afterEach(() => folders.remove());

const byBytes = (root: string, name: string): Buffer =>
  Buffer.concat([Buffer.from(`${root}/`), Buffer.from(name, 'latin1')]);

describe('FS-04 special files', () => {
  test.each(['fifo', 'socket'])('a %s is refused by every method, and nothing waits for it', async (what) => {
    const root = await folders.folder();
    const server = createServer();
    if (what === 'fifo') makePipe(join(root, what));
    else await once(server.listen(join(root, what)), 'listening');
    writeFileSync(join(root, 'a'), 'x');
    const fs = await folders.open(root);
    const operations = [
      fs.read(what),
      fs.write(what, 'x'),
      fs.write(what, 'x', { mode: 'append' }),
      fs.edit(what, 'x', 'y'),
      fs.list(what),
      fs.stat(what),
      fs.exists(what),
      fs.delete(what),
      fs.mkdir(what),
      fs.grep('x', { path: what }),
      fs.read(`${what}/below`),
    ];
    for (const error of await Promise.all(operations.map(refusalOf))) {
      expect(error.kind).toBe('invalidPath');
      expect(error.message).toContain('pipe or socket');
    }
    expect(await fs.list()).toContainEqual({ name: what, path: what, isFile: false, isDirectory: false });
    expect(await fs.glob('**')).toEqual(['a']);
    expect(await fs.grep('x')).toHaveLength(1);
    const snapshot = await fs.snapshot();
    await fs.write('a', 'y');
    await fs.restore(snapshot);
    expect(diskTree(root)).toMatchObject({ [what]: { special: true }, a: { file: 'x' } });
    server.close();
  });

  test('a directory with a pipe in it is not deleted, since it could not be brought back', async () => {
    const root = await folders.folder();
    mkdirSync(join(root, 'd/e'), { recursive: true });
    writeFileSync(join(root, 'd/a'), 'x');
    makePipe(join(root, 'd/e/fifo'));
    const fs = await folders.open(root);
    const error = await refusalOf(fs.delete('d', { recursive: true }));
    expect(error).toMatchObject({ kind: 'invalidPath', path: 'd' });
    expect(error.message).toContain('"d/e/fifo"');
    expect(await fs.exists('d/a')).toBe(true);
    await fs.delete('d/a');
  });

  test('a sparse file of 5 GB is listed and not read', async () => {
    const root = await folders.folder();
    writeFileSync(join(root, 'huge'), 'x');
    truncateSync(join(root, 'huge'), 5_000_000_000);
    writeFileSync(join(root, 'small'), 'x');
    const fs = await folders.open(root, { snapshots: false });
    for (const options of [{}, { limit: 1 }, { offset: 2 ** 32, limit: 1 }])
      await expectRefusal(fs.read('huge', options), 'invalidPath', 'huge');
    await expectRefusal(fs.edit('huge', 'x', 'y'), 'invalidPath', 'huge');
    expect((await refusalOf(fs.read('huge'))).message).toContain('larger than 10,000,000 bytes');
    expect(await fs.stat('huge')).toMatchObject({ sizeBytes: 5_000_000_000 });
    expect(await fs.glob('**')).toEqual(['huge', 'small']);
    expect(await fs.grep('x')).toMatchObject([{ path: 'small' }]);
    expect(await fs.grep('x', { path: 'huge' })).toEqual([]);
  });

  test('the largest file that is read can be chosen', async () => {
    const fs = await folders.open(undefined, { maxFileBytes: 4 });
    await fs.write('a', 'äö');
    writeFileSync(join(fs.root, 'b'), 'äö.');
    expect((await fs.read('a')).content).toBe('äö');
    await expectRefusal(fs.read('b'), 'invalidPath', 'b');
    expect(await fs.grep('ä')).toMatchObject([{ path: 'a' }]);
    await expectRefusal(fs.write('b', '.', { mode: 'append' }), 'invalidPath', 'b');
    await expectRefusal(fs.write('c', 'äö.'), 'invalidPath', 'c');
    expect((await fs.stat('b')).sizeBytes).toBe(5);
  });

  test('a file that says it is empty, and is not, is read within the same limit', async () => {
    const fs = await folders.open('/proc/self', { maxFileBytes: 64, snapshots: false });
    expect((await fs.stat('status')).sizeBytes).toBe(0);
    await expectRefusal(fs.read('status'), 'invalidPath', 'status');
    expect((await fs.read('comm')).totalLines).toBe(1);
  });

  test.each([
    ['bytes that are no UTF-8', 'a\xff\n'],
    ['a NUL', 'a\0b\n'],
    ['half of a character', 'x\xc3'],
    ['a surrogate in UTF-8', '\xed\xa0\x80'],
  ])('%s make a file binary: not read, not edited, not searched', async (_, content) => {
    const root = await folders.folder();
    writeFileSync(join(root, 'binary'), content, 'latin1');
    writeFileSync(join(root, 'text'), 'axb\n');
    const fs = await folders.open(root);
    await expectRefusal(fs.read('binary'), 'invalidPath', 'binary');
    await expectRefusal(fs.edit('binary', 'a', 'b'), 'invalidPath', 'binary');
    expect((await refusalOf(fs.read('binary'))).message).toContain('is not text');
    expect(await fs.grep('.')).toMatchObject([{ path: 'text' }]);
    expect(await fs.glob('**')).toEqual(['binary', 'text']);
    expect(readFileSync(join(root, 'binary'), 'latin1')).toBe(content);
    await fs.write('binary', 'text');
    expect(await textOf(fs, 'binary')).toBe('text');
  });

  test('an empty file is text, and a byte order mark stays', async () => {
    const fs = await folders.open();
    await fs.write('empty', '');
    expect(await fs.read('empty')).toMatchObject({ content: '', totalLines: 0 });
    await fs.write('marked', '\ufeffa');
    await fs.edit('marked', 'a', 'b');
    expect(await textOf(fs, 'marked')).toBe('\ufeffb');
  });
});

describe('names', () => {
  test('FS-05 names that look alike, or differ in case, are different files', async () => {
    const alike = ['Caf\u00e9', 'Cafe\u0301', 'caf\u00e9', 'CAF\u00c9'];
    const root = await folders.folder();
    const fs = await folders.open(root);
    for (const name of alike) await fs.write(name, name, { mode: 'create' });
    expect(await names(fs)).toEqual([...alike].sort());
    for (const name of alike) expect(await textOf(fs, name)).toBe(name);
    await fs.delete(alike[0]!);
    expect(Object.keys(diskTree(root))).toHaveLength(3);
    await expectRefusal(fs.read(alike[0]!), 'notFound', alike[0]!);
  });

  test('FS-04 names that are no UTF-8 are not listed, and never confused with others', async () => {
    const root = await folders.folder();
    // Decoded and written again, each of them would be the name with the replacement character.
    const odd = ['a\xff', 'a\xfe', '\xed\xa0\x80'];
    for (const name of odd) writeFileSync(byBytes(root, name), name);
    mkdirSync(byBytes(root, 'd\xff'));
    writeFileSync(byBytes(root, 'd\xff/x'), 'x');
    writeFileSync(join(root, 'a\ufffd'), 'x');
    const fs = await folders.open(root);
    expect(await names(fs)).toEqual(['a\ufffd']);
    expect(await fs.glob('**')).toEqual(['a\ufffd']);
    expect(await fs.grep('.')).toHaveLength(1);
    const before = diskTree(root);
    const snapshot = await fs.snapshot();
    await fs.write('a\ufffd', 'y');
    await fs.delete('/', { recursive: true });
    expect(diskTree(root)).toEqual({});
    await fs.restore(snapshot);
    expect(diskTree(root)).toEqual(before);
  });

  test.each(['.git', '.GIT', 'a/.git/hooks/post-commit', '.git/config', '.toolwright-0123456789abcdef'])(
    'FS-02 %s is neither shown nor changed',
    async (path) => {
      const root = await folders.folder();
      mkdirSync(join(root, path, '..'), { recursive: true });
      writeFileSync(join(root, path), 'x');
      const before = diskTree(root);
      const fs = await folders.open(root);
      const operations = [
        fs.read(path),
        fs.write(path, 'y'),
        fs.edit(path, 'x', 'y'),
        fs.stat(path),
        fs.exists(path),
        fs.delete(path),
        fs.mkdir(path),
        fs.mkdir(`${path}/x`),
        fs.delete('/', { recursive: true }),
      ];
      for (const error of await Promise.all(operations.map(refusalOf))) expect(error.kind).toBe('invalidPath');
      expect(await fs.glob('**')).toEqual([]);
      expect(await fs.grep('x')).toEqual([]);
      expect(diskTree(root)).toEqual(before);
    },
  );

  test('.gitignore and the like are files as others are', async () => {
    const fs = await folders.open();
    await fs.write('.gitignore', '*');
    await fs.write('.github/x', '');
    expect(await fs.glob('**')).toEqual(['.github/x', '.gitignore']);
  });
});

describe('permissions', () => {
  const modeOf = (fs: HostFilesystem, path: string): string =>
    (statSync(join(fs.root, path)).mode & 0o7777).toString(8);

  test('permissions of a file stay when it is written, but not setuid and setgid', async () => {
    const fs = await folders.open();
    await fs.write('a', 'x');
    const usual = modeOf(fs, 'a');
    for (const mode of [0o600, 0o755, 0o640, 0o4755, 0o2711]) {
      chmodSync(join(fs.root, 'a'), mode);
      await fs.write('a', 'y');
      expect(modeOf(fs, 'a')).toBe((mode & 0o777).toString(8));
      chmodSync(join(fs.root, 'a'), mode);
      await fs.write('a', '', { mode: 'append' });
      expect(modeOf(fs, 'a')).toBe((mode & 0o777).toString(8));
      await fs.edit('a', 'y', 'z');
      await fs.write('a', 'z', { mode: 'append' });
      expect(modeOf(fs, 'a')).toBe((mode & 0o777).toString(8));
    }
    await fs.delete('a');
    await fs.write('a', 'x', { mode: 'create' });
    expect(modeOf(fs, 'a')).toBe(usual);
  });

  test('write permission of the file decides, even if the directory is writable', async () => {
    const fs = await folders.open();
    await fs.write('a', 'x');
    chmodSync(join(fs.root, 'a'), 0o444);
    const written = await Promise.allSettled([
      fs.write('a', 'y'),
      fs.write('a', 'y', { mode: 'append' }),
      fs.edit('a', 'x', 'y'),
    ]);
    // The superuser may do everything, so that for it only the mode has to stay.
    if (process.getuid!() !== 0)
      expect(written).toEqual(
        Array(3).fill(expect.objectContaining({ reason: expect.objectContaining({ kind: 'invalidPath' }) as unknown })),
      );
    expect(modeOf(fs, 'a')).toBe('444');
  });
});
