import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { randomId } from 'toolwright/internal/light';
import type { CarryJob, EngineJob, RunEngine } from '@toolwright/durable';
import type { Awaitable } from 'toolwright/types';

const PATIENCE_MS = 10_000;

/** The jobs of one check, and their outcomes. */
export class EngineBench {
  readonly engine: RunEngine;
  readonly kit: EngineKit;
  /** The jobs that were started, in order; without jobs of other checks. */
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

  /** Starts an engine with a function for the jobs of this check, which returns the outcome. */
  async work(carry: (job: EngineJob) => Promise<'done' | 'again'>, engine = this.engine): Promise<void> {
    const carried: CarryJob = async (job) => {
      if (!job.run.startsWith(this.#id)) return 'done';
      // Not thrown here: the engine would treat that as a failed job.
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

  async openAnother(): Promise<RunEngine> {
    const engine = await this.kit.open();
    this.#others.push(engine);
    return engine;
  }

  async waitUntil(condition: () => boolean, what: string): Promise<void> {
    const { patienceMs = PATIENCE_MS } = this.kit;
    const start = performance.now();
    while (!condition()) {
      assert.ok(performance.now() - start < patienceMs, `${what}: not within ${String(patienceMs)} ms`);
      await sleep(5);
    }
  }

  /** Asserts the requirements that hold in every check. */
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

/** An engine under test. */
export interface EngineKit {
  /** Opens another engine on the same storage each time, as another process would. */
  open(): Awaitable<RunEngine>;
  /** Closes an engine that `open` returned; it was drained before. */
  close?(engine: RunEngine): Awaitable<void>;
  /** Called before a job is enqueued, for an engine that looks at records: creates the record of the job. */
  create?(job: EngineJob, delayMs: number): Awaitable<void>;
  /** Called when a job is done. */
  finish?(job: EngineJob): Awaitable<void>;
  /** For an engine that takes part in transactions: runs the work in one, and rolls it back if it rejects. */
  transaction?(work: (tx: unknown) => Promise<void>): Promise<void>;
  /** Maximum time until a job is carried, in milliseconds; 10,000 when left out. */
  readonly patienceMs?: number | undefined;
}
