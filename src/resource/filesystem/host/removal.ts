import type { HostEntry, Seen } from './HostEntry.js';
import { isHidden, shownName } from './hostName.js';

/** Rights of the owner, without which nothing in a directory can be removed. */
const OWNER_ALL = 0o700;

/** True for what no snapshot holds, so that nothing here may change or remove it. */
export function isLeftAlone({ name, kind }: Pick<Seen, 'name' | 'kind'>): boolean {
  return kind === 'special' || isHidden(name);
}

/** The path, relative to the directory, of something below it that is left alone; undefined when there is nothing. */
export async function findLeftAlone(directory: HostEntry): Promise<string | undefined> {
  for (const seen of await directory.children()) {
    if (isLeftAlone(seen)) return shownName(seen.name);
    const below = await inDirectory(directory, seen, findLeftAlone);
    if (below !== undefined) return `${shownName(seen.name)}/${below}`;
  }
  return undefined;
}

/** Removes what is in a directory, but not what is left alone, nor the directories above that. */
export async function clear(directory: HostEntry): Promise<void> {
  await allowAll(directory);
  for (const seen of await directory.children()) await remove(directory, seen);
}

/** Removes one name of a directory, with everything in it; what is left alone stays, and so do the directories above it. */
export async function remove(directory: HostEntry, seen: Seen): Promise<void> {
  if (isLeftAlone(seen)) return;
  if (seen.kind !== 'directory') return directory.removeFile(seen.name);
  const rest = await inDirectory(directory, seen, async (below) => {
    await clear(below);
    return below.children();
  });
  if (rest === undefined || rest.length === 0) await directory.removeDirectory(seen.name);
}

/** Gives the owner all rights in a directory, so that it can be worked in; tells the mode that it has then. */
export async function allowAll(directory: HostEntry): Promise<number> {
  const mode = directory.mode | OWNER_ALL;
  if (mode !== directory.mode) await directory.setMode(mode);
  return mode;
}

/** Works in a directory below; undefined when it is no directory, or no longer. */
async function inDirectory<T>(
  above: HostEntry,
  { name, kind }: Seen,
  work: (directory: HostEntry) => Promise<T>,
): Promise<T | undefined> {
  const entry = kind === 'directory' ? await above.child(name) : undefined;
  try {
    return entry?.kind === 'directory' ? await work(entry) : undefined;
  } finally {
    await entry?.close();
  }
}
