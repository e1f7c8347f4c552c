import type { Clock } from '../../interface/Clock.js';

/** A clock that stands still until it is moved. */
export class FakeClock implements Clock {
  /** Milliseconds since the epoch. */
  time: number;
  /** How long was slept, each time, in milliseconds. */
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

  /** Moves it forward at once. */
  async sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(milliseconds);
    this.advance(milliseconds);
  }

  /** Moves it forward. */
  advance(milliseconds: number): void {
    this.time += milliseconds;
  }
}
