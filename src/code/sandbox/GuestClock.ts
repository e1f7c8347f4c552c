import { hrtime } from 'node:process';

const STOP = 0;
const SPENT = 1;
const ENTERED = 2;

/**
 * What host and worker share about the time of a program: whether it has to stop, and for how long it has been computing. It
 * lies in shared memory, because a worker that computes reads no messages.
 */
export class GuestClock {
  private readonly cells: BigInt64Array;

  constructor(readonly memory = new SharedArrayBuffer(3 * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.cells = new BigInt64Array(memory);
  }

  /** Asks the guest to stop. */
  stop(): void {
    Atomics.store(this.cells, STOP, 1n);
  }

  get mustStop(): boolean {
    return Atomics.load(this.cells, STOP) !== 0n;
  }

  /** The guest begins to compute. */
  enter(): void {
    Atomics.store(this.cells, ENTERED, hrtime.bigint());
  }

  /** The guest waits, or has ended. */
  leave(): void {
    Atomics.add(this.cells, SPENT, hrtime.bigint() - Atomics.load(this.cells, ENTERED));
    Atomics.store(this.cells, ENTERED, 0n);
  }

  /** Milliseconds of computing so far, what is under way included. */
  get computedMs(): number {
    const entered = Atomics.load(this.cells, ENTERED);
    const underWay = entered === 0n ? 0n : hrtime.bigint() - entered;
    return Number(Atomics.load(this.cells, SPENT) + underWay) / 1e6;
  }
}
