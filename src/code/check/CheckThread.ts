import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFolder } from '../../common/builtFolder.js';
import { ProgramError } from '../../error/ProgramError.js';
import type { CheckMessage, CheckTask } from './checkTasks.js';

const FILE = join(builtFolder, 'code/check/checkWorker.js');

/** Memory of the thread: what a program can make the parsers or the compiler use. */
const MEGABYTES = 512;

/** How long it may take to start, in milliseconds: enough for a machine under load. */
const START_MS = 30_000;

/**
 * A warm worker thread that reads and checks programs, one at a time. It is started for the first one, does not keep the process
 * alive, and is replaced when a program was too much for it.
 */
export class CheckThread {
  readonly #file: string;
  #worker: Promise<Worker> | undefined;
  #last: Promise<unknown> = Promise.resolve();

  /** @param file what runs in the thread */
  constructor(file: string = FILE) {
    this.#file = file;
  }

  /**
   * @param limitMs how long the task may take, in milliseconds, without waiting for others and for the thread to start
   * @returns undefined when it took longer, or more memory than there is
   * @throws ProgramError E663 when a library that it needs is missing
   */
  ask(task: CheckTask, limitMs: number): Promise<CheckMessage | undefined> {
    const answer = this.#last.then(() => this.#answer(task, limitMs));
    this.#last = answer.catch(() => undefined);
    return answer;
  }

  async #answer(task: CheckTask, limitMs: number): Promise<CheckMessage | undefined> {
    const worker = await this.#started();
    worker.ref();
    worker.postMessage(task);
    const answer = await nextMessage(worker, limitMs);
    if (answer === undefined) {
      this.#worker = undefined;
      await worker.terminate();
    }
    worker.unref();
    return answer;
  }

  /** A start that failed is not the last one. */
  async #started(): Promise<Worker> {
    try {
      return await (this.#worker ??= start(this.#file));
    } catch (error) {
      this.#worker = undefined;
      throw error;
    }
  }
}

/** @throws ProgramError E663, E664 */
async function start(file: string): Promise<Worker> {
  const worker = new Worker(file, {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: MEGABYTES },
    stdout: true,
    stderr: true,
  });
  // A failure in it shows as a message that does not come.
  worker.on('error', () => undefined);
  const message = await nextMessage(worker, START_MS);
  if (message?.kind === 'ready') return worker;
  await worker.terminate();
  throw message?.kind === 'unable'
    ? new ProgramError(`a library that reads programs cannot be loaded: ${message.problem}`, { code: 'E663' })
    : new ProgramError('the thread that checks programs did not start', { code: 'E664' });
}

/** The next thing that the worker says; undefined when it ends, or says nothing in time. */
function nextMessage(worker: Worker, limitMs: number): Promise<CheckMessage | undefined> {
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
