import { replayTest, stateAt, type Bundle, type BundleEntry, type BundleHead } from 'toolwright/bundles';
import { MAX_CUT_SESSIONS, MAX_LIVE } from '../limits.js';
import { InspectorError } from './InspectorError.js';
import type { Row, StatePoint } from './rows.js';
import { Timeline } from './Timeline.js';

/** Limits for a live source. Beyond them, the oldest entries are dropped. */
export interface LiveLimits {
  /** Entries; 100,000 when left out. */
  readonly maxEntries?: number | undefined;
  /** Bytes of the entries as JSON; 64 million when left out. */
  readonly maxBytes?: number | undefined;
}

/** Counts of the entries and runs that a live source has dropped since it began. */
export interface Dropped {
  readonly entries: number;
  readonly runs: number;
  /** The oldest `seq` that is kept. */
  readonly before: number;
}

/** The share of the limit that is dropped at once. Dropping entries one by one would move the rest each time. */
const SHARE_DROPPED = 0.1;

/** The state at one moment, for the State view. */
export interface StateAt {
  readonly slices: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  /** Changes of resources by the same call. */
  readonly resources: readonly unknown[];
  /** False if the call did not succeed, so its changes of resources were dropped. */
  readonly kept: boolean;
  /** True if earlier changes of the session were dropped, so slices may lack values. */
  readonly cut: boolean;
}

type RowListener = (rows: readonly Row[]) => void;

/** A source of runs to inspect: a bundle or a live recording. */
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
    // `readBundle` has limited the size of a bundle already.
    for (const entry of bundle?.entries ?? []) this.#keep(entry);
    this.timeline.changes();
  }

  /** Adds an entry of a recording, and drops the oldest ones beyond the limits. @returns the ids of the dropped runs */
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

  /** Counts the entries and bytes that are kept. Bytes are 0 for a bundle. */
  get kept(): { readonly entries: number; readonly bytes: number } {
    return { entries: this.#entries.length, bytes: this.#bytes };
  }

  /** Counts the entries and runs that were dropped so far. */
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
    // The newest entry always stays, however large it is.
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
    // Move the session to the end: users look at the sessions that changed last.
    this.#cut.delete(session);
    this.#cut.add(session);
    const [oldest] = this.#cut;
    if (this.#cut.size > MAX_CUT_SESSIONS && oldest !== undefined) this.#cut.delete(oldest);
  }

  /** Calls the listener after each entry with the rows that changed, until the returned function is called. */
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

  /** Returns an entry by its `seq`. @throws InspectorError 404 */
  entry(seq: number): BundleEntry {
    const entry = this.#entries[this.#indexOf(seq)];
    if (entry?.seq === seq) return entry;
    throw new InspectorError(404, 'this entry is not kept any more', `entry ${String(seq)}`);
  }

  /** Finds the first entry of a kind that passes the check. */
  find<K extends BundleEntry['kind']>(kind: K, fits: (entry: BundleEntry<K>) => boolean): BundleEntry<K> | undefined {
    return this.#entries.find((entry): entry is BundleEntry<K> => entry.kind === kind && fits(entry as BundleEntry<K>));
  }

  /** Waits for the first entry of a run that is about to begin. Call `stop` to give up waiting. */
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

  /** Returns the first entry of a row, followed by all others of that row. @throws InspectorError 404 */
  detail(seq: number): readonly BundleEntry[] {
    const first = this.entry(seq);
    const ends = (entry: BundleEntry): boolean =>
      first.kind === 'run' ? entry.kind === 'end' && entry.run === first.run : false;
    const rest = this.#entries.slice(this.#indexOf(seq) + 1);
    return [first, ...rest.filter((entry) => ('of' in entry && entry.of === seq) || ends(entry))];
  }

  /** Returns the state of a session before and after a moment. @throws InspectorError 404 */
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

  /** Writes the source text of a test that replays a run. @throws ToolwrightError E752 */
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
