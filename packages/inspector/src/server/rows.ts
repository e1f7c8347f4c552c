import type { BundleEntry } from 'toolwright/bundles';

/** A badge of a row. */
export type RowMark =
  | 'state'
  | 'resources'
  | 'rolled back'
  | 'conflict'
  | 'retried'
  | 'waited'
  | 'approved'
  | 'repaired'
  | 'may remain'
  | 'prefix broken';

/** One line of the timeline: a run, a request, a call, a program or an event. */
export interface Row {
  /** The `seq` of its first entry. */
  readonly seq: number;
  readonly kind: 'run' | 'request' | 'call' | 'program' | 'event';
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** The level of indentation. */
  readonly depth: number;
  readonly run: string;
  readonly session: string;
  /** The conversation of the run, if it belongs to one. */
  readonly conversation?: string | undefined;
  /** For a fork: the run and the `seq` from which it continued. */
  readonly fork?: { readonly run: string; readonly seq: number } | undefined;
  readonly name: string;
  /** `open` until the row has ended; then the outcome of a call, the end of a run, or `answered` or `failed` for a request. */
  status: string;
  durationMs?: number | undefined;
  /** The first words of the message. */
  text?: string | undefined;
  /** Of a request, or of all requests of a run. */
  usage?: BundleEntry<'answer'>['usage'];
  cost?: number | undefined;
  attempts?: number | undefined;
  marks: readonly RowMark[];
  /** For a request: the bytes that it shares with the previous request. */
  prefix?: BundleEntry<'answer'>['prefix'];
}

/** A moment at which a session or a resource changed. */
export interface StatePoint {
  readonly seq: number;
  readonly time: number;
  readonly session: string;
  /** The `seq` of the call or run that changed it. */
  readonly of: number;
  readonly label: string;
}
