import { Deadline } from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import type { Json, Outcome } from '../format';
import { errorOutcome } from './errorOutcome';

/** Makes a deadline, moves the clock, and looks at what is left. */
export async function runDeadline({ seconds, advance = 0 }: Json): Promise<Outcome> {
  const clock = new FakeClock();
  try {
    const deadline = Deadline.in(Number(seconds) * 1_000, clock);
    clock.advance(Number(advance) * 1_000);
    return { remaining_seconds: deadline.remaining / 1_000, elapsed_seconds: deadline.elapsed / 1_000 };
  } catch (error) {
    return { error: errorOutcome(error) };
  }
}
