import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { InjectedFailure } from 'toolwright/testing';
import type { EngineBench } from './EngineBench.js';

export interface EngineRequirement {
  readonly name: string;
  /** True if it applies only to engines that take part in transactions. */
  readonly transactional: boolean;
  /** Throws an AssertionError if the engine does not meet it. */
  readonly check: (bench: EngineBench) => Promise<void>;
}

function defineRequirement(
  name: string,
  check: (bench: EngineBench) => Promise<void>,
  transactional = false,
): EngineRequirement {
  return { name, check, transactional };
}

const LATER_MS = 1_000;
const SHORTLY_MS = 100;

/** Checks that every enqueued job is carried, and that the jobs of one conversation are carried one at a time. */
export const engineChecks: readonly EngineRequirement[] = [
  defineRequirement('each enqueued job is carried, even if it was enqueued before the work began', async (bench) => {
    await bench.enqueue(bench.job('early', 'a'));
    await bench.work(() => Promise.resolve('done'));
    await bench.enqueue(bench.job('late', 'b'));
    await bench.waitUntil(() => ['early', 'late'].every((run) => bench.carried.includes(run)), 'both are carried');
  }),
  defineRequirement('jobs of one conversation are carried one at a time, jobs of others meanwhile', async (bench) => {
    let most = 0;
    await bench.work(async () => {
      most = Math.max(most, bench.active.size);
      await sleep(SHORTLY_MS);
      return 'done';
    });
    for (const conversation of ['a', 'b']) {
      for (const run of [1, 2, 3]) await bench.enqueue(bench.job(`${conversation}${String(run)}`, conversation));
    }
    // The last job of a conversation may have found nothing left to do.
    await bench.waitUntil(
      () => ['a', 'b'].every((name) => bench.carried.some((run) => run.startsWith(name))),
      'carried',
    );
    await bench.waitUntil(() => bench.active.size === 0, 'all have ended');
    assert.equal(most, 2, 'conversations at a time');
  }),
  defineRequirement('a job that is enqueued while its conversation is carried is not lost', async (bench) => {
    let next = (): void => undefined;
    const first = new Promise<void>((resolve) => (next = resolve));
    await bench.work(async ({ run }) => {
      if (run.endsWith('first')) await first;
      return 'done';
    });
    await bench.enqueue(bench.job('first', 'a'));
    await bench.waitUntil(() => bench.carried.length === 1, 'the first one is carried');
    await bench.enqueue(bench.job('second', 'a'));
    next();
    await bench.waitUntil(() => bench.carried.includes('second'), 'the second one is carried');
  }),
  defineRequirement('a job that fails is carried again', async (bench) => {
    await bench.work(() =>
      bench.carried.length < 3 ? Promise.reject(new InjectedFailure('The database is away.')) : Promise.resolve('done'),
    );
    await bench.enqueue(bench.job('failing', 'a'));
    await bench.waitUntil(() => bench.carried.length >= 3, 'it is carried again');
  }),
  defineRequirement('a job for later is carried when its time has come, and not before', async (bench) => {
    const start = performance.now();
    let waited = 0;
    await bench.work(() => {
      waited = performance.now() - start;
      return Promise.resolve('done');
    });
    await bench.enqueue(bench.job('later', 'a'), LATER_MS);
    await bench.waitUntil(() => bench.carried.length > 0, 'it is carried');
    // The clocks of process and database may differ slightly.
    assert.ok(waited > LATER_MS - 50, `it was carried after ${String(waited)} ms`);
  }),
  defineRequirement('a drain waits for carried jobs, and leaves later ones to another worker', async (bench) => {
    let isOver = false;
    await bench.work(async () => {
      await sleep(3 * SHORTLY_MS);
      isOver = true;
      return 'done';
    });
    await bench.enqueue(bench.job('first', 'a'));
    await bench.waitUntil(() => bench.carried.length === 1, 'the first one is carried');
    await bench.engine.drain(10_000);
    assert.ok(isOver, 'the drain did not wait');
    const other = await bench.openAnother();
    await bench.enqueue(bench.job('second', 'b'), 0, other);
    await sleep(3 * SHORTLY_MS);
    assert.equal(bench.carried.length, 1, 'jobs that a drained worker took');
    await bench.work(() => Promise.resolve('done'), other);
    await bench.waitUntil(() => bench.carried.includes('second'), 'the other worker carries it');
  }),
  defineRequirement('a drain does not wait longer than it was told to', async (bench) => {
    let end = (): void => undefined;
    const held = new Promise<void>((resolve) => (end = resolve));
    await bench.work(async () => {
      await held;
      return 'done';
    });
    await bench.enqueue(bench.job('long', 'a'));
    await bench.waitUntil(() => bench.carried.length === 1, 'it is carried');
    const start = performance.now();
    await bench.engine.drain(SHORTLY_MS);
    const waited = performance.now() - start;
    end();
    assert.ok(waited < 20 * SHORTLY_MS, `the drain took ${String(waited)} ms`);
  }),
  defineRequirement('what a draining worker hands back is carried by another one', async (bench) => {
    let isDraining = false;
    await bench.work(async () => {
      while (!isDraining) await sleep(5);
      return 'again';
    });
    const other = await bench.openAnother();
    await bench.enqueue(bench.job('run', 'a'));
    await bench.waitUntil(() => bench.carried.length === 1, 'it is carried');
    const drained = bench.engine.drain(10_000);
    isDraining = true;
    await drained;
    await bench.work(() => Promise.resolve('done'), other);
    await bench.waitUntil(() => bench.carried.length > 1 && bench.active.size === 0, 'the other worker carries it');
  }),
  defineRequirement(
    'a job of a transaction is carried once that is committed, and never if it is rolled back',
    async (bench) => {
      const [kept, lost] = [bench.job('kept', 'a'), bench.job('lost', 'b')];
      const { engine, kit } = bench;
      await bench.work(() => Promise.resolve('done'));
      const failing = kit.transaction?.(async (tx) => {
        await engine.enqueue(lost, {}, tx);
        throw new InjectedFailure('No.');
      });
      await assert.rejects(failing ?? Promise.resolve(), /No/);
      let isCommitted = false;
      await kit.transaction?.(async (tx) => {
        await engine.enqueue(kept, {}, tx);
        await sleep(10 * SHORTLY_MS);
        assert.equal(bench.carried.length, 0, 'jobs that were carried before their transaction was committed');
        isCommitted = true;
      });
      assert.ok(isCommitted);
      await bench.waitUntil(() => bench.carried.includes('kept'), 'it is carried');
      assert.ok(!bench.carried.includes('lost'), 'a job was carried whose transaction was rolled back');
    },
    true,
  ),
];
