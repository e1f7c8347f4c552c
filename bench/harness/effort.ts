/**
 * True in the short form (`node bench/check.mjs`): it has fewer rounds, compares Toolwright only with itself or with a floor, and
 * gives no verdict, because `bench/check.mjs` compares with the stored baseline.
 */
export const isShort = process.env['BENCH_SHORT'] !== undefined;

/** Returns the value for the form of this run. */
export function inForm<T>(whole: T, short: T): T {
  return isShort ? short : whole;
}
