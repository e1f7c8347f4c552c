import type { Bundle, BundleEntry } from 'toolwright/bundles';

/** A run of a bundle, with the entries that belong to it. */
export interface SplitRun {
  readonly begun: BundleEntry<'run'>;
  /** The bundle with only the entries of the run, of the calls and runs within it, and the earlier states of its session. */
  readonly bundle: Bundle;
}

/**
 * Splits a bundle into its runs, so that the time for all of them grows with the size of the bundle. Runs within a call belong to the run
 * of that call. A run that was parked and continued is one run.
 */
export function splitBundle({ head, entries }: Bundle): readonly SplitRun[] {
  const runs = new Map<string, { readonly begun: BundleEntry<'run'>; readonly own: BundleEntry[] }>();
  const renderings = new Map<string, BundleEntry<'rendering'>>();
  const states = new Map<string, BundleEntry<'state'>[]>();
  /** The outer run by the `seq` of its entries, and by the ids of the runs within it. */
  const outer = new Map<number | string, string>();
  for (const entry of entries) {
    if (entry.kind === 'rendering') renderings.set(entry.rendering, entry);
    else if (entry.kind === 'state') addTo(states, entry.session, entry);
    else if (entry.kind !== 'event') {
      const run = findOuterRun(entry, outer);
      if (run === undefined) continue;
      outer.set(entry.seq, run);
      if (entry.kind === 'run') outer.set(entry.run, run);
      const known = runs.get(run);
      if (known !== undefined) known.own.push(entry);
      else if (entry.kind === 'run') runs.set(run, { begun: entry, own: [entry] });
    }
  }
  return [...runs.values()].map(({ begun, own }) => {
    const rendering = renderings.get(begun.rendering ?? '');
    const last = own.at(-1)?.seq ?? begun.seq;
    const before = (states.get(begun.session) ?? []).filter(({ seq }) => seq <= last);
    const all = [...(rendering === undefined ? [] : [rendering]), ...own, ...before];
    return { begun, bundle: { head, entries: all.sort((one, other) => one.seq - other.seq) } };
  });
}

type RunEntry = Exclude<BundleEntry, BundleEntry<'rendering' | 'state' | 'event'>>;

function findOuterRun(entry: RunEntry, outer: ReadonlyMap<number | string, string>): string | undefined {
  if ((entry.kind === 'run' || entry.kind === 'call') && entry.parent !== undefined) return outer.get(entry.parent);
  if (entry.kind === 'run') return entry.run;
  if ('run' in entry) return outer.get(entry.run);
  return entry.of === undefined ? undefined : outer.get(entry.of);
}

function addTo<K, V>(lists: Map<K, V[]>, key: K, value: V): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
