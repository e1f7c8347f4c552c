import { replayTest, stateAt, type Bundle, type BundleEntry, type BundleHead } from 'toolwright/bundles';
import { MAX_CUT_SESSIONS, MAX_LIVE } from '../limits.js';
import { InspectorError } from './InspectorError.js';
import type { Row, StatePoint } from './rows.js';
import { Timeline } from './Timeline.js';

/** How much a live source keeps; the oldest entries are dropped. */
export interface LiveLimits {
  /** Entries; 100,000 when left out. */
  readonly maxEntries?: number | undefined;
  /** Bytes of the entries as JSON; 64 million when left out. */
  readonly maxBytes?: number | undefined;
}

/** What a live source has dropped since it began. */
export interface Dropped {
  readonly entries: number;
  readonly runs: number;
  /** The oldest `seq` that is kept. */
  readonly before: number;
}

/** Dropped at a time: one by one, the rest would be moved for each entry. */
const SHARE_DROPPED = 0.1;

/** What the State view shows of one moment. */
export interface StateAt {
  readonly slices: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  /** What the same call wrote to resources. */
  readonly resources: readonly unknown[];
  /** False if the call ended otherwise than in success: what it wrote to resources was dropped. */
  readonly kept: boolean;
  /** True if earlier changes of the session were dropped: slices may lack values. */
  readonly cut: boolean;
}

type RowListener = (rows: readonly Row[]) => void;

/** Runs to look at: a bundle, or a recording that goes on. */
export class EntrySource {
  readonly id: string;
  readonly name: string;
  readonly head: BundleHead | undefined;
  readonly timeline = new Timeline();
  readonly limits: typeof MAX_LIVE;
  #entries: BundleEntry[] = [];
  /** The bytes of each entry. */
  #sizes: number[] = [];
  #bytes = 0;
  #dropped: Dropped = { entries: 0, runs: 0, before: 0 };
  readonly #cut = new Set<string>();
  readonly #listeners = new Set<RowListener>();

  /** @throws InspectorError 400 for a limit that is not a whole number above 0 */
  constructor(id: string, name: string, bundle?: Bundle, limits: LiveLimits = {}) {
    const { maxEntries = MAX_LIVE.maxEntries, maxBytes = MAX_LIVE.maxBytes } = limits;
    for (const [limit, value] of Object.entries({ maxEntries, maxBytes }))
      if (!Number.isSafeInteger(value) || value <= 0)
        throw new InspectorError(400, `live.${limit} is ${String(value)}; a whole number above 0 is expected`, 'live');
    this.limits = { maxEntries, maxBytes };
    this.id = id;
    this.name = name;
    this.head = bundle?.head;
    // A bundle was read within bounds of its own.
    for (const entry of bundle?.entries ?? []) this.#keep(entry);
    this.timeline.changes();
  }

  /** Adds an entry of a recording, and drops the oldest ones beyond the limits. @returns the ids of the runs that were dropped */
  add(entry: BundleEntry, bytes: number): readonly string[] {
    this.#keep(entry);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    const { maxEntries, maxBytes } = this.limits;
    const runs = this.#entries.length > maxEntries || this.#bytes > maxBytes ? this.#drop() : [];
    const rows = this.timeline.changes();
    for (const listener of this.#listeners) listener(rows);
    return runs;
  }

  /** How much is kept; a bundle has no bytes, since it was read within bounds of its own. */
  get kept(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.length, bytes: this.#bytes };
  }

  /** What was dropped so far. */
  get dropped(): Dropped {
    return this.#dropped;
  }

  #keep(entry: BundleEntry): void {
    this.#entries.push(entry);
    this.timeline.add(entry);
  }

  #drop(): readonly string[] {
    const { maxEntries, maxBytes } = this.limits;
    let count = 0;
    // The newest stays, however large it is.
    while (
      count < this.#entries.length - 1 &&
      (this.#entries.length - count > maxEntries * (1 - SHARE_DROPPED) || this.#bytes > maxBytes * (1 - SHARE_DROPPED))
    ) {
      this.#bytes -= this.#sizes[count] ?? 0;
      count++;
    }
    for (const entry of this.#entries.slice(0, count)) if (entry.kind === 'state') this.#noteCut(entry.session);
    this.#entries = this.#entries.slice(count);
    this.#sizes = this.#sizes.slice(count);
    const before = this.#entries[0]?.seq ?? 0;
    const runs = this.timeline.drop(before);
    const { entries, runs: earlier } = this.#dropped;
    this.#dropped = { entries: entries + count, runs: earlier + runs.length, before };
    return runs;
  }

  #noteCut(session: string): void {
    // Again at the end: the sessions that changed last are the ones that may be looked at.
    this.#cut.delete(session);
    this.#cut.add(session);
    const [oldest] = this.#cut;
    if (this.#cut.size > MAX_CUT_SESSIONS && oldest !== undefined) this.#cut.delete(oldest);
  }

  /** Calls the listener after each entry with the rows that it changed; the returned function ends that. */
  listen(listener: RowListener): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  get rows(): readonly Row[] {
    return this.timeline.rows;
  }

  get points(): readonly StatePoint[] {
    return this.timeline.points;
  }

  get renderings(): readonly BundleEntry[] {
    return this.#entries.filter(({ kind }) => kind === 'rendering');
  }

  /** An entry by its `seq`. @throws InspectorError 404 */
  entry(seq: number): BundleEntry {
    const entry = this.#entries[this.#indexOf(seq)];
    if (entry?.seq === seq) return entry;
    throw new InspectorError(404, 'this entry is not kept any more', `entry ${String(seq)}`);
  }

  /** The first entry of a kind that fits. */
  find<K extends BundleEntry['kind']>(kind: K, fits: (entry: BundleEntry<K>) => boolean): BundleEntry<K> | undefined {
    return this.#entries.find((entry): entry is BundleEntry<K> => entry.kind === kind && fits(entry as BundleEntry<K>));
  }

  /** Waits for the entry of a run that is about to begin; call `stop` once it does not matter any more. */
  waitForRun(run: string): { readonly seq: Promise<number>; stop(): void } {
    let stop = (): void => undefined;
    const seq = new Promise<number>((resolve) => {
      stop = this.listen((rows) => {
        const row = rows.find((each) => each.kind === 'run' && each.run === run);
        if (row !== undefined) resolve(row.seq);
      });
    });
    return {
      seq,
      stop: () => {
        stop();
      },
    };
  }

  /** The entry that began a row, and those that belong to it. @throws InspectorError */
  detail(seq: number): readonly BundleEntry[] {
    const first = this.entry(seq);
    const ends = (entry: BundleEntry): boolean =>
      first.kind === 'run' ? entry.kind === 'end' && entry.run === first.run : false;
    const rest = this.#entries.slice(this.#indexOf(seq) + 1);
    return [first, ...rest.filter((entry) => ('of' in entry && entry.of === seq) || ends(entry))];
  }

  /** The state of a session after a moment, and before it. @throws InspectorError */
  state(seq: number): StateAt {
    const entry = this.entry(seq);
    const of = entry.kind === 'state' || entry.kind === 'resources' ? entry.of : seq;
    const row = this.timeline.row(of);
    const session = 'session' in entry ? entry.session : (row?.session ?? '');
    const resources = this.#entries.flatMap((each) => (each.kind === 'resources' && each.of === of ? [each] : []));
    return {
      before: stateAt(this.#entries, session, seq),
      slices: stateAt(this.#entries, session, seq + 1),
      resources: resources.flatMap((each) => each.resources),
      kept: row?.kind !== 'call' || row.status === 'succeeded',
      cut: this.#cut.has(session),
    };
  }

  /** The source text of a test that replays a run. @throws ToolwrightError E752 */
  test(run: string | undefined, runner: 'node' | 'jest' | 'vitest'): string {
    return replayTest({ head: this.head ?? EMPTY, entries: this.#entries }, { run, runner });
  }

  #indexOf(seq: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.seq ?? 0) < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

const EMPTY: BundleHead = { kind: 'bundle', format: 'toolwright/bundle', version: 1, createdAt: 0, versions: {} };
