import 'reflect-metadata';
import { differencesOf, isDecidedDifferently } from './compare/compareOutcome';
import { contestedCases } from './contested';
import type { ConformanceCase } from './format';
import { QuickJsSandbox } from '@toolwright/programs';
import { casesFolder, casesIn, checked } from './loadCases';
import { differencesOf as programDifferencesOf, isDecidedOtherwise } from './programs/compareProgram';
import { loadPrograms } from './programs/loadPrograms';
import { runProgramCase } from './programs/runProgramCase';
import { runCase } from './run/runCase';
import { Tally } from './Tally';
import { waitingProgramAreas, waitsFor } from './waiting';

const folder = casesFolder();
const cases = casesIn(folder);
const programs = loadPrograms(folder);
const all = checked([...cases, ...programs.cases], folder);
const tally = new Tally(all);
const contested = new Set(contestedCases.map(({ id }) => id));

/** A case that cannot even be read does not wait: it is run, and fails by its own name. */
function waits(testCase: ConformanceCase): boolean {
  try {
    return waitsFor(testCase) !== undefined;
  } catch {
    return false;
  }
}

const sandbox = new QuickJsSandbox({ workers: 1 });
/** The engine starts once, on a machine that may be busy. */
const PROGRAM_MS = 60_000;

afterAll(() => sandbox.close());

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

  for (const testCase of programs.cases) {
    const { id, what, area } = testCase;
    if (waitingProgramAreas.has(area)) {
      tally.settle(id, 'waiting');
      continue;
    }
    test(
      `${id} ${what}`,
      async () => {
        tally.settle(id, 'failed');
        const differences = programDifferencesOf(testCase, await runProgramCase(testCase, sandbox));
        expect(differences).toEqual([]);
        tally.settle(id, isDecidedOtherwise(testCase) ? 'decided differently' : 'as reference');
      },
      PROGRAM_MS,
    );
  }

  test('the closing line counts every case of the files exactly once', () => {
    const [total, ...parts] = (tally.line().match(/\d+/g) ?? []).map(Number);
    expect(total).toBe(all.length);
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(all.length);
    expect(parts).toHaveLength(5);
  });

  afterAll(() => {
    // With `-t` some tests do not run: no line is better than one that is wrong.
    if (tally.isComplete) process.stdout.write(`${tally.line()}\n`);
  });
});
