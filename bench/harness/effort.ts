/**
 * True in the short form (`npm run bench:check`): few rounds, only what compares ours to ours or to a bare floor, and no verdict
 * here, since `scripts/bench-check.mjs` judges by the stored baseline.
 */
export const isShort = process.env['BENCH_SHORT'] !== undefined;

/** Of two things to do, the one for this form. */
export function inForm<T>(whole: T, short: T): T {
  return isShort ? short : whole;
}
