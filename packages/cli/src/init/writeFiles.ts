import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError, createWriteError } from '../CliError.js';
import { readInputFile, formatPath } from '../input.js';

/** A file that a command writes. */
export interface Change {
  /** The path relative to the folder, with slashes. */
  readonly path: string;
  /** The text that is replaced; undefined for a new file. */
  readonly before?: string | undefined;
  readonly after: string;
}

/** Writes all files, or none of them. @throws CliError E970 */
export function writeFiles(folder: string, changes: readonly Change[]): void {
  const changed = changes.find(({ path, before }) => before !== undefined && readInputFile(path, folder) !== before);
  if (changed !== undefined)
    throw new CliError('it has changed meanwhile', {
      code: 'E970',
      place: changed.path,
      remedy: 'Run the command again.',
    });
  const undo: (() => unknown)[] = [];
  for (const { path, before, after } of changes) {
    const file = join(folder, path);
    let place = dirname(file);
    try {
      const created = findFirstMissing(file);
      if (before !== undefined)
        undo.unshift(() => readFileSync(file, 'utf8') === before || writeFileSync(file, before));
      else if (created !== undefined) undo.unshift(() => existsSync(created) && rmSync(created, { recursive: true }));
      mkdirSync(place, { recursive: true });
      place = file;
      writeFileSync(file, after, { flag: before === undefined ? 'wx' : 'w' });
    } catch (cause) {
      const left = undo.filter((each) => !isDone(each)).length;
      const state = left === 0 ? 'Nothing was changed.' : `${String(left)} files could not be put back.`;
      throw createWriteError(formatPath(place, folder), cause, `Name a place that can be written. ${state}`);
    }
  }
}

function isDone(action: () => unknown): boolean {
  try {
    action();
    return true;
  } catch {
    return false;
  }
}

/** Finds the topmost folder that a new file would create, or the file itself; undefined if the file exists. */
function findFirstMissing(file: string): string | undefined {
  if (existsSync(file)) return undefined;
  let missing = file;
  while (!existsSync(dirname(missing))) missing = dirname(missing);
  return missing;
}
