import { hrtime } from 'node:process';

const STOP = 0;
const SPENT = 1;
const ENTERED = 2;
const MEMORY = 3;
const SLEEPERS = 4;
const WAKES = 5;
const CELLS = 6;

/**
 * State of a program that host and worker share: whether it must stop, how long it has been computing, and how much memory it has.
 * It lives in shared memory, because a worker that computes or waits receives no messages.
 */
export class GuestClock {
  private readonly cells: BigInt64Array;

  constructor(readonly memory = new SharedArrayBuffer(CELLS * BigInt64Array.BYTES_PER_ELEMENT)) {
    this.cells = new BigInt64Array(memory);
  }

  /** Asks the guest to stop. */
  stop(): void {
    Atomics.store(this.cells, STOP, 1n);
    this.wake();
  }

  /** Wakes the worker if it waits. */
  wake(): void {
    Atomics.add(this.cells, WAKES, 1n);
    Atomics.notify(this.cells, WAKES);
  }

  /** Returns the number of wakes so far. */
  get wakes(): bigint {
    return Atomics.load(this.cells, WAKES);
  }

  /** Blocks the worker until the next wake after that number of them, or for the given time. */
  wait(wakes: bigint, ms: number): void {
    Atomics.wait(this.cells, WAKES, wakes, ms);
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

  /** Returns true while the guest computes. */
  get isComputing(): boolean {
    return Atomics.load(this.cells, ENTERED) !== 0n;
  }

  /** Returns the guest's memory in bytes, as last measured. */
  get memoryBytes(): number {
    return Number(Atomics.load(this.cells, MEMORY));
  }

  set memoryBytes(bytes: number) {
    Atomics.store(this.cells, MEMORY, BigInt(bytes));
  }

  /** Returns the number of pending sleeps. The guest continues after each of them without the host. */
  get sleepers(): number {
    return Number(Atomics.load(this.cells, SLEEPERS));
  }

  set sleepers(count: number) {
    Atomics.store(this.cells, SLEEPERS, BigInt(count));
  }
}
