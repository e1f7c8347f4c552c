import type { AbstractConstructor } from '../common/types.js';
import type { Session } from '../session/Session.js';

/**
 * Passes the events of a run to the reducers of its session. Holds events back while a call of the run is open: the call would
 * otherwise see its own events as changes from outside, and conflict with them.
 */
export class SessionObserver {
  readonly session: Session;
  // Created on first use: most calls have no events.
  #waiting: object[] | undefined;
  #openCalls = 0;

  constructor(session: Session) {
    this.session = session;
  }

  hasReducerFor(type: AbstractConstructor<unknown>): boolean {
    return this.session.rules.reducersOf(type) !== undefined;
  }

  /** Runs the reducers of the event's class, now or once no call is open; never throws. */
  observe(event: object): void {
    if (this.#openCalls > 0) (this.#waiting ??= []).push(event);
    else this.session.observe(event);
  }

  enter(): void {
    this.#openCalls++;
  }

  /** Notes that a call was committed or rolled back. */
  leave(): void {
    this.#openCalls--;
    if (this.#openCalls > 0 || this.#waiting === undefined) return;
    const waiting = this.#waiting;
    this.#waiting = undefined;
    for (const event of waiting) this.session.observe(event);
  }
}
