import type { CarryJob, EngineHealth, EngineJob, RunEngine } from './RunEngine.js';
import type { DurableStore, RecordOutline, WithinChange } from '../records/RunRecords.js';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';

const PAGE = 100;

/**
 * Wraps an engine and adds replies through `store.reply` or `conversation.reply`. These queue the run but cannot enqueue its job, so
 * workers search for such runs and enqueue them.
 */
export class RepliesEngine implements RunEngine {
  readonly #engine: RunEngine;
  readonly #store: DurableStore;
  readonly #pollMs: number;
  #stop: (() => void) | undefined;
  #looking: Promise<void> | undefined;

  /** @param pollMs the milliseconds between searches; a store that notices writes of other processes starts one earlier */
  constructor(engine: RunEngine, store: DurableStore, pollMs: number) {
    this.#engine = engine;
    this.#store = store;
    this.#pollMs = pollMs;
  }

  get isTransactional(): boolean {
    return this.#engine.isTransactional === true;
  }

  enqueue(job: EngineJob, options?: { readonly delayMs?: number | undefined }, tx?: unknown): Promise<void> {
    return this.#engine.enqueue(job, options, tx);
  }

  async work(carry: CarryJob): Promise<void> {
    await this.#engine.work(carry);
    const timer = setInterval(this.#lookAgain, this.#pollMs).unref();
    const unwatch = this.#store.watch?.(this.#lookAgain);
    this.#stop = () => {
      clearInterval(timer);
      unwatch?.();
    };
    this.#lookAgain();
  }

  async drain(ms: number): Promise<void> {
    this.#stop?.();
    this.#stop = undefined;
    await this.#looking;
    await this.#engine.drain(ms);
  }

  health(): Promise<EngineHealth> {
    return this.#engine.health?.() ?? Promise.resolve({ ok: true });
  }

  readonly #lookAgain = (): void => {
    // If store or engine cannot be reached now, the next search asks again. `runs.health` reports it.
    this.#looking ??= this.#enqueueQueuedRuns()
      .catch(() => undefined)
      .finally(() => (this.#looking = undefined));
  };

  async #enqueueQueuedRuns(): Promise<void> {
    const filter = { status: ['queued'], expiresBefore: Number.MAX_SAFE_INTEGER, limit: PAGE } as const;
    for (const run of await this.#store.acrossTenants.outline(filter)) await this.#enqueue(run);
  }

  async #enqueue(run: RecordOutline): Promise<void> {
    const { records } = this.#store.forTenant(run.tenant);
    const note = (within?: WithinChange) => records.change(run.id, { status: ['queued'] }, { expiresAt: null }, within);
    if (this.isTransactional) {
      await changeAndEnqueue(this.#engine, toEnqueuedJob(run), note);
      return;
    }
    // The job is enqueued first: if the process ends in between, the next search enqueues the run once more.
    await this.#engine.enqueue(toEnqueuedJob(run));
    await note();
  }
}
