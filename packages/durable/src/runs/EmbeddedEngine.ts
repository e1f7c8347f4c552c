import type { Clock, Logger } from 'toolwright';
import { messageOf } from 'toolwright/internal/light';
import { waitAtMost } from 'toolwright/internal';
import type { DurableStore, RunFilter, RecordOutline } from '../records/RunRecords.js';
import { DEFAULT_CONCURRENCY_RUNS, FIRST_STORE_PAUSE_MS, MAX_STORE_PAUSE_MS } from '../limits.js';
import type { CarryJob, EngineJob, RunEngine } from './RunEngine.js';
import { isElsewhere, makeScopedKey } from './owners.js';

const PAGE = 100;

/** The services and settings of an embedded engine. */
export interface EmbeddedOptions {
  readonly store: Pick<DurableStore, 'acrossTenants' | 'watch'>;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The name of this process's worker. */
  readonly owner: string;
  readonly concurrency?: number | undefined;
  /** Milliseconds between searches for runs of other processes. */
  readonly pollMs: number;
}

/** A job that waits for its turn. */
interface QueuedJob {
  readonly job: EngineJob;
  /** True if the first search found it, which treats workers of other machines as ended. */
  readonly isFirst: boolean;
}

/**
 * The engine without an external service: one worker in this process. It begins with the open runs in the records, and polls for runs
 * that other processes add.
 */
export class EmbeddedEngine implements RunEngine {
  readonly #options: EmbeddedOptions;
  readonly #queue = new Map<string, QueuedJob>();
  readonly #active = new Map<string, Promise<void>>();
  /** The consecutive failures of a conversation, and the time of its next attempt on a monotonic clock. */
  readonly #failures = new Map<string, { readonly times: number; readonly until: number }>();
  #carry: CarryJob | undefined;
  #timer: NodeJS.Timeout | undefined;
  #unwatch: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  /** True if something was written during a search, which may have missed it. */
  #isStale = false;

  constructor(options: EmbeddedOptions) {
    this.#options = options;
  }

  /** Enqueues a job. A delayed job is found by a later search of the records. */
  async enqueue(job: EngineJob, { delayMs = 0 }: { readonly delayMs?: number | undefined } = {}): Promise<void> {
    if (this.#carry === undefined || delayMs > 0) return;
    this.#queue.set(keyOf(job), { job, isFirst: false });
    this.#startJobs();
    return Promise.resolve();
  }

  async work(carry: CarryJob): Promise<void> {
    if (this.#carry !== undefined) return;
    this.#carry = carry;
    await this.#addDueRuns(true);
    this.#timer = setInterval(this.#lookAgain, this.#options.pollMs);
    this.#unwatch = this.#options.store.watch?.(this.#lookAgain);
  }

  async drain(ms: number): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#unwatch?.();
    this.#carry = undefined;
    this.#queue.clear();
    await waitAtMost(Promise.all(this.#active.values()), ms);
  }

  /** Searches for runs. A call during a search starts another one after it. */
  readonly #lookAgain = (): void => {
    this.#isStale = true;
    this.#looking ??= this.#addUntilFresh().finally(() => (this.#looking = undefined));
  };

  async #addUntilFresh(): Promise<void> {
    while (this.#isStale && this.#carry !== undefined) {
      this.#isStale = false;
      await this.#addDueRuns(false).catch(this.#warn);
    }
  }

  /** Picks the runs that are due. @param isFirst true to check parked runs as well, because a reply may not have queued them */
  async #addDueRuns(isFirst: boolean): Promise<void> {
    await this.#addDue({ status: ['queued', 'running'] }, isFirst);
    const expiresBefore = isFirst ? undefined : this.#options.clock.now() + 1;
    await this.#addDue({ status: ['waiting'], expiresBefore }, isFirst);
    this.#startJobs();
  }

  async #addDue(filter: RunFilter, isFirst: boolean): Promise<void> {
    for (let after = 0; ;) {
      const page = await this.#options.store.acrossTenants.outline({ ...filter, after, limit: PAGE });
      for (const run of page) if (this.#isDue(run, isFirst)) this.#add(run, isFirst);
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      after = last.order;
    }
  }

  #isDue({ status, owner }: RecordOutline, isFirst: boolean): boolean {
    return status !== 'running' || (owner !== this.#options.owner && !isElsewhere(owner, isFirst));
  }

  #add({ tenant, id: run, conversation }: RecordOutline, isFirst: boolean): void {
    const job = { tenant, run, conversation };
    const key = keyOf(job);
    if (this.#active.has(key) || this.#queue.has(key)) return;
    if ((this.#failures.get(key)?.until ?? 0) > this.#options.clock.monotonic()) return;
    this.#queue.set(key, { job, isFirst });
  }

  #startJobs(): void {
    const { concurrency = DEFAULT_CONCURRENCY_RUNS } = this.#options;
    for (const [key, queued] of this.#queue) {
      const carry = this.#carry;
      if (carry === undefined || this.#active.size >= concurrency) return;
      if (this.#active.has(key)) continue;
      this.#queue.delete(key);
      const carrying = this.#carryJob(carry, queued).finally(() => {
        this.#active.delete(key);
        this.#startJobs();
      });
      this.#active.set(key, carrying);
    }
  }

  async #carryJob(carry: CarryJob, { job, isFirst }: QueuedJob): Promise<void> {
    const key = keyOf(job);
    try {
      // Another process may have taken the run since it was found.
      await carry(job, (owner) => owner !== this.#options.owner && isElsewhere(owner, isFirst));
      this.#failures.delete(key);
    } catch (error) {
      const times = (this.#failures.get(key)?.times ?? 0) + 1;
      const pause = Math.min(FIRST_STORE_PAUSE_MS * 2 ** (times - 1), MAX_STORE_PAUSE_MS);
      this.#failures.set(key, { times, until: this.#options.clock.monotonic() + pause });
      this.#options.logger.warn(`A run of ${job.conversation} is tried again: ${messageOf(error)}`, { error, times });
      // The record names this worker, so a search would not find the run.
      setTimeout(() => void this.enqueue(job), pause).unref();
    }
  }

  readonly #warn = (error: unknown): void => {
    this.#options.logger.warn(`The records of runs could not be read: ${messageOf(error)}`, { error });
  };
}

function keyOf({ tenant, conversation }: EngineJob): string {
  return makeScopedKey(tenant, conversation);
}
