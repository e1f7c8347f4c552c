import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HostFilesystem } from '../../src/HostFilesystem';
import { GitConversation } from '../../src/host/GitConversation';
import { HostEntry } from '../../src/host/HostEntry';
import { encodeHostName } from '../../src/host/hostName';
import { appendText, createText } from '../../src/host/writeEntries';
import { refusalOf } from '../../../../spec/resource/filesystem/contract/support';
import { diskTree } from './diskTree';
import { Folders } from './folders';

const folders = new Folders();
const { PATH } = process.env;
afterEach(async () => {
  process.env['PATH'] = PATH;
  jest.restoreAllMocks();
  await folders.remove();
});

const failure = (code: string): Error => Object.assign(new Error(`${code}: no`), { code, syscall: 'open' });

describe('an error of the host', () => {
  test.each([
    ...['EACCES', 'EPERM', 'EROFS', 'ENAMETOOLONG'].map((code) => [code, `the system denies it (${code})`]),
    ...['ENOENT', 'ENOTDIR', 'EISDIR', 'EEXIST', 'ENOTEMPTY', 'ELOOP', 'EINVAL', 'EXDEV'].map((code) => [
      code,
      'was changed concurrently',
    ]),
  ] as [string, string][])('%s is a refusal with what to do', async (code, problem) => {
    const fs = await folders.open(undefined, { snapshots: false });
    jest.spyOn(HostEntry.prototype, 'reopen').mockRejectedValueOnce(failure(code));
    const error = await refusalOf(fs.read('a'));
    expect(error).toMatchObject({ kind: 'invalidPath', path: 'a' });
    expect(error.message).toContain(problem);
  });

  const methods: Readonly<Record<string, (fs: HostFilesystem) => Promise<unknown>>> = {
    read: (fs) => fs.read('a'),
    write: (fs) => fs.write('a', ''),
    edit: (fs) => fs.edit('a', 'x', 'y'),
    list: (fs) => fs.list('a'),
    stat: (fs) => fs.stat('a'),
    exists: (fs) => fs.exists('a'),
    delete: (fs) => fs.delete('a'),
    mkdir: (fs) => fs.mkdir('a'),
    glob: (fs) => fs.glob('*'),
    grep: (fs) => fs.grep('x'),
  };
  test.each(Object.entries(methods))(
    'E907 any other error of the host is a fault of the host, in %s',
    async (method, act) => {
      const fs = await folders.open(undefined, { snapshots: false });
      const cause = failure('EIO');
      jest.spyOn(HostEntry.prototype, 'reopen').mockRejectedValueOnce(cause);
      await expect(act(fs)).rejects.toMatchObject({ code: 'E907', place: `HostFilesystem.${method}`, cause });
    },
  );
});

describe('entries that come and go meanwhile', () => {
  test('an entry that is gone before it is looked at is not listed', async () => {
    // The descriptor with which the kernel lists its own folder is closed before its entry is looked at.
    const fs = await folders.open('/proc/self/fd', { snapshots: false });
    expect((await fs.list()).length).toBeGreaterThan(0);
  });

  test('a directory that is gone before a search enters it is skipped', async () => {
    const fs = await folders.open(undefined, { snapshots: false });
    await fs.write('d/a', 'x');
    await fs.write('e/a', 'x');
    jest.spyOn(HostEntry.prototype, 'child').mockResolvedValueOnce(undefined);
    expect(await fs.glob('**')).toEqual(['e/a']);
  });

  test('a file that is gone before a snapshot opens it is not in the snapshot', async () => {
    const fs = await folders.open();
    await fs.write('a', 'x');
    jest.spyOn(HostEntry.prototype, 'child').mockResolvedValueOnce(undefined);
    const snapshot = await fs.snapshot();
    await fs.restore(snapshot);
    expect(await fs.glob('**')).toEqual([]);
  });

  test('a directory that is made by others just before it would be is used', async () => {
    const fs = await folders.open(undefined, { snapshots: false });
    jest.spyOn(HostEntry.prototype, 'makeDirectory').mockImplementationOnce(async () => {
      mkdirSync(join(fs.root, 'd'));
      throw failure('EEXIST');
    });
    await fs.write('d/a', 'x');
    expect(Object.keys(diskTree(fs.root))).toEqual(['d', 'd/a']);
  });
});

describe('a write that fails', () => {
  test('a write that fails leaves no file under the name that it was to create', async () => {
    const root = await folders.folder();
    const directory = await HostEntry.openRoot(root);
    const cause = failure('ENOSPC');
    jest.spyOn(directory, 'rename').mockRejectedValueOnce(cause);
    await expect(createText(directory, encodeHostName('a'), 'x')).rejects.toBe(cause);
    await directory.close();
    expect(diskTree(root)).toEqual({});
  });

  test.each([
    ['EPERM', 'resolves', 'xy'],
    ['EIO', 'rejects', 'x'],
  ] as const)('appending where setuid cannot be taken away: %s %s', async (code, ending, text) => {
    const root = await folders.folder();
    writeFileSync(join(root, 'a'), 'x');
    chmodSync(join(root, 'a'), 0o4755);
    const directory = await HostEntry.openRoot(root);
    const file = (await directory.child(encodeHostName('a')))!;
    const handle = await file.openToAppend();
    jest.spyOn(handle, 'chmod').mockRejectedValueOnce(failure(code));
    jest.spyOn(file, 'openToAppend').mockResolvedValueOnce(handle);
    const appending = appendText(file, 'y');
    if (ending === 'resolves') await appending;
    else await expect(appending).rejects.toMatchObject({ code });
    for (const each of [file, directory]) await each.close();
    expect(readFileSync(join(root, 'a'), 'utf8')).toBe(text);
  });
});

describe('a conversation with git', () => {
  const begun: GitConversation[] = [];
  afterEach(() => Promise.allSettled(begun.splice(0).map((git) => git.end())));

  /** A program in the place of git. */
  async function conversation(script: string): Promise<GitConversation> {
    const bin = await folders.folder();
    writeFileSync(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    process.env['PATH'] = `${bin}:${String(PATH)}`;
    const git = new GitConversation(bin, []);
    begun.push(git);
    return git;
  }

  test('an answer that comes in parts is put together, and the next one begins after it', async () => {
    const git = await conversation("printf on; sleep 0.1; printf 'e\\ntwo\\n'; cat > /dev/null");
    expect([await git.ask('1'), await git.ask('2')]).toEqual(['one', 'two']);
    await git.end();
  });

  test('E907 a git process that ends without an answer is reported, also when it has stopped listening before', async () => {
    const git = await conversation('exec 0<&-; echo deaf; sleep 0.3');
    expect(await git.ask('1')).toBe('deaf');
    await expect(git.ask('2')).rejects.toMatchObject({
      code: 'E907',
      message: expect.stringContaining('git failed: it ended before it had answered') as string,
    });
    await git.end();
  });
});
