import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFolder } from '../builtFolder.js';
import { MAX_CHECK_MEGABYTES, MAX_CHECK_START_MS } from '../limits.js';
import { ProgramError } from 'toolwright/internal';
import type { CheckMessage, CheckTask } from './checkTasks.js';

const FILE = join(builtFolder, 'workers/check/checkWorker.mjs');

/**
 * A warm worker thread that reads and checks programs, one at a time. It starts with the first program, does not keep the process
 * alive, and is replaced after a program that exceeds its time or memory.
 */
export class CheckThread {
  readonly #file: string;
  #worker: Promise<Worker> | undefined;
  /** Workers that have loaded the compiler, or did not find it. */
  readonly #loaded = new WeakSet<Worker>();
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
    const worker = await this.#startWorker();
    if (kind !== 'types' || this.#loaded.has(worker)) return;
    const answer = await this.#askWorker(worker, { task: 'load' }, MAX_CHECK_START_MS);
    if (answer === undefined) throw new ProgramError('the compiler was not loaded in time', { code: 'E664' });
    this.#loaded.add(worker);
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
    return this.#askWorker(await this.#startWorker(), task, limitMs);
  }

  async #askWorker(worker: Worker, task: CheckTask, limitMs: number): Promise<CheckMessage | undefined> {
    worker.ref();
    worker.postMessage(task);
    const answer = await awaitMessage(worker, limitMs);
    if (answer === undefined) {
      this.#worker = undefined;
      await worker.terminate();
    }
    worker.unref();
    return answer;
  }

  /** Returns the worker; after a failed start, the next task tries again. */
  async #startWorker(): Promise<Worker> {
    try {
      return await (this.#worker ??= start(this.#file));
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }
}

/**
 * Starts a worker.
 *
 * @throws ProgramError E663, E664
 */
async function start(file: string): Promise<Worker> {
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MAX_CHECK_MEGABYTES },
    stdout: true,
    stderr: true,
  });
  // A failure shows as a missing message.
  worker.on('error', () => undefined);
  const message = await awaitMessage(worker, MAX_CHECK_START_MS);
  if (message?.kind === 'ready') return worker;
  await worker.terminate();
  throw message?.kind === 'unable'
    ? new ProgramError(`a library that reads programs cannot be loaded: ${message.problem}`, { code: 'E663' })
    : new ProgramError('the thread that checks programs did not start', { code: 'E664' });
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
    const timer = setTimeout(onExit, limitMs);
    worker.on('message', settle);
    worker.on('exit', onExit);
  });
}
