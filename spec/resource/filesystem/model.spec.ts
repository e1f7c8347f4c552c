import fc from 'fast-check';
import { InMemoryFilesystem } from '../../../src/resource/filesystem/InMemoryFilesystem';
import { expectEqual } from '../../support/expectEqual';
import { NaiveFiles } from './NaiveFiles';
import { runOn, stateOf, stepsOf, withoutMessage, type Kept, type Step } from './steps';

// Whatever is done, one call at a time, the answers and the files are those of an object and a list.

interface BothKept {
  readonly real: Kept;
  readonly naive: Kept<NaiveFiles>;
}

/** The steps on both; a savepoint that is dropped restores the model. */
async function compare(
  fs: InMemoryFilesystem,
  model: NaiveFiles,
  steps: readonly Step[],
  kept: BothKept,
): Promise<NaiveFiles> {
  let now = model;
  for (const step of steps) {
    if (step.do !== 'savepoint') {
      const [answer, expected] = [withoutMessage(await runOn(fs, step, kept.real)), now.run(step, kept.naive)];
      expectEqual({ step, answer }, { step, answer: expected });
      refused += 'refused' in answer ? 1 : 0;
      done += 'refused' in answer ? 0 : 1;
      continue;
    }
    const overlay = fs.begin();
    const before = await stateOf(fs);
    const after = await compare(overlay, now.copy(), step.steps, { real: { ...kept.real }, naive: { ...kept.naive } });
    expectEqual(await stateOf(overlay), after.state);
    expectEqual(await stateOf(fs), before);
    expectEqual(fs.conflicts(overlay), false);
    if (!step.keep) continue;
    fs.commit(overlay);
    now = after;
  }
  return now;
}

let done = 0;
let refused = 0;

test('answers and files are those of the model, savepoints and all', async () => {
  await fc.assert(
    fc.asyncProperty(stepsOf(20), async (steps) => {
      const fs = new InMemoryFilesystem();
      const model = await compare(fs, new NaiveFiles(), steps, { real: {}, naive: {} });
      expectEqual(await stateOf(fs), model.state);
      expectEqual({ ...new InMemoryFilesystem({ files: fs.files() }).files() }, { ...fs.files() });
    }),
    { numRuns: 2_000 },
  );
  // Both must have been met often, or the property says little.
  expect(done).toBeGreaterThan(8_000);
  expect(refused).toBeGreaterThan(4_000);
});
