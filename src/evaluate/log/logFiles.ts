import { constants } from 'node:fs';
import { open, stat, unlink, type FileHandle } from 'node:fs/promises';
import { host } from '../../common/builtins.js';
import { isAbsent, logFault } from './logFault.js';

const UPDATE = constants.O_RDWR | constants.O_APPEND;
const flags = { reading: constants.O_RDONLY, existing: UPDATE, new: UPDATE | constants.O_CREAT } as const;

/** Opens a file, readable for its owner only if it is new; undefined if there is none. */
export async function openFile(path: string, purpose: keyof typeof flags): Promise<FileHandle | undefined> {
  try {
    return await open(path, flags[purpose], 0o600);
  } catch (error) {
    if (isAbsent(error)) return undefined;
    throw error;
  }
}

/** Returns false if there was none. */
export async function removeFile(path: string): Promise<boolean> {
  try {
    await unlink(path);
    return true;
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** True for a file that exists, and was last written to before a time. */
export async function isOlder(path: string, time: Date): Promise<boolean> {
  try {
    return (await stat(path)).mtimeMs < time.getTime();
  } catch (error) {
    if (isAbsent(error)) return false;
    throw error;
  }
}

/** The first bytes of a file. */
export async function startOf(handle: FileHandle, length: number): Promise<Buffer> {
  const { bytesRead, buffer } = await handle.read({ buffer: Buffer.alloc(length), position: 0 });
  return buffer.subarray(0, bytesRead);
}

/** Writes the bytes in one go: a second write might come after what another process has written meanwhile. */
export async function writeWhole(path: string, handle: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten === bytes.length) return;
  throw logFault(`only ${String(bytesWritten)} of ${String(bytes.length)} bytes were written`, {
    place: path,
    remedy: 'Make room on the disk, and append again: an append that is repeated is in the log once.',
  });
}

/** Resolves once everything written to the file would survive a loss of power. */
export async function sync(handle: FileHandle): Promise<void> {
  await handle.datasync();
}

/** Makes the names in a folder survive a loss of power. Windows does so by itself, and opens no folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (host.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
