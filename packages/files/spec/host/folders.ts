import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostFilesystem, type HostFilesystemOptions } from '../../src/HostFilesystem';

/** Folders and filesystems of one test, gone after it. */
export class Folders {
  readonly #folders: string[] = [];
  readonly #open: HostFilesystem[] = [];

  /** A new, empty folder. */
  async folder(): Promise<string> {
    const path = await realpath(await mkdtemp(join(tmpdir(), 'toolwright-host-')));
    this.#folders.push(path);
    return path;
  }

  /** A filesystem on a folder, a new one when none is named. */
  async open(folder?: string, options?: HostFilesystemOptions): Promise<HostFilesystem> {
    const fs = await HostFilesystem.open(folder ?? (await this.folder()), options);
    this.#open.push(fs);
    return fs;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#open.splice(0).map((fs) => fs.close()));
    for (const folder of this.#folders.splice(0)) await rm(folder, { recursive: true, force: true });
  }
}
