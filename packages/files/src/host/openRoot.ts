import { realpath } from 'node:fs/promises';
import { host, messageOf } from 'toolwright/internal/light';
import { HostEntry } from './HostEntry.js';
import { hostRefusals } from './hostRefusals.js';

/** The root folder of a filesystem. */
export interface HostRoot {
  /** Its real path at the time of opening. */
  readonly path: string;
  readonly entry: HostEntry;
}

/** Opens a folder. Links in its path are followed. @throws ResourceError E906 */
export async function openRoot(folder: string): Promise<HostRoot> {
  if (host.platform !== 'linux')
    throw hostRefusals.notOpened(
      folder,
      `it needs Linux, and this is ${host.platform}`,
      'Run the process in a Linux container or virtual machine, or use InMemoryFilesystem.',
    );
  try {
    const path = await realpath(folder);
    const entry = await HostEntry.openRoot(path);
    return { path, entry: await checkProc(entry) };
  } catch (cause) {
    throw hostRefusals.notOpened(folder, messageOf(cause), 'Name a directory that exists, with /proc mounted.', cause);
  }
}

/** Checks that /proc is available, through which entries are reached by their descriptors. */
async function checkProc(entry: HostEntry): Promise<HostEntry> {
  try {
    await (await entry.reopen()).close();
    return entry;
  } catch (error) {
    await entry.close();
    throw error;
  }
}
