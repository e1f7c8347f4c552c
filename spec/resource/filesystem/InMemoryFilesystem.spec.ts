import { FilesystemError } from '../../../src/error/FilesystemError';
import { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';
import { filesystemContract } from '../../../packages/contracts/spec/filesystem.contract';

filesystemContract('in memory', async () => new InMemoryFilesystem());
filesystemContract('an overlay', async () => new InMemoryFilesystem().begin());
filesystemContract('a savepoint', async () => new InMemoryFilesystem({ files: {} }).begin().begin());

describe('files in memory', () => {
  test('files in memory begin with those that are given, and give them back', () => {
    const files = { '/src//app.ts': 'x', './b/../a': '', 'a.b': '\n' };
    const fs = new InMemoryFilesystem({ files });
    expect({ ...fs.files() }).toEqual({ a: '', 'a.b': '\n', 'src/app.ts': 'x' });
    expect(Object.keys(fs.files())).toEqual(['a', 'a.b', 'src/app.ts']);
    expect(new InMemoryFilesystem({ files: fs.files() }).files()).toEqual(fs.files());
    expect({ ...new InMemoryFilesystem({ files: undefined }).files() }).toEqual({});
  });

  test('a file called __proto__ is one of them', () => {
    const files = JSON.parse('{"__proto__":"x","constructor":"y","d/__proto__":"z"}') as Record<string, string>;
    const told = new InMemoryFilesystem({ files }).files();
    expect(Object.entries(told)).toEqual([
      ['__proto__', 'x'],
      ['constructor', 'y'],
      ['d/__proto__', 'z'],
    ]);
  });

  test.each([
    [{ a: '', 'a/b': '' }, 'notDirectory'],
    [{ 'a/b': '', a: '' }, 'isDirectory'],
    [{ '/': '' }, 'invalidPath'],
    [{ '..': '' }, 'invalidPath'],
    [{ 'a\0': '' }, 'invalidPath'],
  ])('%j cannot be there together', (files, kind) => {
    const make = (): unknown => new InMemoryFilesystem({ files });
    expect(make).toThrow(FilesystemError);
    expect(make).toThrow(expect.objectContaining({ kind }) as Error);
  });

  test('all files together have a maximum, in every overlay, and what shrinks is always possible', async () => {
    const fs = new InMemoryFilesystem({ files: { a: 'x'.repeat(500) }, maxSize: 1_000 });
    const overlay = fs.begin();
    await overlay.write('b', 'y'.repeat(290));
    const full = { kind: 'invalidPath', message: expect.stringContaining('more than the 1,000 characters') as string };
    for (const act of [
      () => overlay.write('c', ''),
      () => overlay.write('a', 'z'.repeat(600)),
      () => overlay.write('b', 'z'.repeat(20), { mode: 'append' }),
      () => overlay.edit('b', 'y', 'yy', { replaceAll: true }),
      () => overlay.mkdir('d'),
      () => fs.write('d/e', 'x'.repeat(200)),
    ])
      await expect(act()).rejects.toMatchObject(full);
    expect({ ...overlay.files() }).toEqual({ a: 'x'.repeat(500), b: 'y'.repeat(290) });
    await overlay.write('a', '');
    await overlay.write('c', '');
    await overlay.delete('b');
    await overlay.mkdir('d');
    fs.commit(overlay);
    expect(await fs.list()).toMatchObject([{ name: 'a' }, { name: 'c' }, { name: 'd' }]);
    const small = (): unknown => new InMemoryFilesystem({ files: { a: 'x', b: 'y' }, maxSize: 150 });
    expect(small).toThrow(/"b" the files would have more than the 150 characters/);
  });

  test('files that are more than the maximum, from a snapshot of others, may still shrink', async () => {
    const large = new InMemoryFilesystem({ files: { a: 'x'.repeat(900) } });
    const fs = new InMemoryFilesystem({ maxSize: 500 });
    await fs.restore(await large.snapshot());
    await fs.write('a', 'x'.repeat(600));
    await expect(fs.write('a', 'x'.repeat(601))).rejects.toMatchObject({ kind: 'invalidPath' });
    expect({ ...fs.files() }).toEqual({ a: 'x'.repeat(600) });
  });

  test('FS-05 names that look alike are different files', async () => {
    const names = ['Caf\u00e9', 'Cafe\u0301', 'café', 'CAFÉ'];
    const fs = new InMemoryFilesystem({ files: Object.fromEntries(names.map((name) => [name, name])) });
    expect(await fs.list()).toHaveLength(new Set(names).size);
    for (const name of names) expect((await fs.read(name)).content).toBe(name);
  });

  test('a snapshot cannot be changed, forged or copied', async () => {
    const fs = new InMemoryFilesystem({ files: { a: '1' } });
    const snapshot = await fs.snapshot();
    expect(Object.isFrozen(snapshot)).toBe(true);
    expect(snapshot).toEqual({ filesystem: 'InMemoryFilesystem' });
    await expect(fs.restore({ ...snapshot })).rejects.toMatchObject({ name: 'ResourceError', code: 'E905' });
    const other = new InMemoryFilesystem();
    await other.restore(snapshot);
    expect({ ...other.files() }).toEqual({ a: '1' });
  });

  test('a method that refuses returns a promise that is rejected, and does not throw', async () => {
    const fs = new InMemoryFilesystem();
    const promise = fs.read('\0');
    await expect(promise).rejects.toBeInstanceOf(FilesystemError);
  });
});

describe('size', () => {
  const many = Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`wide/${String(index)}`, 'x']));
  const fs = new InMemoryFilesystem({ files: many });

  test('the size does not matter to overlays and snapshots', async () => {
    const started = performance.now();
    for (let call = 0; call < 2_000; call++) {
      const overlay = fs.begin();
      await overlay.write(`wide/${String(call)}`, 'y');
      await overlay.snapshot();
      // Each second one is done again, since the base has moved.
      if (call % 2 === 0) await fs.write('wide/0', String(call));
      else expect(fs.conflicts(overlay)).toBe(false);
      fs.commit(overlay);
    }
    // A copy of the directory for each would take ten seconds and more.
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  test('the size of a file does not matter to its pages', async () => {
    const lines = 200_000;
    const text = `${'line\n'.repeat(lines)}last`;
    await fs.write('long', text);
    const started = performance.now();
    expect(await fs.read('long', { offset: lines })).toMatchObject({ content: 'last', totalLines: lines + 1 });
    for (let page = 0; page < 100; page++) await fs.read('long', { offset: page * 2_000 });
    expect(performance.now() - started).toBeLessThan(3_000);
    expect(await fs.grep('last')).toMatchObject([{ path: 'long', line: lines + 1 }]);
  });

  test('the length of a path does not matter', async () => {
    const deep = 'd/'.repeat(2_000);
    await fs.write(`${deep}f`, 'x');
    expect(await fs.glob('**/f')).toEqual([`${deep}f`]);
    await fs.delete('d', { recursive: true });
  });
});
