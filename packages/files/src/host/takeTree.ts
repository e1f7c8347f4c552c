import { errnoOf, isRace } from './errno.js';
import type { GitBlobs } from './GitBlobs.js';
import { modeOf, type HostEntry, type Seen } from './HostEntry.js';
import { formatHostName, type HostName } from './hostName.js';
import { hostRefusals } from './hostRefusals.js';
import type { SavedEntry, SavedDirectory } from './SavedEntry.js';
import { isExcluded } from './removeEntry.js';

/**
 * Records everything below a directory, and stores the contents in git.
 *
 * @param prefix the prefix of paths in messages
 * @throws ResourceError E907 for an unreadable entry; an error of the host if the tree is changed concurrently
 */
export async function takeTree(directory: HostEntry, blobs: GitBlobs, prefix = ''): Promise<SavedDirectory> {
  const entries = new Map<HostName, SavedEntry>();
  for (const seen of await directory.listChildren()) {
    if (isExcluded(seen)) continue;
    const path = prefix + formatHostName(seen.name);
    const kept = await takeEntry(directory, seen, blobs, path).catch((error: unknown) => {
      throw errnoOf(error) === undefined || isRace(error) ? error : hostRefusals.notKept(path, error);
    });
    if (kept !== undefined) entries.set(seen.name, kept);
  }
  return { kind: 'directory', mode: directory.mode, entries };
}

async function takeEntry(
  directory: HostEntry,
  { name, kind, stats }: Seen,
  blobs: GitBlobs,
  path: string,
): Promise<SavedEntry | undefined> {
  const blob = kind === 'file' ? blobs.findKnown(stats) : undefined;
  if (blob !== undefined) return { kind: 'file', mode: modeOf(stats), size: stats.size, blob };
  // From here on, only the opened entry counts. It may differ from the listed one.
  const entry = await directory.child(name);
  try {
    if (entry?.kind === 'directory') return await takeTree(entry, blobs, `${path}/`);
    if (entry?.kind === 'link') return { kind: 'link', target: await directory.readLink(name) };
    if (entry?.kind !== 'file') return undefined;
    return { kind: 'file', mode: entry.mode, size: entry.stats.size, blob: await blobs.keep(entry) };
  } finally {
    await entry?.close();
  }
}
