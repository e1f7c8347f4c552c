import { MIN_AHEAD_MS } from '../common/limits.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Clock } from '../interface/ports.js';
import { systemClock } from './clocks.js';

/**
 * The absolute time by which a run must end, measured by an injected clock from its creation. Changes of the system time after
 * that do not affect when it expires (docs/contract.md, 10).
 *
 * @example
 * await app.evaluate(prompt, { adapter, session, deadline: Deadline.in(30_000) });
 */
export class Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly startedAt: number;
  readonly clock: Clock;
  /** The start on the monotonic clock, in milliseconds, because the time of day may be set back. */
  readonly startedTick: number;

  /**
   * @param at milliseconds since the epoch, at least one second ahead
   * @param now the current time, in milliseconds since the epoch
   * @throws ToolwrightError E605 if it is less than one second ahead
   */
  constructor(at: number, clock: Clock = systemClock, now: number = clock.now()) {
    if (!(at - now >= MIN_AHEAD_MS)) {
      const problem = `A deadline must be at least ${String(MIN_AHEAD_MS)} ms ahead; this one is ${String(at - now)} ms ahead.`;
      throw new ToolwrightError(problem, { code: 'E605', remedy: 'Give the run at least one second.' });
    }
    this.at = at;
    this.startedAt = now;
    this.clock = clock;
    this.startedTick = clock.monotonic();
  }

  /** Creates a deadline that is so many milliseconds from now. */
  static in(milliseconds: number, clock: Clock = systemClock): Deadline {
    // The clock is read only once, so that exactly one second is always enough.
    const now = clock.now();
    return new Deadline(now + milliseconds, clock, now);
  }

  /** Milliseconds left; negative once it has passed. */
  get remaining(): number {
    return this.at - this.startedAt - this.elapsed;
  }

  /** Milliseconds since the start of the run. */
  get elapsed(): number {
    // Rounded up, because timers count whole milliseconds, and the deadline must have expired when its timer fires.
    return Math.ceil(this.clock.monotonic() - this.startedTick);
  }

  get expired(): boolean {
    return this.remaining <= 0;
  }

  /** @throws DeadlineExceededError if it has passed */
  check(): void {
    if (this.expired) throw new DeadlineExceededError(`The deadline passed ${String(-this.remaining)} ms ago.`);
  }
}
