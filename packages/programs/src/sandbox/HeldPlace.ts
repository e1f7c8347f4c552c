import type { WorkerPool } from './WorkerPool.js';

/** The place of one program among those that may compute: it is left while the program can only wait for a person. */
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

  /** Settles when the program has its place, at once if it never left it. */
  reclaim(): Promise<void> {
    if (!this.isAway) return Promise.resolve();
    return (this.returning ??= this.pool.takeBack(this.closing.signal, this.owner).then(() => {
      this.isAway = false;
      this.returning = undefined;
    }));
  }

  /** Ends the wait for the place, since the program has ended. */
  close(): void {
    this.closing.abort();
    if (this.returning === undefined) void this.reclaim();
  }
}
