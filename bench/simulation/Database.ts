import type { Timeline } from './Timeline.js';

/**
 * The cost of each statement, in milliseconds of one core of the database, and the rows that it locks. The costs are assumptions for a
 * server with its data in memory. They decide where it breaks, not the number of statements.
 */
export const statements = {
  append: { ms: 0.25, locks: 1 },
  change: { ms: 0.2, locks: 1 },
  open: { ms: 0.25, locks: 1 },
  entries: { ms: 0.2, locks: 0 },
  read: { ms: 0.06, locks: 0 },
  'fetch, a job': { ms: 0.4, locks: 1 },
  'fetch, none': { ms: 0.12, locks: 0 },
  send: { ms: 0.3, locks: 1 },
  complete: { ms: 0.2, locks: 1 },
  heartbeat: { ms: 0.15, locks: 1 },
  supervise: { ms: 0.5, locks: 1 },
} as const;

export type Statement = keyof typeof statements;

/** A database with some cores. Each core runs one statement at a time, in the order of arrival. */
export class Database {
  readonly counts = new Map<Statement, number>();
  busySeconds = 0;
  readonly #timeline: Timeline;
  readonly #cores: number;
  readonly #waiting: (() => void)[] = [];
  #head = 0;
  #running = 0;

  constructor(timeline: Timeline, cores: number) {
    this.#timeline = timeline;
    this.#cores = cores;
  }

  get waiting(): number {
    return this.#waiting.length - this.#head;
  }

  /** Runs statements one after the other, then calls `then`. */
  run(names: readonly Statement[], then: () => void): void {
    const [name, ...rest] = names;
    if (name === undefined) then();
    else this.#queue(name, () => this.run(rest, then));
  }

  #queue(name: Statement, done: () => void): void {
    this.#waiting.push(() => {
      this.#running += 1;
      this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
      const seconds = statements[name].ms / 1_000;
      this.busySeconds += seconds;
      this.#timeline.after(seconds, () => {
        this.#running -= 1;
        done();
        this.#next();
      });
    });
    this.#next();
  }

  #next(): void {
    while (this.#running < this.#cores && this.waiting > 0) {
      const start = this.#waiting[this.#head];
      this.#head += 1;
      // Drops the processed part of the queue from time to time.
      if (this.#head > 10_000) {
        this.#waiting.splice(0, this.#head);
        this.#head = 0;
      }
      start?.();
    }
  }
}
