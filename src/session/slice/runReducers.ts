import { randomId } from '../../common/builtins.js';
import { className } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Clock, Logger } from '../../interface/ports.js';
import { EventContext } from '../EventContext.js';
import type { SessionState } from '../SessionState.js';
import { runReducer } from './SliceStore.js';

/** The parts of a session that its reducers need. */
interface ReducingSession {
  readonly base: SessionState;
  readonly clock: Clock;
  readonly logger: Logger | undefined;
}

/** Runs the reducers of an event outside of calls; logs the error of a reducer, and runs the others. */
export function runReducers({ base, clock, logger }: ReducingSession, event: object): void {
  runReducer(base, event, new EventContext(clock, randomId), (error, slice) => {
    const place = `A reducer of ${className(slice)} failed for ${className(event.constructor)}`;
    try {
      logger?.error(`${place}: ${messageOf(error)}`, { error });
    } catch {
      // A logger that throws must not keep the other reducers from running.
    }
  });
}
