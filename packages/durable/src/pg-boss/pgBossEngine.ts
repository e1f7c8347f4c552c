import { setTimeout as sleep } from 'node:timers/promises';
import { ToolwrightError } from 'toolwright';
import { formatMessage, messageOf, sha256 } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames, waitAtMost } from 'toolwright/internal';
import { FIRST_JOB_PAUSE_MS, JOB_KEPT_SECONDS, MAX_JOB_PAUSE_MS, MAX_JOB_RETRIES } from '../limits.js';
import type { CarryJob, EngineHealth, EngineJob, RunEngine } from '../runs/RunEngine.js';

/** The parts of a started `PgBoss` that the engine uses. */
export interface PgBossClient {
  createQueue(name: string, options?: Readonly<Record<string, unknown>>): Promise<void>;
  getQueue(name: string): Promise<unknown>;
  send(name: string, data: object, options: Readonly<Record<string, unknown>>): Promise<string | null>;
  work(
    name: string,
    options: Readonly<Record<string, unknown>>,
    handler: (jobs: { readonly data: EngineJob; readonly retryCount: number }[]) => Promise<void>,
  ): Promise<string>;
  offWork(name: string, options?: { readonly id?: string; readonly wait?: boolean }): Promise<void>;
  notifyWorker(id: string): void;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** Options of `pgBossEngine`. */
export interface PgBossEngineOptions {
  /** The name of the queue; `toolwright-runs` by default. */
  readonly queue?: string | undefined;
  /** The most runs at a time in this process; 16 by default. */
  readonly concurrency?: number | undefined;
  /** Seconds without a heartbeat after which another worker takes a run over; 10 by default, which is the least. */
  readonly heartbeatSeconds?: number | undefined;
}

const optionNames: OptionNames<PgBossEngineOptions> = { queue: 1, concurrency: 1, heartbeatSeconds: 1 };

/**
 * Settings of `PgBoss` with which runs are taken over as soon as their heartbeat is late, and begin as soon as they are enqueued. By
 * default, pg-boss checks once a minute.
 *
 * @example
 * const boss = new PgBoss({ connectionString, ...pgBossSettings });
 */
export const pgBossSettings = Object.freeze({
  superviseIntervalSeconds: 1,
  monitorIntervalSeconds: 1,
  useListenNotify: true,
});

const DAY_SECONDS = 86_400;
/** A transaction in which `enqueue` takes part. */
interface SqlTransaction {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/**
 * Creates an engine over pg-boss 12 (Node 22.12 or newer). Jobs are rows in the database of the runs, so a run and its job are written
 * in one transaction. The end of a worker is noticed by its missing heartbeat.
 *
 * @param boss a `PgBoss` that was started with `pgBossSettings`; the engine never stops it
 * @throws PromptError E413 for an unknown option
 * @example
 * const engine = pgBossEngine(await new PgBoss({ connectionString, ...pgBossSettings }).start(), { concurrency: 16 });
 */
export function pgBossEngine(boss: PgBossClient, options: PgBossEngineOptions = {}): RunEngine {
  requireOptionNames('pgBossEngine', options, optionNames);
  return new PgBossEngine(boss, options);
}

class PgBossEngine implements RunEngine {
  readonly isTransactional = true;
  readonly #boss: PgBossClient;
  readonly #queue: string;
  readonly #options: PgBossEngineOptions;
  #ready: Promise<void> | undefined;
  #workers: string[] = [];
  readonly #draining = new AbortController();
  #problem: string | undefined;

  constructor(boss: PgBossClient, options: PgBossEngineOptions) {
    this.#boss = boss;
    this.#options = options;
    this.#queue = options.queue ?? 'toolwright-runs';
    // Without a listener, an error of the pool would end the process.
    boss.on('error', (error) => (this.#problem = error.message));
  }

  async enqueue(
    { tenant, run, conversation }: EngineJob,
    { delayMs = 0 }: { readonly delayMs?: number | undefined } = {},
    tx?: unknown,
  ): Promise<void> {
    await this.#prepareQueue();
    const db = tx === undefined ? {} : { db: toPgBossConnection(tx as SqlTransaction) };
    const start = delayMs > 0 ? { startAfter: new Date(Date.now() + delayMs) } : {};
    const options = { singletonKey: keyOf(tenant, conversation), ...start, ...db };
    await this.#boss.send(this.#queue, { tenant, run, conversation }, options);
  }

  async work(carry: CarryJob): Promise<void> {
    await this.#prepareQueue();
    const { concurrency = 16 } = this.#options;
    // Each worker takes one job, because a batch would wait for its longest run.
    const intervals = { pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 2 };
    const settings = { batchSize: 1, includeMetadata: true, ...intervals };
    for (let count = 0; count < concurrency; count++) {
      let id = '';
      id = await this.#boss.work(this.#queue, settings, async ([job]) => {
        // Jobs written before tenants existed have none. `runs.recover` enqueues their runs again.
        if (job !== undefined)
          await this.#carryJob(carry, { ...job.data, tenant: job.data.tenant ?? null }, job.retryCount);
        // Otherwise the worker would wait for its next poll, although there may be more to do.
        this.#boss.notifyWorker(id);
      });
      this.#workers.push(id);
    }
  }

  async drain(ms: number): Promise<void> {
    this.#draining.abort();
    const stopping = this.#workers.map((id) => this.#boss.offWork(this.#queue, { id, wait: true }));
    this.#workers = [];
    await waitAtMost(Promise.all(stopping), ms);
  }

  async health(): Promise<EngineHealth> {
    const queue = await this.#boss.getQueue(this.#queue);
    const problem = this.#problem;
    this.#problem = undefined;
    if (problem !== undefined) return { ok: false, problem };
    return queue === null && this.#ready !== undefined ? { ok: false, problem: 'the queue was deleted' } : { ok: true };
  }

  /** Carries a job. @throws an error, after which pg-boss gives the job to another worker */
  async #carryJob(carry: CarryJob, job: EngineJob, retries: number): Promise<void> {
    try {
      if ((await carry(job)) === 'done') return;
    } catch (error) {
      this.#problem = messageOf(error);
      // A fault such as a full disk may last for minutes, and another worker may not have it, so the pause grows.
      const pause = Math.min(FIRST_JOB_PAUSE_MS * 2 ** retries, MAX_JOB_PAUSE_MS);
      await sleep(pause, undefined, { signal: this.#draining.signal }).catch(() => undefined);
      throw error;
    }
    const details = { code: 'E741', place: `queue ${this.#queue}` } as const;
    throw new ToolwrightError(formatMessage('the worker drains, and another one continues the run', details), details);
  }

  #prepareQueue(): Promise<void> {
    this.#ready ??= this.#boss
      .createQueue(this.#queue, {
        policy: 'singleton',
        notify: true,
        heartbeatSeconds: this.#options.heartbeatSeconds ?? 10,
        expireInSeconds: DAY_SECONDS,
        retryLimit: MAX_JOB_RETRIES,
        deleteAfterSeconds: JOB_KEPT_SECONDS,
      })
      .catch((error: unknown) => {
        this.#ready = undefined;
        throw error;
      });
    return this.#ready;
  }
}

/** Returns the key of a conversation's jobs. It is hashed, because pg-boss refuses zero bytes and PostgreSQL long index keys. */
function keyOf(tenant: string | null, conversation: string): string {
  return sha256(JSON.stringify([tenant, conversation]));
}

function toPgBossConnection(tx: SqlTransaction): {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
} {
  return { executeSql: async (text, values) => tx.query(text, values) };
}
