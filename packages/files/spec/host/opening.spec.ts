import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ResourceError } from 'toolwright/resources';
import { HostFilesystem, type HostFilesystemOptions } from '../../src/HostFilesystem';
import { Folders } from './folders';

const folders = new Folders();
const { PATH } = process.env;
const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
afterEach(async () => {
  process.env['PATH'] = PATH;
  Object.defineProperty(process, 'platform', platform);
  await folders.remove();
});

async function refusalOf(root: string, options?: HostFilesystemOptions): Promise<ResourceError> {
  const error: unknown = await folders.open(root, options).catch((thrown: unknown) => thrown);
  if (!(error instanceof ResourceError)) throw error;
  expect(error.code).toBe('E906');
  expect(error.message).toContain(JSON.stringify(root));
  expect(error.message).toContain(error.remedy);
  return error;
}

const descriptors = (): number => readdirSync('/proc/self/fd').length;

describe('a folder cannot be opened', () => {
  test('a path that does not exist, or is no folder, cannot be opened', async () => {
    const root = await folders.folder();
    writeFileSync(join(root, 'file'), '');
    symlinkSync('gone', join(root, 'link'));
    const before = descriptors();
    for (const name of ['q', 'file', 'link', 'file/x']) await refusalOf(join(root, name));
    expect(descriptors()).toBe(before);
  });

  test('a folder cannot be opened without git, unless snapshots are disabled', async () => {
    const [root, kept] = [await folders.folder(), await folders.folder()];
    process.env['PATH'] = '';
    const before = descriptors();
    const error = await refusalOf(root, { gitFolder: kept });
    expect(error.message).toContain('git, which keeps the snapshots, cannot be run');
    expect(error.remedy).toContain('{ snapshots: false }');
    expect(readdirSync(kept)).toEqual([]);
    expect(descriptors()).toBe(before);
    const fs = await folders.open(root, { snapshots: false });
    await fs.write('a', 'x');
    for (const refused of [fs.snapshot(), fs.restore({ filesystem: 'HostFilesystem' })])
      await expect(refused).rejects.toMatchObject({ name: 'ResourceError', code: 'E907' });
    expect((await fs.read('a')).content).toBe('x');
  });

  test('a folder cannot be opened with a git that does not work', async () => {
    const [root, bin] = [await folders.folder(), await folders.folder()];
    writeFileSync(join(bin, 'git'), '#!/bin/sh\necho "out of order" >&2\nexit 3\n');
    chmodSync(join(bin, 'git'), 0o755);
    process.env['PATH'] = `${bin}:${String(PATH)}`;
    expect((await refusalOf(root)).message).toContain('out of order');
  });

  test('a folder cannot be opened when its snapshots would be inside it, or have no place', async () => {
    const root = await folders.folder();
    mkdirSync(join(root, 'd'));
    for (const gitFolder of [root, join(root, 'd'), join(root, 'd/..')])
      expect((await refusalOf(root, { gitFolder })).message).toContain('is inside the folder');
    expect((await refusalOf('/')).remedy).toContain('{ gitFolder }');
    expect((await refusalOf(root, { gitFolder: join(root, 'q') })).message).toContain('cannot be kept');
    expect(readdirSync(root)).toEqual(['d']);
  });

  test('a folder cannot be opened on other systems than Linux', async () => {
    const root = await folders.folder();
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    const error = await refusalOf(root);
    expect(error.message).toContain('darwin');
    expect(error.remedy).toContain('InMemoryFilesystem');
  });
});

describe('git', () => {
  test("git's folder is private: at the given place, readable for the owner only, and removed", async () => {
    const [root, kept] = [await folders.folder(), await folders.folder()];
    const fs = await folders.open(root, { gitFolder: kept });
    await fs.write('a', 'x');
    await fs.snapshot();
    expect(readdirSync(kept)).toHaveLength(1);
    expect(readdirSync(root)).toEqual(['a']);
    await fs.close();
    expect(readdirSync(kept)).toEqual([]);
  });

  test('the repository is created beside other temporary files by default', async () => {
    const repositories = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith('toolwright-git-'));
    const before = new Set(repositories());
    const fs = await folders.open();
    // Other tests may run at the same time.
    const come = repositories().filter((name) => !before.has(name));
    expect(come.length).toBeGreaterThan(0);
    await fs.close();
    expect(repositories().filter((name) => come.includes(name)).length).toBeLessThan(come.length);
  });

  test('the repository ignores the settings of the user, and calls no hooks', async () => {
    const [root, home] = [await folders.folder(), await folders.folder()];
    const marker = join(home, 'called');
    mkdirSync(join(home, 'template/hooks'), { recursive: true });
    writeFileSync(
      join(home, '.gitconfig'),
      `[init]\n\ttemplateDir = ${home}/template\n[core]\n\tautocrlf = input\n\tfsmonitor = touch ${marker}\n[broken\n`,
    );
    const before = { ...process.env };
    Object.assign(process.env, {
      HOME: home,
      GIT_DIR: join(home, 'other'),
      GIT_OBJECT_DIRECTORY: join(home, 'objects'),
    });
    try {
      const fs = await folders.open(root);
      await fs.write('a', 'x\r\n');
      const snapshot = await fs.snapshot();
      await fs.write('a', 'y');
      await fs.restore(snapshot);
      expect((await fs.read('a')).content).toBe('x\r');
    } finally {
      process.env = before;
    }
    expect(existsSync(marker)).toBe(false);
    expect(readdirSync(home).sort()).toEqual(['.gitconfig', 'template']);
  });
});

describe('closing', () => {
  test('closing waits for operations that have begun, refuses later ones, and leaves nothing open', async () => {
    const root = await folders.folder();
    writeFileSync(join(root, 'a'), 'x\n'.repeat(100_000));
    const before = descriptors();
    const fs = await HostFilesystem.open(root);
    const begun = [fs.read('a'), fs.write('b', 'x'), fs.snapshot(), fs.grep('y'), fs.write('c/d', 'x')];
    const closed = fs.close();
    await expect(fs.read('a')).rejects.toMatchObject({ name: 'ResourceError', code: 'E907' });
    await expect(fs.write('a', '')).rejects.toMatchObject({ code: 'E907' });
    await expect(fs.snapshot()).rejects.toMatchObject({ code: 'E907' });
    await Promise.all([closed, fs.close()]);
    expect(await Promise.allSettled(begun)).toEqual(
      begun.map(() => expect.objectContaining({ status: 'fulfilled' }) as unknown),
    );
    expect(readdirSync(root).sort()).toEqual(['a', 'b', 'c']);
    expect(descriptors()).toBe(before);
  });

  test('no operation leaves a descriptor, refused ones included', async () => {
    const root = await folders.folder();
    symlinkSync('/etc', join(root, 'link'));
    writeFileSync(join(root, 'binary'), '\0');
    const fs = await folders.open(root);
    const before = descriptors();
    const snapshot = await fs.snapshot();
    await fs.write('a/b/c', 'x');
    await Promise.allSettled([
      fs.read('link/passwd'),
      fs.read('binary'),
      fs.read('a'),
      fs.write('a/b', 'x'),
      fs.write('a/b/c/d', 'x'),
      fs.write('q/r', 'x', { createParents: false }),
      fs.edit('a/b/c', 'q', 'r'),
      fs.list('a/b/c'),
      fs.delete('a'),
      fs.mkdir('a/b/c'),
      fs.glob('[', {}),
      fs.grep('x', { maxMatches: 1 }),
      fs.delete('link'),
    ]);
    await fs.restore(snapshot);
    expect(descriptors()).toBe(before);
  });

  test('the methods that change nothing are listed in `reads`', async () => {
    expect((await folders.open()).reads).toEqual(['read', 'list', 'stat', 'exists', 'glob', 'grep']);
  });
});
