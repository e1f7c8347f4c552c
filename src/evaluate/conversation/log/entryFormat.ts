import { isRecord } from '../../../common/guards.js';
import { describeValue } from '../../../common/text.js';
import type { RunEntry } from '../../../interface/RunEntry.js';

/**
 * The format of the entries that are written. Format 2 added the lowered tools of requests, the digests of answers, and the ids of
 * questions; 3 the paths of opened sections; 4 the arguments of approvals, denials that hold until they are lifted, and the replies that
 * lift them; 5 models that a run goes on with in the middle. Entries of format 1 may have no number.
 */
const ENTRY_FORMAT = 5;

/** In format 2, `opened` is a count. An entry with a greater count is not upgraded and therefore refused. */
const MAX_COUNTED_SECTIONS = 10_000;

/** Returns an entry with the number of its format, as it is stored. */
export function withVersion<T extends RunEntry>(entry: T): T {
  return entry.version === ENTRY_FORMAT ? entry : { ...entry, version: ENTRY_FORMAT };
}

/** Explains why the format of an entry cannot be read; undefined if it can. */
export function versionProblem(version: unknown): string | undefined {
  const isKnown = typeof version === 'number' && Number.isInteger(version) && version >= 1 && version <= ENTRY_FORMAT;
  if (version === undefined || isKnown) return undefined;
  const newer = typeof version === 'number' && version > ENTRY_FORMAT;
  return `1 to ${String(ENTRY_FORMAT)} are known, got ${describeValue(version)}${newer ? '; a newer release wrote it: update this one' : ''}`;
}

/**
 * Returns an entry of an earlier format with the fields that it has now: the only place that knows earlier formats. Everything else is
 * returned as it is, and checked later.
 */
export function upgradeEntry<T>(entry: T): T {
  if (!isRecord(entry)) return entry;
  const { kind, call, id, question, opened } = entry;
  // In format 1, a question has the name of its call.
  if (kind === 'question' && id === undefined) return { ...entry, id: call };
  if (kind === 'reply' && question === undefined) return { ...entry, question: call };
  // Format 2 does not say which sections were opened: their paths are empty.
  const isCount = kind === 'outcome' && Number.isSafeInteger(opened);
  if (isCount && (opened as number) >= 0 && (opened as number) <= MAX_COUNTED_SECTIONS)
    return { ...entry, opened: Array<string>(opened as number).fill('') };
  return entry;
}
