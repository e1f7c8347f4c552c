import { isErrno } from './errno.js';
import type { GitBlobs } from './GitBlobs.js';
import { modeOf, type HostEntry, type Seen } from './HostEntry.js';
import type { HostName } from './hostName.js';
import type { BlobId, SavedEntry, SavedDirectory, SavedFile, SavedLink } from './SavedEntry.js';
import { replaceFile, replaceLink } from './writeEntries.js';
import { allowOwner, clearDirectory, removeEntry } from './removeEntry.js';

/**
 * Restores everything below a directory. New entries are removed, except entries that snapshots exclude. Unchanged entries are not
 * touched.
 *
 * @throws an error of the host, also if the tree is changed concurrently; a repeated call continues from there
 */
export async function restoreTree(directory: HostEntry, kept: SavedDirectory, blobs: GitBlobs): Promise<void> {
  const mode = await allowOwner(directory);
  const unchanged = new Set<HostName>();
  for (const seen of await directory.listChildren()) {
    const before = kept.entries.get(seen.name);
    if (before === undefined) await removeEntry(directory, seen);
    else if (isUnchanged(seen, before, blobs)) unchanged.add(seen.name);
  }
  for (const [name, before] of kept.entries) if (!unchanged.has(name)) await restore(directory, name, before, blobs);
  if (mode !== kept.mode) await directory.setMode(kept.mode);
}

/** Checks for a file that is known to be unchanged, as most files are. */
function isUnchanged({ kind, stats }: Seen, kept: SavedEntry, blobs: GitBlobs): boolean {
  return kind === 'file' && kept.kind === 'file' && modeOf(stats) === kept.mode && blobs.findKnown(stats) === kept.blob;
}

async function restore(above: HostEntry, name: HostName, kept: SavedEntry, blobs: GitBlobs): Promise<void> {
  const there = await above.child(name);
  try {
    if (kept.kind === 'directory') await restoreDirectory(above, name, kept, there, blobs);
    else if (kept.kind === 'file') await restoreFile(above, name, kept, there, blobs);
    else await restoreLink(above, name, kept, there);
  } finally {
    await there?.close();
  }
}

async function restoreDirectory(
  above: HostEntry,
  name: HostName,
  kept: SavedDirectory,
  there: HostEntry | undefined,
  blobs: GitBlobs,
): Promise<void> {
  if (there?.kind === 'directory') return restoreTree(there, kept, blobs);
  if (there !== undefined) await above.removeFile(name);
  await above.makeDirectory(name);
  await restore(above, name, kept, blobs);
}

async function restoreFile(
  above: HostEntry,
  name: HostName,
  kept: SavedFile,
  there: HostEntry | undefined,
  blobs: GitBlobs,
): Promise<void> {
  const isSame =
    there?.kind === 'file' && there.stats.size === kept.size && (await contentOf(there, blobs)) === kept.blob;
  if (isSame && there.mode === kept.mode) return;
  // A file with further hard links, which may be outside the folder, is replaced rather than changed.
  if (isSame && there.stats.nlink === 1n) return there.setMode(kept.mode);
  await makeRoom(above, name, there);
  await replaceFile(above, name, (file) => blobs.fetch(kept.blob, file), kept.mode);
}

async function restoreLink(
  above: HostEntry,
  name: HostName,
  { target }: SavedLink,
  there: HostEntry | undefined,
): Promise<void> {
  if (there?.kind === 'link' && (await above.readLink(name)) === target) return;
  await makeRoom(above, name, there);
  await replaceLink(above, name, target);
}

/** Removes a directory that blocks a file or link. Other entries can be replaced directly. */
async function makeRoom(above: HostEntry, name: HostName, there: HostEntry | undefined): Promise<void> {
  if (there?.kind !== 'directory') return;
  await clearDirectory(there);
  await above.removeDirectory(name);
}

/** Returns the id of a file's content; undefined if the file is no longer readable. */
async function contentOf(file: HostEntry, blobs: GitBlobs): Promise<BlobId | undefined> {
  try {
    return await blobs.keep(file);
  } catch (error) {
    if (isErrno(error, 'EACCES')) return undefined;
    throw error;
  }
}
