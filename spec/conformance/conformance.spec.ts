import 'reflect-metadata';
import { differencesOf, isDecidedDifferently } from './compare/compareOutcome';
import { contestedCases } from './contested';
import type { ConformanceCase } from './format';
import { casesFolder, loadCases } from './loadCases';
import { runCase } from './run/runCase';
import { Tally } from './Tally';
import { waitsFor } from './waiting';

const cases = loadCases(casesFolder());
const tally = new Tally(cases);
const contested = new Set(contestedCases.map(({ id }) => id));

/** A case that cannot even be read does not wait: it is run, and fails by its own name. */
function waits(testCase: ConformanceCase): boolean {
  try {
    return waitsFor(testCase) !== undefined;
  } catch {
    return false;
  }
}

describe('conformance', () => {
  for (const testCase of cases) {
    const { id, what } = testCase;
    if (waits(testCase)) {
      tally.settle(id, 'waiting');
      continue;
    }
    test(`${id} ${what}`, async () => {
      tally.settle(id, 'failed');
      expect(waitsFor(testCase)).toBeUndefined();
      const differences = differencesOf(testCase, await runCase(testCase));
      if (contested.has(id)) {
        expect(differences).not.toEqual([]);
        tally.settle(id, 'contested');
        return;
      }
      expect(differences).toEqual([]);
      tally.settle(id, isDecidedDifferently(testCase) ? 'decided differently' : 'as reference');
    });
  }

  test('the closing line counts every case of the files exactly once', () => {
    const [total, ...parts] = (tally.line().match(/\d+/g) ?? []).map(Number);
    expect(total).toBe(cases.length);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(cases.length);
    expect(parts).toHaveLength(5);
  });

  afterAll(() => {
    // With `-t` some tests do not run: no line is better than one that is wrong.
    if (tally.isComplete) process.stdout.write(`${tally.line()}\n`);
  });
});
