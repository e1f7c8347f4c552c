import type { FileHandle } from 'node:fs/promises';
import { isErrno } from './errno.js';
import type { HostEntry } from './HostEntry.js';
import { createTemporaryName, type HostName } from './hostName.js';

/** The bits set-user-id and set-group-id. A write must clear them, or a program with its owner's rights would no longer be the owner's. */
const SET_ID = 0o6000;

/** The mode of new files, before the process's umask is applied. */
const NEW_FILE = 0o666;

/**
 * Replaces the file with a name atomically: a reader finds the old file or the complete new one. A link is replaced, not followed. On
 * failure, nothing is changed.
 *
 * @param fill writes the content
 * @param mode the permissions; the permissions of a new file by default
 */
export async function replaceFile(
  directory: HostEntry,
  name: HostName,
  fill: (file: FileHandle) => Promise<unknown>,
  mode?: number,
): Promise<void> {
  await replaceEntry(directory, name, async (temporary) => {
    const file = await directory.create(temporary, mode ?? NEW_FILE);
    try {
      await fill(file);
      // The mode is set again, because the umask of the process was applied at creation.
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
  });
}

/** Writes a text to a file. The permissions of a replaced file are kept. */
export async function writeText(
  directory: HostEntry,
  name: HostName,
  text: string,
  replaced: HostEntry | undefined,
): Promise<void> {
  // Replacing a file does not require permission to write it, so the permission is checked here.
  await replaced?.openToAppend().then((file) => file.close());
  const mode = replaced === undefined ? undefined : replaced.mode & ~SET_ID;
  await replaceFile(directory, name, (file) => file.writeFile(text), mode);
}

/** Appends a text to a file. The file keeps its permissions, except set-user-id and set-group-id. */
export async function appendText(file: HostEntry, text: string): Promise<void> {
  const handle = await file.openToAppend();
  try {
    if ((file.mode & SET_ID) !== 0) await clearSetId(handle, file.mode);
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Clears set-user-id and set-group-id. The system clears them at a write, except for a privileged process. */
async function clearSetId(handle: FileHandle, mode: number): Promise<void> {
  try {
    await handle.chmod(mode & ~SET_ID);
  } catch (error) {
    // The file belongs to another user, so this process is not privileged.
    if (!isErrno(error, 'EPERM')) throw error;
  }
}

/** Writes a text to a new file. @throws an error of the host: EEXIST if the file exists */
export async function createText(directory: HostEntry, name: HostName, text: string): Promise<void> {
  // The name is reserved first, because writing atomically would replace an existing file.
  await (await directory.create(name, NEW_FILE)).close();
  try {
    await writeText(directory, name, text, undefined);
  } catch (error) {
    await directory.removeFile(name);
    throw error;
  }
}

/** Replaces the entry with a name by a link, atomically. */
export async function replaceLink(directory: HostEntry, name: HostName, target: HostName): Promise<void> {
  await replaceEntry(directory, name, (temporary) => directory.makeLink(temporary, target));
}

async function replaceEntry(
  directory: HostEntry,
  name: HostName,
  make: (temporary: HostName) => Promise<void>,
): Promise<void> {
  const temporary = createTemporaryName();
  try {
    await make(temporary);
    await directory.rename(temporary, name);
  } catch (error) {
    // The temporary entry may not exist yet; only the first error matters.
    await directory.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}
