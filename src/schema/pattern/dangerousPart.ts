import { exponentialPart } from './backtracking.js';

/** Results by pattern: many classes share one. */
const judged = new Map<string, string | undefined>();
const MOST_JUDGED = 1_000;

/** The part of a pattern that could block the process; undefined if there is none. */
export function dangerousPart(pattern: RegExp): string | undefined {
  const text = String(pattern);
  if (judged.has(text)) return judged.get(text);
  if (judged.size >= MOST_JUDGED) judged.clear();
  const part = exponentialPart(pattern);
  judged.set(text, part);
  return part;
}
