import { open, type FileHandle } from 'node:fs/promises';
import { host } from '../../common/builtins.js';

/** Writes the bytes in one go: a second write might come after what another process has written meanwhile. */
export async function writeWhole(handle: FileHandle, bytes: Buffer): Promise<void> {
  const { bytesWritten } = await handle.write(bytes);
  if (bytesWritten === bytes.length) return;
  throw new Error(`only ${String(bytesWritten)} of ${String(bytes.length)} bytes were written`);
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
