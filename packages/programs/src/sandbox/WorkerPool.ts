import { FairQueue } from '../FairQueue.js';
import type { EngineWorker } from './EngineWorker.js';

/** The members of a worker that the pool uses. */
export type PooledWorker = Pick<EngineWorker, 'isAlive' | 'isReady' | 'hasStarted' | 'terminate'>;

/** Workers for programs: some are kept warm, and more are started on demand. */
export class WorkerPool<W extends PooledWorker = EngineWorker> {
  private readonly all = new Set<W>();
  /** The longest idle worker comes first. */
  private readonly idle: W[] = [];
  /** Owners that lost a worker with their last program. */
  private readonly costly = new WeakSet();
  private readonly waiting = new FairQueue<() => void>();
  /** Number of workers whose programs wait for a person and need no place meanwhile. */
  private lent = 0;
  private isClosed = false;

  /**
   * @param make starts a worker
   * @param kept number of idle workers to keep
   * @param most maximum number of workers; further programs wait
   */
  constructor(
    private readonly make: () => W,
    private readonly kept: number,
    private readonly most: number,
  ) {
    for (let count = 0; count < kept; count++) this.add();
  }

  /** Takes a worker, to be returned with `give`; undefined if the signal aborts before one is free. */
  async take(signal: AbortSignal, owner: object): Promise<W | undefined> {
    while (!signal.aborted) {
      if (!this.hasPlace) {
        await this.waitForPlace(signal, owner);
        continue;
      }
      const worker = this.findIdle(owner);
      if (worker?.isAlive === true) return worker;
      if (worker === undefined) this.add();
      else this.all.delete(worker);
    }
    return undefined;
  }

  /** Returns the idle worker that is ready soonest. An owner that has cost a worker gets the one that is ready last. */
  private findIdle(owner: object): W | undefined {
    const [soonest, ...others] = [...this.idle].sort((a, b) => waitFor(a) - waitFor(b));
    const next = this.costly.delete(owner) ? (others.at(-1) ?? soonest) : soonest;
    if (next !== undefined) this.idle.splice(this.idle.indexOf(next), 1);
    return next;
  }

  /**
   * Takes a worker back after a program.
   *
   * @param owner the owner of that program
   */
  give(worker: W, owner: object): void {
    if (!worker.isAlive) this.costly.add(owner);
    if (worker.isAlive && this.idle.length < this.kept) this.idle.push(worker);
    else {
      this.all.delete(worker);
      void worker.terminate();
      if (this.all.size < this.kept && !this.isClosed) this.add();
    }
    this.wakeNext();
  }

  /** Lends the place of a program that waits for a person to another program. */
  lend(): void {
    this.lent++;
    this.wakeNext();
  }

  /** Waits until the program has a place again, or its signal aborts. */
  async takeBack(signal: AbortSignal, owner: object): Promise<void> {
    while (!signal.aborted && !this.hasPlace) await this.waitForPlace(signal, owner);
    this.lent--;
  }

  private get hasPlace(): boolean {
    return this.all.size - this.idle.length - this.lent < this.most;
  }

  private wakeNext(): void {
    this.waiting.take()?.task();
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await Promise.all([...this.all].map((worker) => worker.terminate()));
  }

  private add(): void {
    const worker = this.make();
    this.all.add(worker);
    this.idle.push(worker);
  }

  private waitForPlace(signal: AbortSignal, owner: object): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        this.waiting.remove(owner, look);
        signal.removeEventListener('abort', look);
        resolve();
      };
      this.waiting.add(owner, look);
      signal.addEventListener('abort', look);
    });
  }
}

/** Ranks workers by the time until they are ready. */
function waitFor({ isReady, hasStarted }: PooledWorker): number {
  if (isReady) return 0;
  return hasStarted ? 1 : 2;
}
