import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import { FeedbackSchedule } from './FeedbackSchedule.js';

/** The cadences of an application: one for each provider instance in each session, kept as long as the session is. */
export class FeedbackSchedules {
  readonly #bySession = new WeakMap<object, Map<FeedbackProvider, FeedbackSchedule>>();

  /** @param startedAt where a cadence begins that is not there yet, in milliseconds */
  of(session: object, provider: FeedbackProvider, startedAt: number): FeedbackSchedule {
    const known = this.#bySession.get(session) ?? new Map<FeedbackProvider, FeedbackSchedule>();
    this.#bySession.set(session, known);
    const schedule = known.get(provider) ?? new FeedbackSchedule(startedAt);
    known.set(provider, schedule);
    return schedule;
  }
}
