import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from 'toolwright/internal/light';
import type { CarryJob, EngineJob, RunEngine } from '@toolwright/durable';
import type { EngineKit } from './EngineKit.js';

const PATIENCE_MS = 10_000;

/** Jobs of one check, and what became of them. */
export class EngineBench {
  readonly engine: RunEngine;
  readonly kit: EngineKit;
  /** The jobs that were carried, in the order in which that began; those of other checks left out. */
  readonly carried: string[] = [];
  /** The conversations that are being carried. */
  readonly active = new Set<string>();
  readonly #others: RunEngine[] = [];
  readonly #id = randomId();
  #hasOverlapped = false;

  constructor(engine: RunEngine, kit: EngineKit) {
    this.engine = engine;
    this.kit = kit;
  }

  job(run: string, conversation: string): EngineJob {
    return { tenant: null, run: `${this.#id} ${run}`, conversation: `${this.#id} ${conversation}` };
  }

  async enqueue(job: EngineJob, delayMs = 0, engine = this.engine): Promise<void> {
    await this.kit.create?.(job, delayMs);
    await engine.enqueue(job, { delayMs });
  }

  /** Works with a function for the jobs of this check: what it returns is the outcome. */
  async work(carry: (job: EngineJob) => Promise<'done' | 'again'>, engine = this.engine): Promise<void> {
    const carried: CarryJob = async (job) => {
      if (!job.run.startsWith(this.#id)) return 'done';
      // Thrown here, it would only look like a job that fails.
      if (this.active.has(job.conversation)) this.#hasOverlapped = true;
      this.active.add(job.conversation);
      this.carried.push(job.run.slice(this.#id.length + 1));
      try {
        const outcome = await carry(job);
        if (outcome === 'done') await this.kit.finish?.(job);
        return outcome;
      } finally {
        this.active.delete(job.conversation);
      }
    };
    await engine.work(carried);
  }

  async another(): Promise<RunEngine> {
    const engine = await this.kit.open();
    this.#others.push(engine);
    return engine;
  }

  async until(condition: () => boolean, what: string): Promise<void> {
    const { patienceMs = PATIENCE_MS } = this.kit;
    const start = performance.now();
    while (!condition()) {
      assert.ok(performance.now() - start < patienceMs, `${what}: not within ${String(patienceMs)} ms`);
      await sleep(5);
    }
  }

  /** Asserts what holds in every check. */
  checkAlways(): void {
    assert.ok(!this.#hasOverlapped, 'two jobs of one conversation were carried at a time');
  }

  async close(): Promise<void> {
    for (const engine of [this.engine, ...this.#others]) {
      await engine.drain(1_000);
      await this.kit.close?.(engine);
    }
  }
}
