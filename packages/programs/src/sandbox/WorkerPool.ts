import { FairQueue } from '../FairQueue.js';
import type { EngineWorker } from './EngineWorker.js';

/** A worker, as far as the pool uses it. */
export type PooledWorker = Pick<EngineWorker, 'isAlive' | 'isReady' | 'hasStarted' | 'terminate'>;

/** Workers for programs: some are kept warm, and more are started on demand. */
export class WorkerPool<W extends PooledWorker = EngineWorker> {
  private readonly all = new Set<W>();
  /** The longest idle worker comes first. */
  private readonly idle: W[] = [];
  /** Owners whose last program has cost its worker. */
  private readonly costly = new WeakSet();
  private readonly waiting = new FairQueue<() => void>();
  /** Workers whose programs wait for a person, and need no place meanwhile. */
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

  /** The one that is ready soonest; an owner who has cost a worker waits for the one that is started in its place. */
  private findIdle(owner: object): W | undefined {
    const [soonest, ...others] = [...this.idle].sort((a, b) => waitFor(a) - waitFor(b));
    const next = this.costly.delete(owner) ? (others.at(-1) ?? soonest) : soonest;
    if (next !== undefined) this.idle.splice(this.idle.indexOf(next), 1);
    return next;
  }

  /** @param owner whose program the worker has run */
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

  /** Leaves the place of a program that waits for a person to another one. */
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

/** A measure of the time until a worker is ready, to compare it by. */
function waitFor({ isReady, hasStarted }: PooledWorker): number {
  if (isReady) return 0;
  return hasStarted ? 1 : 2;
}
