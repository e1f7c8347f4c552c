import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import { FeedbackSchedule } from './FeedbackSchedule.js';

/** The schedules of an application: one for each provider instance in each session, kept as long as the session. */
export class FeedbackSchedules {
  readonly #bySession = new WeakMap<object, Map<FeedbackProvider, FeedbackSchedule>>();

  /** @param startedAt the start of a schedule that is created by this call, in milliseconds */
  of(session: object, provider: FeedbackProvider, startedAt: number): FeedbackSchedule {
    const known = this.#bySession.get(session) ?? new Map<FeedbackProvider, FeedbackSchedule>();
    this.#bySession.set(session, known);
    const schedule = known.get(provider) ?? new FeedbackSchedule(startedAt);
    known.set(provider, schedule);
    return schedule;
  }
}
