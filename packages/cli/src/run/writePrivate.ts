import { closeSync, constants, fchmodSync, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { createWriteError } from '../CliError.js';

/** The file mode that lets only the owner read and write. */
const OWNER_ONLY = 0o600;

/**
 * Writes lines into a file that only its owner can read, because a recording holds messages and results of tools. The mode of an
 * existing file is changed before the text is written.
 *
 * @throws CliError E970
 */
export function writePrivate(path: string, folder: string, lines: readonly string[]): void {
  try {
    const file = openSync(resolve(folder, path), constants.O_WRONLY | constants.O_CREAT, OWNER_ONLY);
    try {
      if (fstatSync(file).isFile()) {
        fchmodSync(file, OWNER_ONLY);
        ftruncateSync(file);
      }
      for (const line of lines) {
        const bytes = Buffer.from(`${line}\n`);
        for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      }
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    throw createWriteError(path, cause);
  }
}
