import type { Conversation } from 'toolwright/conversations';
import type { DurableStore, RunRecord } from '../records/RunRecords.js';
import { makeScopedKey } from './owners.js';

/** A run that this process works on. */
export interface ActiveRun {
  readonly record: RunRecord;
  readonly conversation: Conversation;
  readonly abort: AbortController;
  /** The reason of a cancel; undefined without one. */
  cancelled: string | undefined;
  /** Resolves when this process has stopped working on it. */
  readonly ended: Promise<void>;
}

/** The services and settings of `ActiveRuns`. */
export interface PollOptions {
  readonly store: DurableStore;
  /** The name of this process's worker. */
  readonly owner: string;
  /** Milliseconds between checks whether another process has stopped or cancelled a run. */
  readonly pollMs: number;
}

/** Tracks and stops the runs that this process works on. */
export class ActiveRuns {
  readonly #runs = new Map<string, ActiveRun>();
  readonly #options: PollOptions;
  /** Stops checking for runs that another process has stopped. */
  #stopLooking: (() => void) | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#runs.size;
  }

  get({ tenant, id }: Pick<RunRecord, 'tenant' | 'id'>): ActiveRun | undefined {
    return this.#runs.get(makeScopedKey(tenant, id));
  }

  /** Runs the work and counts the run as active meanwhile. */
  async track<T>(record: RunRecord, conversation: Conversation, work: (run: ActiveRun) => Promise<T>): Promise<T> {
    let end: () => void = () => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const run: ActiveRun = { record, conversation, abort: new AbortController(), cancelled: undefined, ended };
    const key = makeScopedKey(record.tenant, record.id);
    this.#runs.set(key, run);
    this.#stopLooking ??= this.#startChecking();
    try {
      return await work(run);
    } finally {
      end();
      // This process may have taken the run again, after another one had shut it out.
      if (this.#runs.get(key) === run) {
        this.#runs.delete(key);
        if (this.#runs.size === 0) this.#stopChecking();
      }
    }
  }

  /** Stops all runs before their next step. */
  release(): void {
    for (const { conversation } of this.#runs.values()) conversation.release();
  }

  /** Aborts all runs at once. They stay open for another worker. */
  abort(reason: unknown): void {
    for (const run of this.#runs.values()) stop(run, reason);
  }

  /** Cancels a run, which then writes its end. Resolves once this process has stopped working on it. */
  async cancel(key: Pick<RunRecord, 'tenant' | 'id'>, reason: string): Promise<void> {
    const run = this.get(key);
    if (run === undefined) return;
    cancel(run, reason);
    await run.ended;
  }

  #stopChecking(): void {
    this.#stopLooking?.();
    this.#stopLooking = undefined;
  }

  #startChecking(): () => void {
    const { pollMs, store } = this.#options;
    const look = (): void => void this.#checkRuns();
    const timer = setInterval(look, pollMs).unref();
    const unwatch = store.watch?.(look);
    return () => {
      clearInterval(timer);
      unwatch?.();
    };
  }

  async #checkRuns(): Promise<void> {
    for (const run of [...this.#runs.values()]) {
      // If the store cannot be read now, no run is stopped. The next append will report a problem.
      const { id, conversation, tenant } = run.record;
      const store = this.#options.store.forTenant(tenant);
      const now = await store.records.get(id).catch(() => 'unknown' as const);
      if (now === 'unknown') continue;
      const waiting = await store.inbox(conversation, id).catch(() => []);
      if (waiting.length > 0) run.conversation.log.noteSteering();
      if (now?.status === 'paused') run.conversation.release();
      else if (now?.status !== 'running' || now.owner !== this.#options.owner)
        stop(run, now?.problem ?? 'another worker has taken the run');
      // Only a cancel in another process gives a running run a problem.
      else if (now.problem !== null) cancel(run, now.problem);
    }
  }
}

/** Aborts a run, which then writes its end. */
function cancel(run: ActiveRun, reason: string): void {
  run.cancelled = reason;
  run.abort.abort(new DOMException(reason, 'AbortError'));
}

/** Aborts a run without closing it in its log: it is already closed, or another worker continues it. */
function stop({ conversation, abort }: ActiveRun, reason: unknown): void {
  conversation.release();
  abort.abort(new DOMException(String(reason), 'AbortError'));
}
