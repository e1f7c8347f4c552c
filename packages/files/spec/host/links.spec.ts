import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { HostFilesystem } from '../../src/HostFilesystem';
import { HostEntry } from '../../src/host/HostEntry';
import { encodeHostName } from '../../src/host/hostName';
import { createText, writeText } from '../../src/host/writeEntries';
import { clearDirectory } from '../../src/host/removeEntry';
import { expectRefusal, refusalOf } from '../../../../spec/resource/filesystem/contract/support';
import { diskTree } from './diskTree';
import { Folders } from './folders';

const folders = new Folders();
afterEach(() => folders.remove());

/** Every method that takes a path. */
const operations = (fs: HostFilesystem, path: string): readonly Promise<unknown>[] => [
  fs.read(path),
  fs.write(path, 'ours'),
  fs.write(path, 'ours', { mode: 'append' }),
  fs.write(path, 'ours', { mode: 'create' }),
  fs.edit(path, 'secret', 'ours'),
  fs.list(path),
  fs.stat(path),
  fs.exists(path),
  fs.delete(path),
  fs.delete(path, { recursive: true }),
  fs.mkdir(path),
  fs.glob('**', { path }),
  fs.grep('secret', { path }),
];

async function outside(): Promise<string> {
  const folder = await folders.folder();
  mkdirSync(join(folder, 'd'));
  writeFileSync(join(folder, 'secret'), 'secret');
  writeFileSync(join(folder, 'd/secret'), 'secret');
  return folder;
}

describe('links', () => {
  test('FS-02 lead nowhere, at no place of a path', async () => {
    const [root, other] = [await folders.folder(), await outside()];
    symlinkSync(other, join(root, 'directory'));
    symlinkSync(join(other, 'secret'), join(root, 'file'));
    symlinkSync('/dev/zero', join(root, 'zero'));
    symlinkSync('gone', join(root, 'broken'));
    symlinkSync('.', join(root, 'itself'));
    const before = [diskTree(root), diskTree(other)];
    const fs = await folders.open(root);
    for (const path of [
      'directory',
      'file',
      'zero',
      'broken',
      'itself',
      'directory/secret',
      'directory/new',
      'directory/d/secret',
      'itself/x',
    ]) {
      for (const error of await Promise.all(operations(fs, path).map(refusalOf))) {
        expect(error).toMatchObject({ kind: 'invalidPath', path });
        expect(error.message).toContain('symbolic link');
      }
    }
    expect([diskTree(root), diskTree(other)]).toEqual(before);
  });

  test('FS-02 links are listed as neither file nor directory, and searches skip them', async () => {
    const [root, other] = [await folders.folder(), await outside()];
    symlinkSync(other, join(root, 'directory'));
    symlinkSync(join(other, 'secret'), join(root, 'file'));
    const fs = await folders.open(root);
    expect(await fs.list()).toEqual([
      { name: 'directory', path: 'directory', isFile: false, isDirectory: false },
      { name: 'file', path: 'file', isFile: false, isDirectory: false },
    ]);
    expect(await fs.glob('**')).toEqual([]);
    expect(await fs.grep('secret')).toEqual([]);
  });

  test('FS-02 links go with their directory, and what they lead to stays', async () => {
    const [root, other] = [await folders.folder(), await outside()];
    mkdirSync(join(root, 'a'));
    symlinkSync(other, join(root, 'a/directory'));
    symlinkSync(join(other, 'secret'), join(root, 'a/file'));
    const before = diskTree(other);
    const fs = await folders.open(root);
    await fs.delete('a', { recursive: true });
    expect(diskTree(root)).toEqual({});
    expect(diskTree(other)).toEqual(before);
  });

  test('FS-02 links that replace a directory after it was opened change nothing: the operation stays in the directory', async () => {
    const [root, other] = [await folders.folder(), await outside()];
    mkdirSync(join(root, 'd/below'), { recursive: true });
    writeFileSync(join(root, 'd/below/x'), '');
    const entry = await HostEntry.openRoot(root);
    const directory = (await entry.child(encodeHostName('d')))!;
    renameSync(join(root, 'd'), join(root, 'moved'));
    symlinkSync(other, join(root, 'd'));
    const before = diskTree(other);

    expect((await directory.listChildren()).map(({ name }) => name)).toEqual(['below']);
    expect(await directory.child(encodeHostName('secret'))).toBeUndefined();
    await createText(directory, encodeHostName('secret'), 'ours');
    await directory.makeDirectory(encodeHostName('new'));
    expect(Object.keys(diskTree(join(root, 'moved')))).toEqual(['below', 'below/x', 'new', 'secret']);
    await clearDirectory(directory);
    expect(diskTree(join(root, 'moved'))).toEqual({});
    expect(diskTree(other)).toEqual(before);
    for (const each of [directory, entry]) await each.close();
  });

  test('FS-02 links that replace a file are replaced, not written through', async () => {
    const [root, other] = [await folders.folder(), await outside()];
    symlinkSync(join(other, 'secret'), join(root, 'a'));
    const directory = await HostEntry.openRoot(root);
    await writeText(directory, encodeHostName('a'), 'ours', undefined);
    await directory.close();
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe('ours');
    expect(readFileSync(join(other, 'secret'), 'utf8')).toBe('secret');
  });

  test('FS-02 the root stays the same, though a link is at its path now', async () => {
    const [above, other] = [await folders.folder(), await outside()];
    mkdirSync(join(above, 'root'));
    symlinkSync(join(above, 'root'), join(above, 'way'));
    const fs = await folders.open(join(above, 'way'));
    expect(fs.root).toBe(join(above, 'root'));
    renameSync(join(above, 'root'), join(above, 'moved'));
    symlinkSync(other, join(above, 'root'));
    expect(await fs.list()).toEqual([]);
    await fs.write('a', 'ours');
    expect(readFileSync(join(above, 'moved/a'), 'utf8')).toBe('ours');
    expect(diskTree(other)).not.toHaveProperty('a');
  });
});

test('FS-03 a folder whose name begins like that of the root is outside', async () => {
  const above = await folders.folder();
  mkdirSync(join(above, 'app'));
  mkdirSync(join(above, 'app-secret'));
  writeFileSync(join(above, 'app-secret/x'), 'secret');
  const fs = await folders.open(join(above, 'app'));
  for (const path of ['../app-secret/x', '-secret/x', join(above, 'app-secret/x'), '../../app-secret/x'])
    expect((await refusalOf(fs.read(path))).kind).toBe('notFound');
  await fs.write('../app-secret/x', 'ours');
  expect(readFileSync(join(above, 'app-secret/x'), 'utf8')).toBe('secret');
  expect(await fs.glob('**')).toEqual(['app-secret/x']);
});

test('FS-02 a file with several hard links is read, and not written', async () => {
  const [root, other] = [await folders.folder(), await outside()];
  linkSync(join(other, 'secret'), join(root, 'a'));
  const fs = await folders.open(root);
  expect((await fs.read('a')).content).toBe('secret');
  for (const mode of ['overwrite', 'append', 'create'] as const)
    await expectRefusal(fs.write('a', 'ours', { mode }), 'invalidPath', 'a');
  await expectRefusal(fs.edit('a', 'secret', 'ours'), 'invalidPath', 'a');
  expect((await refusalOf(fs.write('a', 'ours'))).message).toContain('hard links');
  expect(readFileSync(join(other, 'secret'), 'utf8')).toBe('secret');
  const snapshot = await fs.snapshot();
  await fs.delete('a');
  await fs.restore(snapshot);
  expect((await fs.read('a')).content).toBe('secret');
  expect(readFileSync(join(other, 'secret'), 'utf8')).toBe('secret');
});

test('FS-02 restoring changes no file that has a name outside, not even its permissions', async () => {
  const [root, other] = [await folders.folder(), await outside()];
  writeFileSync(join(root, 'a'), 'secret', { mode: 0o600 });
  const fs = await folders.open(root);
  const before = diskTree(root);
  const snapshot = await fs.snapshot();
  chmodSync(join(other, 'secret'), 0o644);
  rmSync(join(root, 'a'));
  linkSync(join(other, 'secret'), join(root, 'a'));
  await fs.restore(snapshot);
  expect(diskTree(root)).toEqual(before);
  expect(statSync(join(other, 'secret')).mode & 0o777).toBe(0o644);
});
