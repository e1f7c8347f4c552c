import { mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { defineTool } from 'toolwright';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import { PATIENCE_MS } from '../../../packages/programs/spec/kit';
import { measured } from '../hostPause';

/** Where the closing line of a run reads what the files measured. */
const FOLDER = join(__dirname, '../../../build/attacks');
/** What the host may hold after one attack beyond what it held before, in bytes: heap and buffers. */
const KEPT_BYTES = 30_000_000;
/** The longest time to the answer of the next program, in milliseconds; a loaded machine takes seconds. */
const ANSWER_MS = 5_000;

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

/**
 * Measures around every test of a file what an attack leaves: the memory of the host, and the time to the right answer of the next
 * honest program. A test fails if either is out of bounds. Pauses are measured by `leastPause`, within the tests.
 */
export function measureAround(): void {
  const sandbox = new QuickJsSandbox({ workers: 1 });
  const add = defineTool({ name: 'add', description: 'Adds.', handler: () => 3 });
  const seen = { tests: 0, kept: 0, answerMs: 0 };
  let honest: Toolkit;
  let before = 0;

  const answer = async (): Promise<number> => {
    const began = performance.now();
    const { returnValue } = await honest.execute('return (await add()) + 4');
    expect(returnValue).toBe(7);
    return performance.now() - began;
  };

  beforeAll(async () => {
    honest = await Toolkit.from([add], { sandbox, check: 'syntax' });
    await answer();
    before = await held();
  }, PATIENCE_MS);

  afterEach(async () => {
    const answerMs = await answer();
    const now = await held(before + KEPT_BYTES);
    seen.tests++;
    seen.answerMs = Math.max(seen.answerMs, answerMs);
    seen.kept = Math.max(seen.kept, now - before);
    const kept = now - before;
    before = now;
    expect(kept).toBeLessThan(KEPT_BYTES);
    expect(answerMs).toBeLessThan(ANSWER_MS);
  }, PATIENCE_MS);

  afterAll(async () => {
    await honest.close();
    await sandbox.close();
    mkdirSync(FOLDER, { recursive: true });
    const name = basename(expect.getState().testPath ?? 'attacks', '.spec.ts');
    writeFileSync(join(FOLDER, `${name}.json`), JSON.stringify({ ...seen, pauseMs: measured.longestPause }));
  });
}

/** Heap and buffers of the host after a collection, in bytes; some are freed later, so it looks again while there are too many. */
async function held(most = 0): Promise<number> {
  let bytes = Infinity;
  for (let round = 0; round < 4 && bytes > most; round++) {
    collect();
    await sleep(10);
    const { heapUsed, external } = process.memoryUsage();
    bytes = heapUsed + external;
  }
  return bytes;
}
