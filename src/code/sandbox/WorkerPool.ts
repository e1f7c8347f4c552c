import { EngineWorker } from './EngineWorker.js';
import type { WorkerSetup } from './protocol.js';

/** Workers for programs: some are kept warm, and more are started on demand. */
export class WorkerPool {
  private readonly all = new Set<EngineWorker>();
  /** The longest idle worker comes first: its next instance is most likely ready. */
  private readonly idle: EngineWorker[] = [];
  private readonly waiting = new Set<() => void>();
  private isClosed = false;

  /**
   * @param kept number of idle workers to keep
   * @param most maximum number of workers; further programs wait
   */
  constructor(
    private readonly setup: WorkerSetup,
    private readonly kept: number,
    private readonly most: number,
  ) {
    for (let count = 0; count < kept; count++) this.add();
  }

  /** Takes a worker, to be returned with `give`; undefined if the signal aborts before one is free. */
  async take(signal: AbortSignal): Promise<EngineWorker | undefined> {
    while (!signal.aborted) {
      const worker = this.idle.shift();
      if (worker?.isAlive === true) return worker;
      if (worker !== undefined) this.all.delete(worker);
      else if (this.all.size < this.most) this.add();
      else await this.aWorkerOr(signal);
    }
    return undefined;
  }

  give(worker: EngineWorker): void {
    if (worker.isAlive && this.idle.length < this.kept) this.idle.push(worker);
    else {
      this.all.delete(worker);
      void worker.terminate();
      if (this.all.size < this.kept && !this.isClosed) this.add();
    }
    for (const look of this.waiting) look();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private add(): void {
    const worker = new EngineWorker(this.setup);
    this.all.add(worker);
    this.idle.push(worker);
  }

  private aWorkerOr(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        this.waiting.delete(look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.waiting.add(look);
      signal.addEventListener('abort', look);
    });
  }
}
