import { isEpoch, type EpochLine, type LogLine } from './logLine.js';

/** The state of a log after one of its lines. */
export interface LogState {
  /** That of the current writer; 0 if there was none. */
  readonly epoch: number;
  /** Host and process of the current writer. */
  readonly writer: string;
  /** The number of entries. */
  readonly count: number;
  /** The claim to the folder that its writers have made, if they did; see FolderOwner. */
  readonly owner?: number | undefined;
  /** The first epoch of the file, from which lists count; see logLine.ts. */
  readonly first?: number | undefined;
  /** That of the last line that named one. */
  readonly version?: number | undefined;
  /** The first line that could not be read since the last one that counts: harmless, unless entries turn out to be missing. */
  readonly unread?: number | undefined;
}

export const NO_LINES: LogState = { epoch: 0, writer: '', count: 0 };

/** The outcome of a line: it counts, or it came too late, or lines before it must have been lost. */
export type Verdict =
  | { readonly kind: 'counts'; readonly state: LogState }
  | { readonly kind: 'late' }
  | { readonly kind: 'lost'; readonly problem: string };

/**
 * Judges the next line of a log. Nothing but the order of lines in the file decides, and every process reads the same order:
 * a line of a writer that another one has followed since does not count, however it came to be written. That is the fence; it
 * needs neither locks nor living owners.
 */
export function judge(state: LogState, line: LogLine): Verdict {
  const { epoch, after } = line;
  if (isEpoch(line)) {
    // Two writers that opened at once took the same number: the first one has it.
    if (epoch <= state.epoch || isOfEarlierOwner(state, line)) return LATE;
    if (after > state.count) return missing(state, after);
    const owner = line.owner ?? state.owner;
    const { first = epoch, count } = state;
    return { kind: 'counts', state: { epoch, writer: line.writer, count, owner, first, version: line.version } };
  }
  if (epoch > state.epoch) return { kind: 'lost', problem: `the line that began epoch ${String(epoch)} is missing` };
  if (epoch < state.epoch || after < state.count) return LATE;
  if (after > state.count) return missing(state, after);
  return { kind: 'counts', state: grown(state, line.count) };
}

const LATE: Verdict = { kind: 'late' };

function missing({ count }: LogState, after: number): Verdict {
  return { kind: 'lost', problem: `${String(after - count)} of its entries are missing` };
}

/** The writer claimed the folder before one that has opened the log since: it checked its claim, and lost it meanwhile. */
function isOfEarlierOwner({ owner = 0 }: LogState, line: EpochLine): boolean {
  return line.owner !== undefined && line.owner < owner;
}

/** The state after more entries. */
export function grown({ unread: _unread, ...state }: LogState, more: number): LogState {
  return { ...state, count: state.count + more };
}
