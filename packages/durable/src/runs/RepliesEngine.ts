import type { CarryJob, EngineHealth, EngineJob, RunEngine } from './RunEngine.js';
import type { DurableStore, RunOutline, WithinChange } from 'toolwright/internal';
import { changeAndEnqueue, toEnqueuedJob } from './changeAndEnqueue.js';

const PAGE = 100;

/**
 * The engine of an application, which also learns of replies that came through `store.reply` or `conversation.reply`. Those queue the run,
 * and cannot enqueue its job: workers look for such runs, and enqueue them.
 */
export class RepliesEngine implements RunEngine {
  readonly #engine: RunEngine;
  readonly #store: DurableStore;
  readonly #pollMs: number;
  #stop: (() => void) | undefined;
  #looking: Promise<void> | undefined;

  /** @param pollMs the milliseconds between looks, unless the store notices what other processes write */
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
    // A store or an engine that cannot be reached now is asked again at the next look; `runs.health` says so.
    this.#looking ??= this.#enqueueQueuedRuns()
      .catch(() => undefined)
      .finally(() => (this.#looking = undefined));
  };

  async #enqueueQueuedRuns(): Promise<void> {
    const filter = { status: ['queued'], expiresBefore: Number.MAX_SAFE_INTEGER, limit: PAGE } as const;
    for (const run of await this.#store.acrossTenants.outline(filter)) await this.#enqueue(run);
  }

  async #enqueue(run: RunOutline): Promise<void> {
    const { records } = this.#store.forTenant(run.tenant);
    const note = (within?: WithinChange) => records.change(run.id, { status: ['queued'] }, { expiresAt: null }, within);
    if (this.isTransactional) {
      await changeAndEnqueue(this.#engine, toEnqueuedJob(run), note);
      return;
    }
    // First the job: a process that ends in between leaves a run that the next look enqueues once more.
    await this.#engine.enqueue(toEnqueuedJob(run));
    await note();
  }
}
