import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFolder } from '../builtFolder.js';
import { MAX_CHECK_MEGABYTES, MAX_CHECK_START_MS } from '../limits.js';
import { ProgramError } from 'toolwright/internal';
import type { CheckMessage, CheckTask } from './checkTasks.js';

const FILE = join(builtFolder, 'workers/check/checkWorker.mjs');

/**
 * A warm worker thread that reads and checks programs, one at a time. It keeps the process alive only while a program waits for it,
 * and is replaced after a program that exceeds its time or memory.
 */
export class CheckThread {
  readonly #file: string;
  #worker: Worker | undefined;
  /** Settles when the worker can take tasks. */
  #started: Promise<Worker> | undefined;
  /** Settles when the worker has loaded the compiler, or has not found it; undefined if it was not asked to. */
  #loaded: Promise<void> | undefined;
  /** The number of programs that wait for this thread. */
  #waiting = 0;
  #hasChecked: CheckTask['task'] = 'read';

  /** @param file the script of the thread */
  constructor(file: string = FILE) {
    this.#file = file;
  }

  /**
   * Starts the thread and, for a type check, loads the compiler in it. Neither counts as time of a program.
   *
   * @throws ProgramError E663 if a required library is missing; E664 if the thread does not start
   */
  async prepare(kind: CheckTask['task']): Promise<void> {
    if (kind === 'types') this.#hasChecked = kind;
    await this.#keepAlive(() => this.#prepare(kind));
  }

  /** Starts the thread and loads the compiler before any program comes. Ignores failures: `prepare` reports them. */
  warmUp(): void {
    this.#prepare('types').catch(() => undefined);
  }

  /** Replaces a lost thread and loads the same libraries. Ignores failures: the next `prepare` reports them. */
  async replace(): Promise<void> {
    await this.prepare(this.#hasChecked).catch(() => undefined);
  }

  /**
   * Runs a task in the thread, which must be idle.
   *
   * @param limitMs time limit of the task in milliseconds, without the start of the thread
   * @returns undefined if the task exceeded its time, or the memory of the thread
   * @throws ProgramError E663 if a required library is missing; E664 if the thread does not start
   */
  async ask(task: CheckTask, limitMs: number): Promise<CheckMessage | undefined> {
    return this.#keepAlive(async () => this.#askWorker(await this.#start(), task, limitMs));
  }

  async #prepare(kind: CheckTask['task']): Promise<void> {
    const worker = await this.#start();
    if (kind === 'types') this.#loaded ??= this.#load(worker);
    // Any other task waits as well, because the worker handles one at a time.
    await this.#loaded;
  }

  async #load(worker: Worker): Promise<void> {
    const answer = await this.#askWorker(worker, { task: 'load' }, MAX_CHECK_START_MS);
    if (answer === undefined) throw new ProgramError('the compiler was not loaded in time', { code: 'E664' });
  }

  async #askWorker(worker: Worker, task: CheckTask, limitMs: number): Promise<CheckMessage | undefined> {
    worker.postMessage(task);
    const answer = await this.#awaitMessage(worker, limitMs);
    if (answer === undefined) {
      this.#started = this.#loaded = undefined;
      await worker.terminate();
    }
    return answer;
  }

  /** Keeps the process alive while a program waits for the thread. */
  async #keepAlive<T>(work: () => Promise<T>): Promise<T> {
    this.#waiting++;
    this.#worker?.ref();
    try {
      return await work();
    } finally {
      if (--this.#waiting === 0) this.#worker?.unref();
    }
  }

  /** Returns the worker; after a failed start, the next task tries again. */
  async #start(): Promise<Worker> {
    try {
      return await (this.#started ??= this.#startWorker());
    } catch (error) {
      this.#started = undefined;
      throw error;
    }
  }

  /**
   * Starts a worker.
   *
   * @throws ProgramError E663, E664
   */
  async #startWorker(): Promise<Worker> {
    const worker = createWorker(this.#file);
    this.#worker = worker;
    const message = await this.#awaitMessage(worker, MAX_CHECK_START_MS);
    if (message?.kind === 'ready') return worker;
    await worker.terminate();
    throw message?.kind === 'unable'
      ? new ProgramError(`a library that reads programs cannot be loaded: ${message.problem}`, { code: 'E663' })
      : new ProgramError('the thread that checks programs did not start', { code: 'E664' });
  }

  #awaitMessage(worker: Worker, limitMs: number): Promise<CheckMessage | undefined> {
    const message = awaitMessage(worker, limitMs);
    // Last, because adding a message listener refs the thread.
    if (this.#waiting === 0) worker.unref();
    return message;
  }
}

function createWorker(file: string): Worker {
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_CHECK_MEGABYTES },
    stdout: true,
    stderr: true,
  });
  // A failure shows as a missing message.
  worker.on('error', () => undefined);
  return worker;
}

/** Waits for the next message of the worker; undefined if it exits, or sends none in time. */
function awaitMessage(worker: Worker, limitMs: number): Promise<CheckMessage | undefined> {
  return new Promise((resolve) => {
    const settle = (message?: CheckMessage): void => {
      clearTimeout(timer);
      worker.off('message', settle);
      worker.off('exit', onExit);
      resolve(message);
    };
    const onExit = (): void => settle();
    const timer = setTimeout(onExit, limitMs).unref();
    worker.on('message', settle);
    worker.on('exit', onExit);
  });
}
