import { Database, type Statement } from './Database.js';
import { Timeline } from './Timeline.js';

export interface FleetOptions {
  /** The number of runs that all processes together may work on at a time. */
  readonly slots: number;
  readonly slotsOfProcess: number;
  readonly parked: number;
  /** Seconds that a run waits for its reply, on average. */
  readonly waitSeconds: number;
  /** True if every new job wakes all idle slots, as LISTEN/NOTIFY of pg-boss does; false if slots only poll. */
  readonly notifies: boolean;
  /** Seconds between polls of an idle slot. */
  readonly pollSeconds: number;
  /** Seconds between checks whether another process has stopped a running run. */
  readonly lookSeconds: number;
  readonly cores: number;
}

export interface FleetFigures {
  /** Statements a second, by name. */
  readonly perSecond: ReadonlyMap<Statement, number>;
  readonly active: number;
  /** The share of the database's cores that was in use. */
  readonly load: number;
  /** Statements that waited at the end. */
  readonly waiting: number;
  /** Seconds that a job waits until a slot takes it, on average. */
  readonly delay: number;
}

const HEARTBEAT_SECONDS = 5;
const MODEL_SECONDS = 3;
const CALL_SECONDS = 0.3;
/** The statements of a run up to its question: taking it, two answers, the calls between them, and parking it. */
const BEGIN: readonly Statement[] = ['read', 'open', 'entries', 'change', 'change', 'read'];
const RESUME: readonly Statement[] = ['read', 'open', 'entries', 'change', 'read'];
const PARK: readonly Statement[] = ['append', 'change', 'read', 'complete'];
const END: readonly Statement[] = ['append', 'change', 'read', 'complete'];

interface Job {
  readonly isResumed: boolean;
  readonly since: number;
}

/** Workers, parked runs and a database in a steady state: for each run that ends, another one begins. */
export class Fleet {
  readonly #options: FleetOptions;
  readonly #timeline = new Timeline();
  readonly #database: Database;
  readonly #jobs: Job[] = [];
  readonly #idle = new Set<number>();
  #active = 0;
  #samples: number[] = [];
  #delays = 0;
  #taken = 0;
  #seed = 7;

  constructor(options: FleetOptions) {
    this.#options = options;
    this.#database = new Database(this.#timeline, options.cores);
  }

  /** Simulates the fleet. @param seconds the measured time, after half as long to settle */
  run(seconds: number): FleetFigures {
    const { slots, slotsOfProcess } = this.#options;
    for (let slot = 0; slot < slots; slot++) this.#wait(slot, this.#random() * this.#options.pollSeconds);
    for (let process = 0; process < slots / slotsOfProcess; process++) this.#supervise(this.#random());
    this.#replies();
    this.#timeline.runUntil(seconds / 2);
    const before = new Map(this.#database.counts);
    const busy = this.#database.busySeconds;
    [this.#delays, this.#taken] = [0, 0];
    this.#sample();
    this.#timeline.runUntil(seconds * 1.5);
    const rates = [...this.#database.counts].map(
      ([name, count]) => [name, (count - (before.get(name) ?? 0)) / seconds] as const,
    );
    return {
      perSecond: new Map(rates),
      active: this.#samples.reduce((sum, active) => sum + active, 0) / this.#samples.length,
      load: (this.#database.busySeconds - busy) / seconds / this.#options.cores,
      waiting: this.#database.waiting,
      delay: this.#delays / Math.max(1, this.#taken),
    };
  }

  /** Simulates incoming replies, and as many new runs. */
  #replies(): void {
    const { parked, waitSeconds } = this.#options;
    this.#timeline.after(this.#exponential(waitSeconds / parked), () => {
      // A reply reads and appends to the log, queues the run, and sends its job, in one transaction.
      this.#database.run(['read', 'append', 'change', 'send'], () => this.#enqueue(true));
      this.#database.run(['change', 'send'], () => this.#enqueue(false));
      this.#replies();
    });
  }

  #enqueue(isResumed: boolean): void {
    this.#jobs.push({ isResumed, since: this.#timeline.now });
    if (!this.#options.notifies) return;
    for (const slot of [...this.#idle]) this.#fetch(slot);
  }

  #wait(slot: number, seconds = this.#options.pollSeconds): void {
    this.#idle.add(slot);
    const due = this.#timeline.now + seconds;
    this.#timeline.after(seconds, () => {
      if (this.#idle.has(slot) && this.#timeline.now >= due) this.#fetch(slot);
    });
  }

  #fetch(slot: number): void {
    if (!this.#idle.delete(slot)) return;
    const job = this.#jobs.shift();
    if (job === undefined) {
      this.#database.run(['fetch, none'], () => this.#wait(slot));
      return;
    }
    this.#database.run(['fetch, a job'], () => {
      this.#delays += this.#timeline.now - job.since;
      this.#taken += 1;
      this.#carry(slot, job);
    });
  }

  #carry(slot: number, { isResumed }: Job): void {
    this.#active += 1;
    let isActive = true;
    const repeat = (seconds: number, name: Statement): void => {
      this.#timeline.after(seconds, () => {
        if (isActive) this.#database.run([name], () => repeat(seconds, name));
      });
    };
    repeat(HEARTBEAT_SECONDS, 'heartbeat');
    repeat(this.#options.lookSeconds, 'read');
    const end = (): void => {
      isActive = false;
      this.#active -= 1;
      // The slot looks for the next job at once.
      this.#idle.add(slot);
      this.#fetch(slot);
    };
    this.#database.run(isResumed ? RESUME : BEGIN, () =>
      this.#turn(2, () => this.#database.run(isResumed ? END : PARK, end)),
    );
  }

  /** Simulates answers of the model. Each is recorded; a call that may not be repeated is recorded twice. */
  #turn(left: number, then: () => void): void {
    this.#timeline.after(this.#exponential(MODEL_SECONDS), () =>
      this.#database.run(['append'], () => {
        if (left === 1) return then();
        this.#database.run(['append'], () =>
          this.#timeline.after(this.#exponential(3 * CALL_SECONDS), () =>
            this.#database.run(['append'], () => this.#turn(left - 1, then)),
          ),
        );
      }),
    );
  }

  #supervise(delay: number): void {
    this.#timeline.after(delay, () => this.#database.run(['supervise'], () => this.#supervise(1)));
  }

  #sample(): void {
    this.#samples.push(this.#active);
    this.#timeline.after(1, () => this.#sample());
  }

  #exponential(mean: number): number {
    return -Math.log(1 - this.#random()) * mean;
  }

  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_648;
  }
}
