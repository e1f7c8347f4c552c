import fc from 'fast-check';
import type { ScoredRun, TrajectoryOptions } from '@toolwright/evals';
import { trajectory } from '@toolwright/evals';
import { pairCalls } from '../../src/score/matchCalls';
import { createRun } from '../support/createRun';

const call = (name: string, given: Readonly<Record<string, unknown>> = {}) => ({
  name,
  arguments: given,
  failed: false,
});

/** Whether the actual calls, such as 'a b', pass against the expected ones. */
const passes = (options: TrajectoryOptions, expected: string, actual: string): boolean => {
  const calls = (names: string) => names.split(' ').flatMap((name) => (name === '' ? [] : [call(name)]));
  const run = createRun({ task: { id: 't', input: '', expected: { calls: calls(expected) } }, calls: calls(actual) });
  return (trajectory(options)(run) as { pass: boolean }).pass;
};

describe('the modes of a trajectory', () => {
  test.each([
    ['strict', 'a b', 'a b', true],
    ['strict', 'a b', 'b a', false],
    ['strict', 'a', 'a a', false],
    ['unordered', 'a b', 'b a', true],
    ['unordered', 'a b', 'b a a', false],
    ['unordered', 'a a', 'a', false],
    ['subset', 'a b', 'b', true],
    ['subset', 'a b', '', true],
    ['subset', 'a b', 'b b', false],
    ['superset', 'a b', 'b c a', true],
    ['superset', 'a b', 'a', false],
    ['superset', '', 'a', true],
  ] as const)('%s: expected "%s", got "%s": %s', (mode, expected, actual, pass) => {
    expect(passes({ mode }, expected, actual)).toBe(pass);
  });

  test('every strict trajectory is unordered, and an unordered one is both a subset and a superset', () => {
    const names = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 5 }).map((all) => all.join(' '));
    fc.assert(
      fc.property(names, names, (expected, actual) => {
        const [strict, unordered, subset, superset] = (['strict', 'unordered', 'subset', 'superset'] as const).map(
          (mode) => passes({ mode }, expected, actual),
        );
        expect(!strict || unordered).toBe(true);
        expect(unordered).toBe(subset && superset);
      }),
    );
  });
});

describe('the arguments of a trajectory', () => {
  const score = (options: TrajectoryOptions, expected: Record<string, unknown>, actual: unknown) => {
    const calls = [{ name: 'a', arguments: actual, failed: false }];
    const run = createRun({ task: { id: 't', input: '', expected: { calls: [call('a', expected)] } }, calls });
    return trajectory(options)(run) as { pass: boolean; reason?: string };
  };

  test.each([
    ['exact', { x: 1, y: [1, { z: 2 }] }, { y: [1, { z: 2 }], x: 1 }, true],
    ['exact', { x: 1 }, { x: 1, y: 2 }, false],
    ['ignore', { x: 1 }, { x: 2 }, true],
    ['subset', { x: 1, y: 2 }, { x: 1 }, true],
    ['subset', { x: 1 }, { x: 1, y: 2 }, false],
    ['superset', { x: 1 }, { x: 1, y: 2 }, true],
    ['superset', { x: 1, y: 2 }, { x: 1 }, false],
    ['exact', { x: 1 }, 'no JSON', false],
  ] as const)('%s: expected %j, got %j: %s', (mode, expected, actual, pass) => {
    expect(score({ arguments: mode }, expected, actual).pass).toBe(pass);
  });

  test('a comparator or a mode decides for one tool', () => {
    const near = (expected: Readonly<Record<string, unknown>>, actual: unknown) =>
      Math.abs((expected['x'] as number) - (actual as { x: number }).x) < 1;
    expect(score({ tools: { a: near } }, { x: 1 }, { x: 1.5 }).pass).toBe(true);
    expect(score({ tools: { a: near } }, { x: 1 }, { x: 3 }).pass).toBe(false);
    expect(score({ tools: { a: 'ignore', b: 'exact' } }, { x: 1 }, {}).pass).toBe(true);
  });

  test('the reason shows the call and the arguments that are wrong', () => {
    expect(score({}, { seat: '12A' }, { seat: '14C' }).reason).toBe(
      'Call 1: expected a({"seat":"12A"}), got a({"seat":"14C"}).\nArguments of a:\n/seat: expected "12A", got "14C"',
    );
    expect(score({ mode: 'superset' }, { seat: '12A' }, { seat: '14C' }).reason).toMatch(
      /^Missing: a.*\nArguments of a:\n\/seat: expected "12A", got "14C"$/s,
    );
  });

  test('pairs are found that the first match of each call would miss', () => {
    // The first expected call matches both, the second only the first of them.
    const expected = [call('a', {}), call('a', { x: 1 })];
    const actual = [call('a', { x: 1 }), call('a', { x: 2 })];
    const run = createRun({ task: { id: 't', input: '', expected: { calls: expected } }, calls: actual });
    expect(trajectory({ mode: 'unordered', arguments: 'superset' })(run)).toEqual({ pass: true });
  });

  test('pairs are as many as any choice of partners has', () => {
    const table = fc.array(fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(table, (fits) => {
        const most = (row: number, taken: number): number =>
          row === fits.length
            ? 0
            : Math.max(
                most(row + 1, taken),
                ...fits[row]!.map((fit, at) =>
                  fit && !((taken >> at) & 1) ? 1 + most(row + 1, taken | (1 << at)) : 0,
                ),
              );
        const expected = fits.map((_row, index) => ({ name: String(index) }));
        const actual = [0, 1, 2, 3].map((index) => call(String(index)));
        const { missing, unexpected } = pairCalls(
          expected,
          actual,
          (wanted, given) => fits[Number(wanted.name)]![Number(given.name)]!,
        );
        expect(expected.length - missing.length).toBe(most(0, 0));
        expect(actual.length - unexpected.length).toBe(most(0, 0));
      }),
    );
  });
});

test('a trajectory does not apply without expected calls, and can leave failed ones out', () => {
  const failed = { ...call('a'), failed: true };
  const run: ScoredRun = createRun({ calls: [failed, call('b')] });
  expect(trajectory()(run)).toBeUndefined();
  const expected = () => [{ name: 'b' }];
  expect(trajectory({ expected })(run)).toMatchObject({ pass: false });
  expect(trajectory({ expected, ignoreFailed: true })(run)).toEqual({ pass: true });
  expect(() => trajectory({ mode: 'loose' as never })).toThrow(/E413.*mode.*strict, unordered/s);
});
