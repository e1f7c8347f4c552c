import type { Clock } from '../interface/ports.js';

/** A clock that only tests move. */
export class FakeClock implements Clock {
  /** The current time in milliseconds since the epoch. */
  time: number;
  /** The durations of all sleeps so far, in milliseconds. */
  readonly slept: number[] = [];

  constructor(start: number | string | Date = '2030-01-01T00:00:00Z') {
    this.time = new Date(start).getTime();
  }

  now(): number {
    return this.time;
  }

  monotonic(): number {
    return this.time;
  }

  /** Moves the clock forward, and resolves at once. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(milliseconds);
    this.advance(milliseconds);
  }

  /** Moves the clock forward. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
