import { MAX_EXACT_CLUSTERS, MAX_FLIPPED_SIGNS, MIN_SIGN_FLIPS, SIGN_FLIPS } from '../limits.js';

/**
 * McNemar's exact test for tasks that ran once each: the two-sided probability that the passes differ as much by chance.
 *
 * @param lost tasks that passed only in the first results
 * @param gained tasks that passed only in the second results
 */
export function testMcNemar(lost: number, gained: number): number {
  const changed = lost + gained;
  if (changed === 0) return 1;
  let [logOfChoices, tail] = [0, 0];
  for (let count = 0; count <= Math.min(lost, gained); count++) {
    if (count > 0) logOfChoices += Math.log((changed - count + 1) / count);
    tail += Math.exp(logOfChoices - changed * Math.LN2);
  }
  return Math.min(1, 2 * tail);
}

/**
 * The sign-flip permutation test: if nothing has changed, the difference of each cluster could as well have the other sign. Tries all
 * signs if there are few clusters, and a sample with a fixed seed if there are many, so that the same results have the same p.
 *
 * @param differences the sum of the differences of each cluster
 */
export function testSignFlips(differences: readonly number[]): number {
  const changed = differences.filter((difference) => difference !== 0);
  if (changed.length === 0) return 1;
  // Sums of the same numbers in another order differ in their last digits.
  const scale = changed.reduce((sum, difference) => sum + Math.abs(difference), 0);
  const observed = Math.abs(changed.reduce((sum, difference) => sum + difference, 0)) - scale * 1e-12;
  const isExact = changed.length <= MAX_EXACT_CLUSTERS;
  const flips = isExact ? 2 ** changed.length : countFlips(changed.length);
  const random = createRandom(changed.length);
  let extreme = isExact ? 0 : 1;
  for (let flip = 0; flip < flips; flip++) {
    let sum = 0;
    let bits = isExact ? flip : 0;
    for (let index = 0; index < changed.length; index++) {
      if (!isExact && index % 32 === 0) bits = random();
      sum += (bits & 1) === 0 ? (changed[index] ?? 0) : -(changed[index] ?? 0);
      bits >>>= 1;
    }
    if (Math.abs(sum) >= observed) extreme++;
  }
  return extreme / (isExact ? flips : flips + 1);
}

/** The samples of a test, fewer for many clusters, so that it takes a second at most. */
function countFlips(clusters: number): number {
  return Math.min(SIGN_FLIPS, Math.max(MIN_SIGN_FLIPS, Math.floor(MAX_FLIPPED_SIGNS / clusters)));
}

/** Creates a generator of 32 random bits with a seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return (mixed ^ (mixed >>> 14)) >>> 0;
  };
}
