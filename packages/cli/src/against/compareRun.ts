import type { BundleEntry } from 'toolwright/bundles';
import { compareCalls, compareEnds } from './compareCalls.js';
import { findPrefixChange, findToolChanges } from './compareRenderings.js';
import { compareResources, compareSessions } from './compareStates.js';
import type { RecordedRun } from './readRuns.js';
import type { Replayed } from './replayRun.js';
import type { RunChange } from './RunChange.js';

/** Compares a recorded run with its replay. @param timeoutMs the time that the replay had, for the message */
export function compareRun(recorded: RecordedRun, replayed: Replayed, timeoutMs: number): readonly RunChange[] {
  const { bundle, lineOf } = recorded;
  const before = findParts(bundle.entries, replayed.run);
  const after = findParts(replayed.entries, replayed.run);
  const changes: RunChange[] = [];
  // Renderings with the same id are equal.
  if (before.rendering !== undefined && after.rendering !== undefined && before.rendering.leftOut === undefined) {
    const line = lineOf(before.rendering);
    const prefix = findPrefixChange(before.rendering, after.rendering);
    if (prefix !== undefined) changes.push({ kind: 'prefix', ...prefix, line });
    for (const change of findToolChanges(before.rendering.tools, after.rendering.tools))
      changes.push({ kind: 'tools', ...change, line });
  }
  const calls = compareCalls(replayed, timeoutMs);
  const ending = before.end === undefined ? undefined : compareEnds(before.end, replayed);
  for (const { entry, ...change } of ending === undefined ? calls : [...calls, ending])
    changes.push({ ...change, line: lineOf(entry) });
  if (before.end === undefined || after.end === undefined || replayed.error !== undefined || !replayed.isStateKnown)
    return changes;
  const line = lineOf(before.end);
  const states = [
    ...compareSessions(stateOf(bundle.entries, before), stateOf(replayed.entries, after), replayed.logs),
    ...compareResources(bundle, replayed),
  ];
  return [...changes, ...states.map((change): RunChange => ({ kind: 'state', ...change, line }))];
}

interface RunParts {
  readonly begun: BundleEntry<'run'> | undefined;
  readonly rendering: BundleEntry<'rendering'> | undefined;
  readonly first: BundleEntry<'request'> | undefined;
  readonly end: BundleEntry<'end'> | undefined;
}

function findParts(entries: readonly BundleEntry[], run: string): RunParts {
  const isOfRun = (entry: BundleEntry): boolean => 'run' in entry && entry.run === run;
  const list = <K extends BundleEntry['kind']>(kind: K): readonly BundleEntry<K>[] =>
    entries.filter((entry): entry is BundleEntry<K> => entry.kind === kind && isOfRun(entry));
  const [begun] = list('run');
  const rendering = entries.find(
    (entry): entry is BundleEntry<'rendering'> => entry.kind === 'rendering' && entry.rendering === begun?.rendering,
  );
  const [first] = list('request');
  // A run that waited for a reply ends twice.
  return { begun, rendering, first, end: list('end').at(-1) };
}

function stateOf(entries: readonly BundleEntry[], { begun, first, end }: RunParts) {
  return { entries, session: begun?.session ?? '', first: first?.seq ?? 0, end: end?.seq ?? 0 };
}
