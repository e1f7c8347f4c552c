import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import { Cadence } from './Cadence.js';

/** The cadences of an application: one for each provider instance in each session, kept as long as the session is. */
export class Cadences {
  readonly #bySession = new WeakMap<object, Map<FeedbackProvider, Cadence>>();

  /** @param startedAt where a cadence begins that is not there yet, in milliseconds */
  of(session: object, provider: FeedbackProvider, startedAt: number): Cadence {
    const known = this.#bySession.get(session) ?? new Map<FeedbackProvider, Cadence>();
    this.#bySession.set(session, known);
    const cadence = known.get(provider) ?? new Cadence(startedAt);
    known.set(provider, cadence);
    return cadence;
  }
}
