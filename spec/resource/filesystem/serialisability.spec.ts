import fc from 'fast-check';
import { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';
import { expectEqual } from '../../support/expectEqual';
import { NaiveFiles } from './NaiveFiles';
import {
  runOn,
  stateOf,
  stepsOf,
  withoutMessage,
  writingStep,
  type Answer,
  type Kept,
  type PlainStep,
  type Step,
} from './steps';

// Overlays that are open at the same time, and writes past them, have the effects and answers of some order of those that
// were taken in, namely the order in which they were. The order is tried on a naive model, and, with the messages of errors,
// on a filesystem without overlays.

interface Program {
  readonly steps: readonly Step[];
  /** Two savepoints that are open at the same time. */
  readonly beside: readonly (readonly Step[])[];
  readonly then: readonly Step[];
  readonly fails: boolean;
}

const program: fc.Arbitrary<Program> = fc.record({
  steps: stepsOf(4, 1),
  beside: fc.oneof(fc.constant([]), fc.tuple(stepsOf(3, 0), stepsOf(3, 0))),
  then: fc.oneof(fc.constant([]), stepsOf(2, 0)),
  fails: fc.constantFrom(false, false, false, true),
});

/** An operation with its place in the order. */
type Entry =
  | { readonly step: PlainStep; readonly answer: Answer }
  | { readonly keep: boolean; readonly entries: readonly Entry[] };

type Run = AsyncGenerator<undefined, void>;

/** Yields after each step, so that others can run in between. */
async function* runSteps(fs: InMemoryFilesystem, steps: readonly Step[], entries: Entry[], kept: Kept): Run {
  for (const step of steps) {
    if (step.do === 'savepoint') yield* runSavepoint(fs, step.steps, step.keep, entries, kept);
    else entries.push({ step, answer: await runOn(fs, step, kept) });
    yield undefined;
  }
}

async function* runSavepoint(
  fs: InMemoryFilesystem,
  steps: readonly Step[],
  keep: boolean,
  outer: Entry[],
  kept: Kept,
): Run {
  const entries: Entry[] = [];
  // What is dropped has seen the state with which it began.
  if (!keep) outer.push({ keep, entries });
  const overlay = fs.begin();
  yield* runSteps(overlay, steps, entries, { ...kept });
  if (!keep || fs.conflicts(overlay)) return;
  fs.commit(overlay);
  outer.push({ keep, entries });
}

async function* runProgram(fs: InMemoryFilesystem, program: Program, entries: Entry[]): Run {
  const kept: Kept = {};
  yield* runSteps(fs, program.steps, entries, kept);
  const runs = program.beside.map((steps) => runSavepoint(fs, steps, true, entries, kept));
  for (let ended = 0; ended < runs.length;) {
    ended = 0;
    for (const run of runs) ended += (await run.next()).done === true ? 1 : 0;
    yield undefined;
  }
  yield* runSteps(fs, program.then, entries, kept);
}

/** The same, one after the other, on the model. */
function onModel(model: NaiveFiles, entries: readonly Entry[], kept: Kept<NaiveFiles>): NaiveFiles {
  let now = model;
  for (const entry of entries) {
    if ('step' in entry) {
      expectEqual({ ...entry, answer: withoutMessage(entry.answer) }, { ...entry, answer: now.run(entry.step, kept) });
      continue;
    }
    const after = onModel(now.copy(), entry.entries, { ...kept });
    if (entry.keep) now = after;
  }
  return now;
}

/** The same, one after the other, on a filesystem without overlays. */
async function onFiles(fs: InMemoryFilesystem, entries: readonly Entry[], kept: Kept): Promise<void> {
  for (const entry of entries) {
    if ('step' in entry) {
      expectEqual(entry, { ...entry, answer: await runOn(fs, entry.step, kept) });
      continue;
    }
    const before = await fs.snapshot();
    await onFiles(fs, entry.entries, { ...kept });
    if (!entry.keep) await fs.restore(before);
  }
}

test('HAND-24 CONC-03 overlays have the effects and the answers of the order in which they were taken in', async () => {
  const counts = { committed: 0, replayed: 0, conflicted: 0, dropped: 0 };
  await fc.assert(
    fc.asyncProperty(
      fc.array(writingStep, { maxLength: 6 }),
      fc.array(program, { minLength: 1, maxLength: 4 }),
      fc.array(writingStep, { maxLength: 3 }),
      fc.array(fc.nat(4), { maxLength: 60 }),
      async (first, programs, outside, schedule) => {
        const fs = new InMemoryFilesystem();
        const order: (readonly Entry[])[] = [];
        const direct = async (step: PlainStep): Promise<void> => {
          order.push([{ step, answer: await runOn(fs, step, {}) }]);
        };
        for (const step of first) await direct(step);

        const running = programs.map(async function* (program): Run {
          const overlay = fs.begin();
          const began = order.length;
          const entries: Entry[] = [];
          yield* runProgram(overlay, program, entries);
          if (program.fails) counts.dropped++;
          else if (fs.conflicts(overlay)) counts.conflicted++;
          else {
            fs.commit(overlay);
            counts.committed++;
            if (order.length > began) counts.replayed++;
            order.push(entries);
          }
        });
        running.push(
          (async function* (): Run {
            for (const step of outside) {
              await direct(step);
              yield undefined;
            }
          })(),
        );
        for (const turn of [...schedule, ...Array.from({ length: 150 }, (_, index) => index)])
          await running[turn % running.length]!.next();

        let model = new NaiveFiles();
        const serial = new InMemoryFilesystem();
        for (const entries of order) {
          model = onModel(model, entries, {});
          await onFiles(serial, entries, {});
        }
        const state = await stateOf(fs);
        expectEqual(state, model.state);
        expectEqual(state, await stateOf(serial));
      },
    ),
    { numRuns: 2_000 },
  );
  // All of it must have been met often, or the property says little.
  expect(counts.committed).toBeGreaterThan(1_000);
  expect(counts.replayed).toBeGreaterThan(500);
  expect(counts.conflicted).toBeGreaterThan(500);
  expect(counts.dropped).toBeGreaterThan(500);
}, 120_000);
