/** The part of two lists in which they differ. */
export interface DifferingPart<T> {
  /** The number of items that both lists share at the beginning. */
  readonly start: number;
  readonly before: readonly T[];
  readonly after: readonly T[];
}

/** Leaves out the items that two lists share at the beginning and at the end. */
export function trimCommonEnds<T>(before: readonly T[], after: readonly T[]): DifferingPart<T> {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { start, before: before.slice(start, before.length - end), after: after.slice(start, after.length - end) };
}
