/** Tokens of a request, or of all requests of a run. */
interface RowTokens {
  readonly input?: number | undefined;
  readonly output?: number | undefined;
  /** Of the input, those that the provider read from its cache. */
  readonly cached?: number | undefined;
}

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
  tokens?: RowTokens | undefined;
  cost?: number | undefined;
  attempts?: number | undefined;
  marks: readonly RowMark[];
  /** Of a request: what it repeats of the one before it. */
  prefix?:
    | {
        readonly kept: number;
        readonly added: number;
        readonly changed: number;
        readonly brokenAt?: string | undefined;
      }
    | undefined;
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
