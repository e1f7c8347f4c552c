import type { LogEntry, RunEnded } from '../../interface/RunStore.js';
import { plainText } from './texts.js';

/** What entries mean for the records of runs, as parameters of `appendMarked`. */
export interface Marks {
  /** The ids of runs that end, their states and problems. */
  readonly ended: readonly string[];
  readonly states: readonly string[];
  readonly problems: readonly (string | null)[];
  /** Questions, as JSON, and the calls that they are about. */
  readonly asked: readonly string[];
  readonly calls: readonly string[];
  /** The calls whose questions are over; `*` for all. */
  readonly over: readonly string[];
}

/** Returns what entries mean for the records; undefined if nothing. */
export function marksOf(entries: readonly LogEntry[]): Marks | undefined {
  const ends: RunEnded[] = [];
  const over = new Set<string>();
  const open = new Map<string, string>();
  for (const entry of entries) {
    if (entry.kind === 'end') ends.push(entry);
    if (entry.kind === 'run' || entry.kind === 'end') {
      over.add('*');
      open.clear();
    }
    if (entry.kind === 'question') open.set(entry.call, JSON.stringify(entry));
    if (entry.kind === 'reply') {
      open.delete(entry.call);
      over.add(entry.call);
    }
  }
  // A row cannot be deleted and written in one statement: what is asked again is written over.
  for (const call of open.keys()) over.delete(call);
  if (ends.length + open.size + over.size === 0) return undefined;
  return {
    ended: ends.map(({ run }) => plainText(run)),
    states: ends.map(({ how }) => (how === 'abandoned' ? 'cancelled' : how)),
    problems: ends.map(({ problem }) => (problem === undefined ? null : plainText(problem))),
    asked: [...open.values()],
    calls: [...open.keys()],
    over: [...over],
  };
}
