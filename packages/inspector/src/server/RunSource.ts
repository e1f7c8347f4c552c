import { replayTest, stateAt, type Bundle, type BundleEntry, type BundleHead } from 'toolwright/bundles';
import { InspectorError } from './InspectorError.js';
import type { Row, StatePoint } from './rows.js';
import { Timeline } from './Timeline.js';

/** A live recording forgets the oldest of more entries than this. */
const MOST_LIVE = 300_000;

/** What the State view shows of one moment. */
export interface StateAt {
  readonly slices: Readonly<Record<string, unknown>>;
  readonly before: Readonly<Record<string, unknown>>;
  /** What the same call wrote to resources. */
  readonly resources: readonly unknown[];
  /** False if the call ended otherwise than in success: what it wrote to resources was dropped. */
  readonly kept: boolean;
}

type EntryOf<K extends BundleEntry['kind']> = Extract<BundleEntry, { readonly kind: K }>;
type RowListener = (rows: readonly Row[]) => void;

/** Runs to look at: a bundle, or a recording that goes on. */
export class RunSource {
  readonly id: string;
  readonly name: string;
  readonly head: BundleHead | undefined;
  readonly timeline = new Timeline();
  #entries: BundleEntry[] = [];
  readonly #listeners = new Set<RowListener>();

  constructor(id: string, name: string, bundle?: Bundle) {
    this.id = id;
    this.name = name;
    this.head = bundle?.head;
    for (const entry of bundle?.entries ?? []) this.add(entry);
  }

  add(entry: BundleEntry): void {
    this.#entries.push(entry);
    this.timeline.add(entry);
    if (this.#entries.length > MOST_LIVE) this.#entries = this.#entries.slice(MOST_LIVE / 10);
    const rows = this.timeline.changes();
    for (const listener of this.#listeners) listener(rows);
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
  find<K extends BundleEntry['kind']>(kind: K, fits: (entry: EntryOf<K>) => boolean): EntryOf<K> | undefined {
    return this.#entries.find((entry): entry is EntryOf<K> => entry.kind === kind && fits(entry as EntryOf<K>));
  }

  /** Waits for the entry of a run that is about to begin; call `stop` once it does not matter any more. */
  begun(run: string): { readonly seq: Promise<number>; stop(): void } {
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
