import type { FileHandle } from 'node:fs/promises';
import type { HostEntry } from './HostEntry.js';
import { temporaryName, type HostName } from './hostName.js';

/** Bits that a write must not pass on: what runs with the rights of its owner is no longer what the owner wrote. */
const SET_ID = 0o6000;

/** As for any new file; the process's own mask is taken off. */
const NEW_FILE = 0o666;

/**
 * Puts a file at a name, in one step: a reader finds the old one or the whole new one, and a link at the name is replaced,
 * not followed. If it fails, everything is as before.
 *
 * @param fill writes the content
 * @param mode the permissions; those of any new file when left out
 */
export async function putFile(
  directory: HostEntry,
  name: HostName,
  fill: (file: FileHandle) => Promise<unknown>,
  mode?: number,
): Promise<void> {
  await put(directory, name, async (temporary) => {
    const file = await directory.create(temporary, mode ?? NEW_FILE);
    try {
      await fill(file);
      // Exactly: of the mode of a new file, the process's mask has been taken off.
      if (mode !== undefined) await file.chmod(mode);
    } finally {
      await file.close();
    }
  });
}

/** Writes a text to a file, new or in place of one whose permissions it keeps. */
export async function putText(
  directory: HostEntry,
  name: HostName,
  text: string,
  replaced: HostEntry | undefined,
): Promise<void> {
  // To replace a file takes no right to write it; a file that is read-only stays so all the same.
  await replaced?.openToAppend().then((file) => file.close());
  const mode = replaced === undefined ? undefined : replaced.mode & ~SET_ID;
  await putFile(directory, name, (file) => file.writeFile(text), mode);
}

/** Adds a text to the end of a file. */
export async function appendText(file: HostEntry, text: string): Promise<void> {
  const handle = await file.openToAppend();
  try {
    await handle.writeFile(text);
  } finally {
    await handle.close();
  }
}

/** Writes a text to a file that must not be there yet. @throws an error of the host, EEXIST when it is */
export async function createText(directory: HostEntry, name: HostName, text: string): Promise<void> {
  // Takes the name first, since a file that is put there in one step would replace another one's.
  await (await directory.create(name, NEW_FILE)).close();
  try {
    await putText(directory, name, text, undefined);
  } catch (error) {
    await directory.removeFile(name);
    throw error;
  }
}

/** Puts a link at a name, in one step. */
export async function putLink(directory: HostEntry, name: HostName, target: HostName): Promise<void> {
  await put(directory, name, (temporary) => directory.makeLink(temporary, target));
}

async function put(directory: HostEntry, name: HostName, make: (temporary: HostName) => Promise<void>): Promise<void> {
  const temporary = temporaryName();
  try {
    await make(temporary);
    await directory.rename(temporary, name);
  } catch (error) {
    // Whether or not it was made yet; the first error is the one that tells.
    await directory.removeFile(temporary).catch(() => undefined);
    throw error;
  }
}
