import { type FilePath, refusals } from 'toolwright/internal';
import { isErrno } from './errno.js';
import type { HostEntry } from './HostEntry.js';
import { encodeHostName, isHidden, type HostName } from './hostName.js';
import { hostRefusals } from './hostRefusals.js';

/** The state of a path: `there` holds a file or directory; `blocked` means that a file is in the place of a directory. */
export type HostPathState =
  | { readonly kind: 'there'; readonly entry: HostEntry }
  | { readonly kind: 'missing'; readonly entry?: undefined }
  | { readonly kind: 'blocked'; readonly entry?: undefined; readonly by: string };

/** Options of `withEntryAt`. */
export interface LookOptions {
  /** The names from the root on; the names of the path by default. */
  readonly names?: readonly string[] | undefined;
  /** True to create missing directories. */
  readonly make?: boolean | undefined;
}

/**
 * Opens the entry at a path, element by element, and holds it open while `use` works with it.
 *
 * @throws FilesystemError invalidPath for hidden names, and for links, FIFOs, sockets and devices on the way
 */
export async function withEntryAt<T>(
  root: HostEntry,
  at: FilePath,
  use: (sight: HostPathState) => Promise<T> | T,
  options: LookOptions = {},
): Promise<T> {
  const sight = await openPath(root, at, options);
  try {
    return await use(sight);
  } finally {
    await sight.entry?.close();
  }
}

/** Returns the existing entry. @throws FilesystemError notFound, notDirectory */
export function requireEntry(sight: HostPathState, at: FilePath): HostEntry {
  if (sight.kind === 'missing') throw refusals.notFound(at.given);
  if (sight.kind === 'blocked') throw refusals.fileInTheWay(at.given, sight.by);
  return sight.entry;
}

/** Returns the existing file. @throws FilesystemError notFound, notDirectory, isDirectory */
export function requireFile(sight: HostPathState, at: FilePath): HostEntry {
  const entry = requireEntry(sight, at);
  if (entry.kind === 'directory') throw refusals.isDirectory(at.given);
  return entry;
}

/** Returns the existing directory. @throws FilesystemError notFound, notDirectory */
export function requireDirectory(sight: HostPathState, at: FilePath): HostEntry {
  const entry = requireEntry(sight, at);
  if (entry.kind === 'file') throw refusals.notDirectory(at.given);
  return entry;
}

/**
 * Returns the file that a write would replace, if there is one.
 *
 * @throws FilesystemError notDirectory, isDirectory; invalidPath for the root, and for a file with several hard links
 */
export function findReplacedFile(sight: HostPathState, at: FilePath): HostEntry | undefined {
  if (at.isRoot) throw refusals.isRoot(at.given);
  if (sight.kind === 'missing') return undefined;
  const file = requireFile(sight, at);
  if (file.stats.nlink > 1) throw hostRefusals.severalNames(at.given);
  return file;
}

async function openPath(
  root: HostEntry,
  at: FilePath,
  { names = at.names, make = false }: LookOptions,
): Promise<HostPathState> {
  const hidden = names.find(isHidden);
  if (hidden !== undefined) throw hostRefusals.hidden(at.given, hidden);
  let entry = await root.reopen();
  for (const [depth, name] of names.entries()) {
    const above = entry;
    const next = await openChild(above, encodeHostName(name), make).finally(() => above.close());
    if (next === 'blocked') return { kind: 'blocked', by: names.slice(0, depth).join('/') };
    if (next === undefined) return { kind: 'missing' };
    if (next.kind === 'link' || next.kind === 'special') {
      await next.close();
      throw hostRefusals.notOrdinary(at.given, names.slice(0, depth + 1).join('/'), next.kind);
    }
    entry = next;
  }
  return { kind: 'there', entry };
}

async function openChild(above: HostEntry, name: HostName, make: boolean): Promise<HostEntry | 'blocked' | undefined> {
  if (above.kind === 'file') return 'blocked';
  const entry = await above.child(name);
  if (entry !== undefined || !make) return entry;
  await above.makeDirectory(name).catch((error: unknown) => {
    // Another process may have created it, which is just as good.
    if (!isErrno(error, 'EEXIST')) throw error;
  });
  return above.child(name);
}
