import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { builtFolder } from '../builtFolder.js';
import type { FromThread, FromWorker, GuestAnswer, GuestEnd, ProgramOrder, ToWorker, WorkerSetup } from './protocol.js';

/** Receives the messages of a worker about its program; `ended` is the last, also if the thread dies. */
export type WorkerListener = (message: FromWorker) => void;

/** A thread that runs programs one after the other. It keeps the process alive only while it runs one. */
export class EngineWorker {
  isAlive = true;
  /** True while it has an instance for its next program. */
  isReady = false;
  /** True once it has been ready; from then on, it is soon ready again after a program. */
  hasStarted = false;
  private readonly thread: Worker;
  private listener: WorkerListener | undefined;
  private death: GuestEnd = { kind: 'crashed', message: 'the thread of the program ended' };

  constructor(setup: WorkerSetup) {
    this.thread = new Worker(join(builtFolder, 'workers/sandbox/worker.mjs'), {
      workerData: setup,
      env: {},
      execArgv: [],
      stdin: false,
      resourceLimits: { stackSizeMb: 4, maxOldGenerationSizeMb: 256 },
    });
    this.thread.on('message', (message: FromThread) => {
      if ('kind' in message && message.kind === 'ready') this.isReady = this.hasStarted = true;
      else this.emit(message);
    });
    this.thread.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') this.death = { kind: 'exceeded', limit: 'memory' };
    });
    this.thread.on('exit', () => {
      this.isAlive = this.isReady = false;
      this.emit({ kind: 'ended', end: this.death });
    });
    // Last, because adding a message listener refs the thread.
    this.thread.unref();
  }

  start(order: ProgramOrder, listener: WorkerListener): void {
    this.listener = listener;
    this.isReady = false;
    this.thread.ref();
    this.post(order);
  }

  answer(answers: readonly GuestAnswer[]): void {
    this.post(answers);
  }

  async terminate(): Promise<void> {
    // At once: its program may still end by itself, and a pool would give the dying thread to the next one.
    this.isAlive = this.isReady = false;
    await this.thread.terminate();
  }

  private post(message: ToWorker): void {
    this.thread.postMessage(message);
  }

  private emit(message: FromWorker): void {
    const { listener } = this;
    if ('end' in message) {
      this.listener = undefined;
      this.thread.unref();
    }
    listener?.(message);
  }
}
