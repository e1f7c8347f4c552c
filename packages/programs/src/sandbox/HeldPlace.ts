import type { WorkerPool } from './WorkerPool.js';

/** Holds the place of one computing program, and gives it up while the program only waits for a person. */
export class HeldPlace {
  private isAway = false;
  private returning: Promise<void> | undefined;
  private readonly closing = new AbortController();

  constructor(
    private readonly pool: Pick<WorkerPool, 'lend' | 'takeBack'>,
    private readonly owner: object,
  ) {}

  leave(): void {
    if (this.isAway || this.closing.signal.aborted) return;
    this.isAway = true;
    this.pool.lend();
  }

  /** Waits until the program has its place again; settles at once if it never gave it up. */
  reclaim(): Promise<void> {
    if (!this.isAway) return Promise.resolve();
    return (this.returning ??= this.pool.takeBack(this.closing.signal, this.owner).then(() => {
      this.isAway = false;
      this.returning = undefined;
    }));
  }

  /** Stops waiting for the place, since the program has ended. */
  close(): void {
    this.closing.abort();
    if (this.returning === undefined) void this.reclaim();
  }
}
