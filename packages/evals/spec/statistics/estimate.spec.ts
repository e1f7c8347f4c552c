import fc from 'fast-check';
import {
  computeClusteredError,
  computeWilsonInterval,
  estimateMean,
  estimateShare,
} from '../../src/statistics/estimate';
import { computePassAllK, computePassAtK } from '../../src/statistics/passAtK';
import { testMcNemar, testSignFlips } from '../../src/statistics/significance';

const single = (values: readonly number[]) =>
  values.map((value) => ({ count: 1, sum: value, sumOfSquares: value ** 2 }));
const passes = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 1, maxLength: 60 });

describe('intervals of shares', () => {
  test.each([
    [0.5, 10, 0.2366, 0.7634],
    [0, 10, 0, 0.2775],
    [1, 10, 0.7225, 1],
    [0.81, 100, 0.7222, 0.8749],
  ])("Wilson's interval of %d of %d is the published one", (share, count, lower, upper) => {
    const interval = computeWilsonInterval(share, count);
    expect(interval.lower).toBeCloseTo(lower, 3);
    expect(interval.upper).toBeCloseTo(upper, 3);
  });

  test('an interval of independent runs is that of Wilson, and holds the share', () => {
    fc.assert(
      fc.property(passes, (values) => {
        const estimate = estimateShare(single(values));
        const share = values.reduce((sum, value) => sum + value, 0) / values.length;
        const { lower, upper } = computeWilsonInterval(share, values.length);
        expect(estimate?.lower).toBeCloseTo(lower, 9);
        expect(estimate?.upper).toBeCloseTo(upper, 9);
        expect(estimate!.lower).toBeLessThanOrEqual(share);
        expect(estimate!.upper).toBeGreaterThanOrEqual(share);
      }),
    );
  });

  test('repeats that always agree say no more than one of them', () => {
    const once = single([0, 1, 1, 0, 1]);
    const repeated = once.map(({ sum }) => ({ count: 8, sum: 8 * sum, sumOfSquares: 8 * sum }));
    const [one, many] = [estimateShare(once), estimateShare(repeated)];
    expect(many?.lower).toBeCloseTo(one!.lower, 1);
    expect(many!.upper - many!.lower).toBeGreaterThan(0.9 * (one!.upper - one!.lower));
  });

  test('the clustered error of clusters of one is the standard error of the mean', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 }), (values) => {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
        expect(computeClusteredError(single(values))).toBeCloseTo(Math.sqrt(variance / values.length), 9);
      }),
    );
  });

  test('one cluster has no standard error, and its mean any value', () => {
    expect(estimateMean([{ count: 5, sum: 2.5, sumOfSquares: 2 }])).toEqual({
      value: 0.5,
      count: 5,
      standardError: undefined,
      lower: 0,
      upper: 1,
    });
    expect(estimateMean([])).toBeUndefined();
  });
});

describe('repeats', () => {
  /** All draws of k of the runs, by definition. */
  const countDraws = (runs: number, passed: number, k: number) => {
    let [any, all, draws] = [0, 0, 0];
    for (let mask = 0; mask < 2 ** runs; mask++) {
      const drawn = Array.from({ length: runs }, (_, index) => index).filter((index) => (mask >> index) & 1);
      if (drawn.length !== k) continue;
      draws++;
      if (drawn.some((index) => index < passed)) any++;
      if (drawn.every((index) => index < passed)) all++;
    }
    return { any: any / draws, all: all / draws };
  };

  test('pass@k and pass^k are the shares of all draws of k runs', () => {
    for (let runs = 1; runs <= 7; runs++)
      for (let passed = 0; passed <= runs; passed++)
        for (let k = 1; k <= runs; k++) {
          const { any, all } = countDraws(runs, passed, k);
          expect(computePassAtK(runs, passed, k)).toBeCloseTo(any, 12);
          expect(computePassAllK(runs, passed, k)).toBeCloseTo(all, 12);
        }
  });

  test('a thousand runs do not overflow', () => {
    expect(computePassAtK(1_000, 1, 500)).toBeCloseTo(0.5, 9);
    expect(computePassAllK(1_000, 999, 500)).toBeCloseTo(0.5, 9);
  });
});

describe('significance', () => {
  test.each([
    [0, 0, 1],
    [1, 1, 1],
    [0, 5, 0.0625],
    [2, 10, 0.03857],
    [10, 2, 0.03857],
  ])("McNemar's exact test of %d lost and %d gained tasks", (lost, gained, p) => {
    expect(testMcNemar(lost, gained)).toBeCloseTo(p, 5);
  });

  test("McNemar's test of very many tasks is a probability", () => {
    expect(testMcNemar(50_000, 50_000)).toBeCloseTo(1, 2);
    expect(testMcNemar(49_000, 51_000)).toBeLessThan(1e-9);
  });

  test('the signs of a few clusters are those of McNemar if each differs by one', () => {
    fc.assert(
      fc.property(fc.nat(6), fc.nat(6), (lost, gained) => {
        const differences = [...Array<number>(lost).fill(-1), ...Array<number>(gained).fill(1), 0];
        expect(testSignFlips(differences)).toBeCloseTo(testMcNemar(lost, gained), 9);
      }),
    );
  });

  test('the sampled test of many clusters is near the exact one, and the same each time', () => {
    const differences = [...Array<number>(30).fill(1), ...Array<number>(14).fill(-1)];
    const p = testSignFlips(differences);
    expect(Math.abs(p - testMcNemar(14, 30))).toBeLessThan(0.005);
    expect(testSignFlips(differences)).toBe(p);
  });

  test('the test takes the size of differences into account', () => {
    const small = testSignFlips([0.1, 0.1, 0.1, 0.1, -0.9]);
    expect(small).toBeGreaterThan(0.5);
    expect(testSignFlips([0.9, 0.9, 0.9, 0.9, 0.9, -0.1])).toBeLessThan(0.1);
  });
});
