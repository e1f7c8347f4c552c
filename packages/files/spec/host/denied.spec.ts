import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from 'toolwright';
import { BlobCache } from '../../src/host/BlobCache';
import { GitBlobs } from '../../src/host/GitBlobs';
import { HostEntry } from '../../src/host/HostEntry';
import { makePrivateRepository } from '../../src/host/makePrivateRepository';
import { restoreTree } from '../../src/host/restoreTree';
import { takeTree } from '../../src/host/takeTree';
import { refusalOf } from '../../../../spec/resource/filesystem/contract/support';
import { Folders } from './folders';

const folders = new Folders();
afterEach(() => folders.remove());

describe('access that the host denies', () => {
  // The kernel's own files deny this to every user.
  test('a change that the host denies becomes a refusal that says so', async () => {
    const fs = await folders.open('/proc/self', { snapshots: false });
    const error = await refusalOf(fs.delete('comm'));
    expect(error).toMatchObject({ kind: 'invalidPath', path: 'comm' });
    expect(error.message).toContain('denies it (EPERM)');
  });

  test('a denial without a path to blame counts as a fault of the host', async () => {
    const fs = await folders.open('/proc/self', { snapshots: false });
    await expect(fs.read('mem')).rejects.toMatchObject({
      name: 'ResourceError',
      code: 'E907',
      place: 'HostFilesystem.read',
    });
  });
});

describe('a file that may not be read', () => {
  const denied = Object.assign(new Error('EACCES: permission denied, open'), { code: 'EACCES', syscall: 'open' });

  /** As git would do it, but for the files called so. */
  class DeniedBlobs extends GitBlobs {
    denied: readonly bigint[] = [];

    override async keep(file: HostEntry): Promise<string> {
      if (this.denied.includes(file.stats.ino)) throw denied;
      return super.keep(file);
    }
  }

  async function opened(): Promise<{ root: string; entry: HostEntry; blobs: DeniedBlobs; ino: bigint }> {
    const root = await folders.folder();
    mkdirSync(join(root, 'd'));
    writeFileSync(join(root, 'd/a'), 'x');
    const entry = await HostEntry.openRoot(root);
    const repository = await makePrivateRepository(root, await folders.folder());
    const blobs = new DeniedBlobs(repository, new BlobCache(systemClock));
    const directory = await HostEntry.openRoot(join(root, 'd'));
    const [file] = await directory.listChildren();
    await directory.close();
    return { root, entry, blobs, ino: file!.stats.ino };
  }

  test('a file that may not be read stops a snapshot, which names it', async () => {
    const { entry, blobs, ino } = await opened();
    blobs.denied = [ino];
    const error: unknown = await takeTree(entry, blobs).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'ResourceError', code: 'E907', cause: denied });
    expect(String(error)).toContain('"d/a" cannot be kept in a snapshot: EACCES');
    await blobs.end();
    await entry.close();
  });

  test('a file that may not be read is restored all the same', async () => {
    const { root, entry, blobs, ino } = await opened();
    const kept = await takeTree(entry, blobs);
    writeFileSync(join(root, 'd/a'), 'y');
    blobs.denied = [ino];
    await restoreTree(entry, kept, blobs);
    expect(readFileSync(join(root, 'd/a'), 'utf8')).toBe('x');
    await blobs.end();
    await entry.close();
  });
});
