/** pass@k: the probability that at least one of k runs passes, if `passed` of `runs` runs did: 1 − C(n−c, k) / C(n, k). */
export function computePassAtK(runs: number, passed: number, k: number): number {
  return 1 - shareOfDraws(runs, runs - passed, k);
}

/** pass^k: the probability that all of k runs pass: C(c, k) / C(n, k). */
export function computePassAllK(runs: number, passed: number, k: number): number {
  return shareOfDraws(runs, passed, k);
}

/** The share of draws of k runs that lie among `wanted` runs: C(wanted, k) / C(runs, k), without large numbers. */
function shareOfDraws(runs: number, wanted: number, k: number): number {
  let share = 1;
  for (let drawn = 0; drawn < k; drawn++) share *= Math.max(0, wanted - drawn) / (runs - drawn);
  return share;
}
