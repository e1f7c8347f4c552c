import { isDeepStrictEqual } from 'node:util';
import { stateAt, type BundleEntry } from 'toolwright/bundles';
import { isRecord } from 'toolwright/internal/light';
import { excerptJson, type Difference } from './excerpt.js';
import { listCalls, type RecordedCall } from './recordedCalls.js';
import type { Replayed } from './replayRun.js';

/** The entries of a run, and where it begins and ends. */
interface RunState {
  readonly entries: readonly BundleEntry[];
  readonly session: string;
  /** The `seq` of its first request and of its end. */
  readonly first: number;
  readonly end: number;
}

type Slices = ReturnType<typeof stateAt>;

/** Compares the session at the end of a run, except logs and slices that the replay could not begin with. */
export function compareSessions(
  recorded: RunState,
  replayed: RunState,
  logs: ReadonlySet<string>,
): readonly Difference[] {
  const [before, after] = [recorded, replayed].map(readState) as [StateOfRun, StateOfRun];
  const names = new Set([...Object.keys(before.end), ...Object.keys(after.end)]);
  return [...names].flatMap((name): readonly Difference[] => {
    if (logs.has(name)) return [];
    const isSameStart = isDeepStrictEqual(before.start[name] ?? [], after.start[name] ?? []);
    // A slice that could not be restored is compared by the values that the run added.
    const [was, is] = [before, after].map(({ start, end }) => {
      const values = end[name] ?? [];
      return isSameStart ? values : values.slice((start[name] ?? []).length);
    });
    const found = findValueDifference(was, is, '');
    return found === undefined ? [] : [{ where: `slice ${name}`, ...found }];
  });
}

interface StateOfRun {
  readonly start: Slices;
  readonly end: Slices;
}

function readState({ entries, session, first, end }: RunState): StateOfRun {
  return { start: stateAt(entries, session, first), end: stateAt(entries, session, end) };
}

/** Compares the last values that the calls of a run wrote to resources. */
export function compareResources(
  { entries }: { readonly entries: readonly BundleEntry[] },
  { run, calls, entries: came, answered }: Replayed,
): readonly Difference[] {
  const isCompared = ([id, { outcome }]: readonly [string, RecordedCall]): boolean =>
    !answered.has(id) && outcome?.outcome === 'succeeded';
  const before = foldWrites(entries, [...calls].filter(isCompared));
  const after = foldWrites(came, [...listCalls({ entries: came }, run)].filter(isCompared));
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((place): readonly Difference[] => {
    const found = findValueDifference(before.get(place), after.get(place), '');
    return found === undefined ? [] : [{ where: place, ...found }];
  });
}

/** Returns the last value of each part that the calls wrote; a resource that cannot name its parts is one part. */
function foldWrites(
  entries: readonly BundleEntry[],
  calls: readonly (readonly [string, RecordedCall])[],
): ReadonlyMap<string, unknown> {
  const within = new Set(calls.flatMap(([, call]) => [...call.within]));
  const last = new Map<string, unknown>();
  for (const entry of entries) {
    if (entry.kind !== 'resources' || !within.has(entry.of)) continue;
    for (const { name, changes } of entry.resources)
      if (changes === undefined) last.set(name, 'written');
      else for (const { what, after } of changes) last.set(`${name} ${what}`, after ?? null);
  }
  return last;
}

/** Finds the first path at which two JSON values differ. */
function findValueDifference(was: unknown, is: unknown, path: string): Omit<Difference, 'where'> | undefined {
  if (isDeepStrictEqual(was, is)) return undefined;
  const isInner = (Array.isArray(was) && Array.isArray(is)) || (isRecord(was) && isRecord(is));
  if (isInner) {
    const [had, has] = [was, is] as Readonly<Record<string, unknown>>[];
    for (const key of new Set([...Object.keys(had ?? {}), ...Object.keys(has ?? {})])) {
      const found = findValueDifference(had?.[key], has?.[key], `${path}/${key}`);
      if (found !== undefined) return found;
    }
  }
  return { what: path === '' ? 'another value' : path, ...excerptJson(was, is) };
}
