/**
 * True in the short form (`node bench/check.mjs`): few rounds, only comparisons of Toolwright with itself or with a floor, and no
 * verdict here, since `bench/check.mjs` compares with the stored baseline.
 */
export const isShort = process.env['BENCH_SHORT'] !== undefined;

/** Returns the value for the form of this run. */
export function inForm<T>(whole: T, short: T): T {
  return isShort ? short : whole;
}
