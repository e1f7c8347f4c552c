import type { HostEntry, Seen } from './HostEntry.js';
import { isHidden, formatHostName } from './hostName.js';

/** Permissions of the owner, without which nothing in a directory can be removed. */
const OWNER_ALL = 0o700;

/** True for entries that snapshots exclude, so that restoring must not change or remove them. */
export function isLeftAlone({ name, kind }: Pick<Seen, 'name' | 'kind'>): boolean {
  return kind === 'special' || isHidden(name);
}

/** The path, relative to the directory, of an entry below it that is left alone; undefined if there is none. */
export async function findLeftAlone(directory: HostEntry): Promise<string | undefined> {
  for (const seen of await directory.listChildren()) {
    if (isLeftAlone(seen)) return formatHostName(seen.name);
    const below = await withSubdirectory(directory, seen, findLeftAlone);
    if (below !== undefined) return `${formatHostName(seen.name)}/${below}`;
  }
  return undefined;
}

/** Removes the contents of a directory, except entries that are left alone, and the directories above those. */
export async function clearDirectory(directory: HostEntry): Promise<void> {
  await allowOwner(directory);
  for (const seen of await directory.listChildren()) await removeEntry(directory, seen);
}

/** Removes an entry of a directory and its contents, except entries that are left alone, and the directories above those. */
export async function removeEntry(directory: HostEntry, seen: Seen): Promise<void> {
  if (isLeftAlone(seen)) return;
  if (seen.kind !== 'directory') return directory.removeFile(seen.name);
  const rest = await withSubdirectory(directory, seen, async (below) => {
    await clearDirectory(below);
    return below.listChildren();
  });
  if (rest === undefined || rest.length === 0) await directory.removeDirectory(seen.name);
}

/** Grants the owner all permissions of a directory, so that its contents can be changed; returns its new mode. */
export async function allowOwner(directory: HostEntry): Promise<number> {
  const mode = directory.mode | OWNER_ALL;
  if (mode !== directory.mode) await directory.setMode(mode);
  return mode;
}

/** Works in a subdirectory; returns undefined if the entry is not a directory, or no longer one. */
async function withSubdirectory<T>(
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
