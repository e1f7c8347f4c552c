import type { AbstractConstructor } from '../common/types.js';
import type { Session } from '../session/Session.js';

/**
 * Passes the events of a run to the reducers of its session. Events are held back while a call of the run is open: the call
 * would take the changes for changes from outside, and conflict with its own events.
 */
export class SessionObserver {
  readonly session: Session;
  readonly #waiting: object[] = [];
  #openCalls = 0;

  constructor(session: Session) {
    this.session = session;
  }

  hasReducerFor(type: AbstractConstructor<unknown>): boolean {
    return this.session.rules.reducersOf(type) !== undefined;
  }

  /** Runs the reducers of the event's class, now or once no call is open; never throws. */
  observe(event: object): void {
    if (this.#openCalls > 0) this.#waiting.push(event);
    else this.session.observe(event);
  }

  /** A call begins. */
  enter(): void {
    this.#openCalls++;
  }

  /** A call has committed or was rolled back. */
  leave(): void {
    this.#openCalls--;
    if (this.#openCalls > 0) return;
    for (const event of this.#waiting.splice(0)) this.session.observe(event);
  }
}
