/** A median of several rounds with its confidence interval. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** The probability outside an interval, on each side. */
const TAIL = 0.025;

/** Computes the median with its 95 % interval. The interval assumes no distribution; its bounds are two of the values. */
export function figureOf(values: readonly number[]): Figure {
  const sorted = [...values].sort((left, right) => left - right);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const { length } = sorted;
  const middle = (at(Math.floor((length - 1) / 2)) + at(Math.floor(length / 2))) / 2;
  const outer = ranksOutside(length);
  return { median: middle, low: at(outer), high: at(length - 1 - outer) };
}

/** Counts the smallest values to leave out. Each value is below the median with probability one half. */
function ranksOutside(count: number): number {
  let [chance, sum, rank] = [2 ** -count, 2 ** -count, 0];
  while (sum <= TAIL) {
    rank++;
    chance *= (count - rank + 1) / rank;
    sum += chance;
  }
  return Math.max(rank - 1, 0);
}
