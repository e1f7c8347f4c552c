/** True in the short form (`npm run bench -- --short`), a quick look: it has fewer rounds and gives no verdict. */
export const isShort = process.env['BENCH_SHORT'] !== undefined;

/** Returns the value for the form of this run. */
export function inForm<T>(whole: T, short: T): T {
  return isShort ? short : whole;
}
