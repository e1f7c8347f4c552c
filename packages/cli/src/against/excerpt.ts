import { cutAround, cutExcerpt, findDifference } from 'toolwright/internal';
import type { RunChange } from './RunChange.js';

/** A change that does not have its kind and line yet. */
export type Difference = Omit<RunChange, 'kind' | 'line'>;

/** Quotes the parts of two texts around their first difference. */
export function excerpt(recorded: string, now: string): Required<Pick<RunChange, 'recorded' | 'now'>> {
  const at = findDifference(recorded, now);
  return { recorded: cutExcerpt(recorded, at), now: cutExcerpt(now, at) };
}

/** Cuts out the parts of two JSON values around their first difference; undefined is a value that does not exist. */
export function excerptJson(recorded: unknown, now: unknown): ReturnType<typeof excerpt> {
  const [was, is] = [recorded, now].map((value) => (value === undefined ? 'nothing' : JSON.stringify(value)));
  const at = findDifference(was ?? '', is ?? '');
  return { recorded: cutAround(was ?? '', at), now: cutAround(is ?? '', at) };
}
