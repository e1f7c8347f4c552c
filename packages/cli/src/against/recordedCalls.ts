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
    children.set(entry.parent, [...(children.get(entry.parent) ?? []), entry]);
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

function listWithin({ seq }: Inner, children: ReadonlyMap<number, readonly Inner[]>): readonly Inner[] {
  // The parent of an entry is an earlier one, so a bundle of a stranger cannot form a cycle.
  const direct = (children.get(seq) ?? []).filter((child) => child.seq > seq);
  return direct.flatMap((child) => [child, ...listWithin(child, children)]);
}
