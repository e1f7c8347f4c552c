import type { Bundle, BundleEntry } from 'toolwright/bundles';
import { HIDDEN } from 'toolwright/internal';

/** A call of the model in a recorded run. */
export interface RecordedCall {
  readonly call: BundleEntry<'call'>;
  /** Undefined if the call has not ended. */
  readonly outcome: BundleEntry<'outcome'> | undefined;
  /** True if its arguments are not in the record, because they are secret or too large. */
  readonly isHidden: boolean;
  /** The names of the tools that its handler or program called. */
  readonly nested: readonly string[];
  /** True if its handler started runs. */
  readonly startsRuns: boolean;
  /** The `seq` of the call and of all calls within it. */
  readonly within: ReadonlySet<number>;
}

/** Returns the model's own calls of a run by their ids, in order. A call that was parked and made again counts once. */
export function listCalls({ entries }: Pick<Bundle, 'entries'>, run: string): ReadonlyMap<string, RecordedCall> {
  const outcomes = new Map<number, BundleEntry<'outcome'>>();
  const children = new Map<number, (BundleEntry<'call'> | BundleEntry<'run'>)[]>();
  for (const entry of entries) {
    if (entry.kind === 'outcome') outcomes.set(entry.of, entry);
    if ((entry.kind !== 'call' && entry.kind !== 'run') || entry.parent === undefined) continue;
    const siblings = children.get(entry.parent);
    if (siblings === undefined) children.set(entry.parent, [entry]);
    else siblings.push(entry);
  }
  const calls = new Map<string, RecordedCall>();
  for (const entry of entries) {
    if (entry.kind !== 'call' || entry.run !== run || entry.parent !== undefined) continue;
    const inner = listWithin(entry, children);
    calls.set(entry.callId, {
      call: entry,
      outcome: outcomes.get(entry.seq),
      isHidden: entry.leftOut !== undefined || JSON.stringify(entry.arguments).includes(HIDDEN),
      nested: inner.flatMap((each) => (each.kind === 'call' ? [each.name] : [])),
      startsRuns: inner.some(({ kind }) => kind === 'run'),
      within: new Set([entry.seq, ...inner.map(({ seq }) => seq)]),
    });
  }
  return calls;
}

type Inner = BundleEntry<'call'> | BundleEntry<'run'>;

function listWithin(call: Inner, children: ReadonlyMap<number, readonly Inner[]>): readonly Inner[] {
  const found: Inner[] = [];
  // Includes the entries that are added meanwhile. The parent of an entry is an earlier one, so there is no cycle.
  const pending = [call];
  for (const { seq } of pending)
    for (const child of children.get(seq) ?? [])
      if (child.seq > seq) {
        found.push(child);
        pending.push(child);
      }
  return found;
}
