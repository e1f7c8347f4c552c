import { MIN_AHEAD_MS } from '../common/limits.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { Clock } from '../interface/ports.js';
import { systemClock } from './clocks.js';

/**
 * The absolute time by which a run must end, measured by an injected clock from the moment it is made; expired from
 * that time on, whatever is done to the time of day meanwhile (docs/contract.md, 10).
 *
 * @example
 * await app.evaluate(prompt, { adapter, session, deadline: Deadline.in(30_000) });
 */
export class Deadline {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly startedAt: number;
  readonly clock: Clock;
  /** The start on the monotonic clock, in milliseconds: the time of day may be set back. */
  readonly startedTick: number;

  /**
   * @param at milliseconds since the epoch, at least one second ahead
   * @param now the present, in milliseconds since the epoch
   * @throws ToolwrightError E605 if it is less than one second ahead
   */
  constructor(at: number, clock: Clock = systemClock, now: number = clock.now()) {
    if (!(at - now >= MIN_AHEAD_MS)) {
      throw new ToolwrightError(
        `A deadline must be at least ${String(MIN_AHEAD_MS)} ms ahead; this one is ${String(at - now)} ms ahead.`,
        {
          code: 'E605',
          remedy: 'Give the run at least one second.',
        },
      );
    }
    this.at = at;
    this.startedAt = now;
    this.clock = clock;
    this.startedTick = clock.monotonic();
  }

  /** Creates a deadline that many milliseconds from now. */
  static in(milliseconds: number, clock: Clock = systemClock): Deadline {
    // The clock is read once, so that exactly one second is always enough.
    const now = clock.now();
    return new Deadline(now + milliseconds, clock, now);
  }

  /** Milliseconds left; negative once it has passed. */
  get remaining(): number {
    return this.at - this.startedAt - this.elapsed;
  }

  /** Milliseconds since the start of the run. */
  get elapsed(): number {
    // Whole ones, rounded up: a timer counts in whole ones, and what it ends must have expired then.
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
