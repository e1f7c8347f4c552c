import { describeValue } from '../../common/text.js';
import type { StoredEntry } from '../../interface/RunStore.js';

/**
 * The format of the entries that are written: 2 has the lowered tools of requests, the digests of answers, and ids of questions. Entries of
 * format 1 may have no number.
 */
const ENTRY_VERSION = 2;

/** Returns an entry with the number of its format, as it is stored. */
export function withVersion<T extends StoredEntry>(entry: T): T {
  return entry.version === ENTRY_VERSION ? entry : { ...entry, version: ENTRY_VERSION };
}

/** Explains why the format of an entry cannot be read; undefined if it can. */
export function versionProblem(version: unknown): string | undefined {
  if (version === undefined || version === 1 || version === ENTRY_VERSION) return undefined;
  const newer = typeof version === 'number' && version > ENTRY_VERSION;
  return `1 and ${String(ENTRY_VERSION)} are known, got ${describeValue(version)}${newer ? '; a newer release wrote it: update this one' : ''}`;
}
