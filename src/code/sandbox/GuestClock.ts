import { hrtime } from 'node:process';

const STOP = 0;
const SPENT = 1;
const ENTERED = 2;

/**
 * State that host and worker share about a program: if it must stop, and for how long it has been computing. It uses shared
 * memory, because a worker that computes receives no messages.
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

  /** Starts the measurement, when the guest begins to compute. */
  enter(): void {
    Atomics.store(this.cells, ENTERED, hrtime.bigint());
  }

  /** Stops the measurement, when the guest waits or has ended. */
  leave(): void {
    Atomics.add(this.cells, SPENT, hrtime.bigint() - Atomics.load(this.cells, ENTERED));
    Atomics.store(this.cells, ENTERED, 0n);
  }

  /** Milliseconds of computation so far, including the present one. */
  get computedMs(): number {
    const entered = Atomics.load(this.cells, ENTERED);
    const underWay = entered === 0n ? 0n : hrtime.bigint() - entered;
    return Number(Atomics.load(this.cells, SPENT) + underWay) / 1e6;
  }
}
