/** A median of several rounds, between the bounds of its interval of confidence. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** So much of the chance lies outside of an interval, on each side. */
const TAIL = 0.025;

/** The median with its 95 % interval, which needs no assumption on how the values are distributed: two of them bound it. */
export function figureOf(values: readonly number[]): Figure {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const { length } = sorted;
  const middle = (at(Math.floor((length - 1) / 2)) + at(Math.floor(length / 2))) / 2;
  const outer = ranksOutside(length);
  return { median: middle, low: at(outer), high: at(length - 1 - outer) };
}

/** How many of the smallest values may be left out: each value is below the median with a chance of one half. */
function ranksOutside(count: number): number {
  let [chance, sum, rank] = [2 ** -count, 2 ** -count, 0];
  while (sum <= TAIL) {
    rank++;
    chance *= (count - rank + 1) / rank;
    sum += chance;
  }
  return Math.max(rank - 1, 0);
}
