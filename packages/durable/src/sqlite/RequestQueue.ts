import { messageOf, isObject } from 'toolwright/internal/light';
import { EMPTY_LOG_MS, WATCH_MS } from '../limits.js';
import { Connection, ConnectionError, isLocked, type DriverClass } from './Connection.js';
import type { FromThread, ScriptAnswer, ScriptRequest, SqliteScript, ThreadProblem, ThreadSetup } from './protocol.js';

/** The shortest and longest pause between attempts to get a lock. */
const [SHORTEST_PAUSE_MS, LONGEST_PAUSE_MS] = [1, 20];

/** A request and its deadline. */
interface Waiting extends ScriptRequest {
  /** The deadline, as `performance.now()` counts. */
  readonly until: number;
}

/**
 * Runs the scripts of a store on one connection: reads one by one, and all waiting writes in one transaction, so that they share a sync
 * of the disk. While another process holds a lock, writes wait and reads continue.
 */
export class RequestQueue {
  readonly #setup: ThreadSetup;
  readonly #load: () => Promise<DriverClass>;
  readonly #send: (message: FromThread) => void;
  #connection: Connection | undefined;
  #reads: Waiting[] = [];
  #writes: Waiting[] = [];
  #isScheduled = false;
  #isClosing = false;
  #pauseMs = SHORTEST_PAUSE_MS;
  #watch: NodeJS.Timeout | undefined;
  /** True while the write-ahead log may hold deleted texts. */
  #holdsDeleted = false;

  /** @param load loads the driver when it is first needed */
  constructor(setup: ThreadSetup, load: () => Promise<DriverClass>, send: (message: FromThread) => void) {
    this.#setup = setup;
    this.#load = load;
    this.#send = send;
  }

  add(requests: readonly ScriptRequest[]): void {
    const until = performance.now() + this.#setup.lockTimeoutMs;
    for (const request of requests) (this.#isRead(request) ? this.#reads : this.#writes).push({ ...request, until });
    this.#schedule(0);
  }

  /** Starts or stops sending `changed` after writes of other processes. */
  watch(isOn: boolean): void {
    clearInterval(this.#watch);
    this.#watch = undefined;
    if (!isOn) return;
    this.#watch = setInterval(() => this.#checkForChanges(), WATCH_MS);
    // The first check, with which later ones are compared.
    this.#checkForChanges();
    this.#schedule(0);
  }

  /** Answers the waiting requests, and then closes the file. */
  close(): void {
    this.watch(false);
    this.#isClosing = true;
    this.#schedule(0);
  }

  #schedule(delayMs: number): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    const work = (): void => void this.#work();
    // All requests that have arrived by then are handled together.
    if (delayMs === 0) setImmediate(work);
    else setTimeout(work, delayMs);
  }

  async #work(): Promise<void> {
    const answers: ScriptAnswer[] = [];
    try {
      const connection = await this.#open();
      this.#reads = this.#runAlone(connection, this.#reads, answers);
      // Answered before the commit, which waits for the disk.
      if (this.#writes.length > 0 && answers.length > 0) this.#send({ kind: 'answers', answers: answers.splice(0) });
      this.#writes = this.#runTogether(connection, this.#writes, answers);
    } catch (error) {
      if (!isLocked(error)) this.#giveUp(answers, toProblem(error), () => true);
    }
    const now = performance.now();
    const message = `another process has held the lock of the file for ${String(this.#setup.lockTimeoutMs)} ms`;
    this.#giveUp(answers, { kind: 'locked', message }, ({ until }) => until <= now);
    if (answers.length > 0) this.#send({ kind: 'answers', answers });
    this.#scheduleNext();
  }

  #scheduleNext(): void {
    this.#isScheduled = false;
    if (this.#reads.length + this.#writes.length > 0) {
      // The pause is random, so that waiting processes do not collide again.
      this.#schedule(this.#pauseMs * (1 + Math.random()));
      this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
      return;
    }
    this.#pauseMs = SHORTEST_PAUSE_MS;
    if (!this.#isClosing) return;
    this.#connection?.close();
    this.#send({ kind: 'closed' });
  }

  /** Returns a connection to the file that is now at the path, so that nothing is written to a deleted or replaced file. */
  async #open(): Promise<Connection> {
    if (this.#connection?.isAt(this.#setup.path) === false) {
      this.#connection.leave(this.#setup.path);
      this.#connection = undefined;
    }
    if (this.#connection === undefined) {
      this.#connection = Connection.open(await this.#load(), this.#setup);
      if (this.#watch !== undefined) this.#checkForChanges();
    }
    return this.#connection;
  }

  /** Runs each request separately. Returns the requests that met a lock. */
  #runAlone(connection: Connection, requests: readonly Waiting[], answers: ScriptAnswer[]): Waiting[] {
    return requests.filter((request) => {
      try {
        answers.push(
          ...(this.#isRead(request) ? [this.#answer(connection, request)] : this.#write(connection, [request])),
        );
        return false;
      } catch (error) {
        if (isLocked(error)) return true;
        answers.push({ id: request.id, problem: toProblem(error) });
        return false;
      }
    });
  }

  /** Runs writes in one transaction, or separately if this fails. Returns the requests that met a lock. */
  #runTogether(connection: Connection, requests: Waiting[], answers: ScriptAnswer[]): Waiting[] {
    if (requests.length < 2) return this.#runAlone(connection, requests, answers);
    try {
      answers.push(...this.#write(connection, requests));
      return [];
    } catch (error) {
      return isLocked(error) ? requests : this.#runAlone(connection, requests, answers);
    }
  }

  #write(connection: Connection, requests: readonly ScriptRequest[]): readonly ScriptAnswer[] {
    connection.begin(requests.some(({ defersSync }) => defersSync !== true));
    try {
      const answers = requests.map((request) => this.#answer(connection, request));
      connection.commit();
      if (requests.some((request) => this.#scriptOf(request).deletes === true)) this.#emptyLog(connection);
      return answers;
    } catch (error) {
      connection.rollback();
      throw error;
    }
  }

  /** Removes deleted texts from the write-ahead log as soon as no other connection reads it. */
  #emptyLog(connection: Connection): void {
    this.#holdsDeleted = !connection.emptyLog();
    if (!this.#holdsDeleted) return;
    setTimeout(() => {
      if (this.#holdsDeleted && this.#connection === connection) this.#emptyLog(connection);
    }, EMPTY_LOG_MS).unref();
  }

  #answer(connection: Connection, request: ScriptRequest): ScriptAnswer {
    const { id } = request;
    const values = request.values.map((value) => (isObject(value) ? JSON.stringify(value) : value));
    let rows: readonly unknown[] = [];
    for (const step of this.#scriptOf(request).steps) {
      const found = connection.run(step, values);
      if (step.returns !== true) continue;
      rows = found;
      if (rows.length === 0) break;
    }
    return { id, rows };
  }

  /** Answers the selected requests with a problem. */
  #giveUp(answers: ScriptAnswer[], problem: ThreadProblem, isMeant: (request: Waiting) => boolean): void {
    const rest = (requests: readonly Waiting[]): Waiting[] =>
      requests.filter((request) => {
        if (!isMeant(request)) return true;
        answers.push({ id: request.id, problem });
        return false;
      });
    this.#reads = rest(this.#reads);
    this.#writes = rest(this.#writes);
  }

  #checkForChanges(): void {
    try {
      if (this.#connection?.hasChanged() === true) this.#send({ kind: 'changed' });
    } catch {
      // If the file cannot be read, the next reader gets the error.
    }
  }

  #isRead(request: ScriptRequest): boolean {
    return this.#scriptOf(request).isRead;
  }

  #scriptOf({ script }: ScriptRequest): SqliteScript {
    const known = this.#setup.scripts[script];
    if (known === undefined) throw new ConnectionError({ kind: 'failed', message: `there is no script ${script}` });
    return known;
  }
}

function toProblem(error: unknown): ThreadProblem {
  return error instanceof ConnectionError ? error.problem : { kind: 'failed', message: messageOf(error) };
}
