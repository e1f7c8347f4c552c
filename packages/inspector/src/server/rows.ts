import type { BundleEntry } from 'toolwright/bundles';

/** Something to notice about a row. */
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
  /** The `seq` of the entry that began it. */
  readonly seq: number;
  readonly kind: 'run' | 'request' | 'call' | 'program' | 'event';
  /** Milliseconds since the epoch. */
  readonly time: number;
  /** How far it is indented. */
  readonly depth: number;
  readonly run: string;
  readonly session: string;
  /** Of a run that belongs to one. */
  readonly conversation?: string | undefined;
  /** Of a run that went on from another one: its id, and the `seq` from which. */
  readonly fork?: { readonly run: string; readonly seq: number } | undefined;
  readonly name: string;
  /** `open` until it has ended; then the outcome of a call, the end of a run, `answered` or `failed` of a request. */
  status: string;
  durationMs?: number | undefined;
  /** The beginning of what was said. */
  text?: string | undefined;
  /** Of a request, or of all requests of a run. */
  usage?: BundleEntry<'answer'>['usage'];
  cost?: number | undefined;
  attempts?: number | undefined;
  marks: readonly RowMark[];
  /** For a request: compares it with the one before. */
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
