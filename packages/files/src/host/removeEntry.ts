import type { HostEntry, Seen } from './HostEntry.js';
import { isHidden, formatHostName } from './hostName.js';

/** The permissions of the owner that are needed to remove entries of a directory. */
const OWNER_ALL = 0o700;

/** Checks for entries that snapshots exclude, so that restoring must not change or remove them. */
export function isExcluded({ name, kind }: Pick<Seen, 'name' | 'kind'>): boolean {
  return kind === 'special' || isHidden(name);
}

/** Finds an excluded entry below a directory. Returns its relative path; undefined if there is none. */
export async function findExcluded(directory: HostEntry): Promise<string | undefined> {
  for (const seen of await directory.listChildren()) {
    if (isExcluded(seen)) return formatHostName(seen.name);
    const below = await withSubdirectory(directory, seen, findExcluded);
    if (below !== undefined) return `${formatHostName(seen.name)}/${below}`;
  }
  return undefined;
}

/** Removes the contents of a directory, except excluded entries and their parent directories. */
export async function clearDirectory(directory: HostEntry): Promise<void> {
  await allowOwner(directory);
  for (const seen of await directory.listChildren()) await removeEntry(directory, seen);
}

/** Removes an entry of a directory and its contents, except excluded entries and their parent directories. */
export async function removeEntry(directory: HostEntry, seen: Seen): Promise<void> {
  if (isExcluded(seen)) return;
  if (seen.kind !== 'directory') return directory.removeFile(seen.name);
  const rest = await withSubdirectory(directory, seen, async (below) => {
    await clearDirectory(below);
    return below.listChildren();
  });
  if (rest === undefined || rest.length === 0) await directory.removeDirectory(seen.name);
}

/** Grants the owner all permissions of a directory, so that its contents can be changed. Returns its new mode. */
export async function allowOwner(directory: HostEntry): Promise<number> {
  const mode = directory.mode | OWNER_ALL;
  if (mode !== directory.mode) await directory.setMode(mode);
  return mode;
}

/** Works in a subdirectory. Returns undefined if the entry is not, or no longer, a directory. */
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
