import { memoize } from '../common/memoize.js';
import type { DispatchContext, Home, EventAudience } from '../dispatch/DispatchContext.js';
import { SessionObserver } from '../dispatch/SessionObserver.js';
import type { IdSource } from '../interface/ports.js';
import type { RunMetadata } from '../interface/CallContext.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';
import type { CallOptions } from './RunOptions.js';

const NO_CONTEXT: RunMetadata = Object.freeze({});

/** Lists the receivers of the events of a run with these options, however the run ends. */
export function createAudience({ session = new Session(), runMetadata, onEvent }: CallOptions): EventAudience {
  return {
    session: session.base,
    metadata: runMetadata === undefined ? NO_CONTEXT : Object.freeze({ ...runMetadata }),
    onEvent: onEvent as DispatchContext['onEvent'],
    observer: new SessionObserver(session),
  };
}

/**
 * Creates the run that calls with these options belong to.
 *
 * @param home the conversation that records the run; undefined if none does
 */
export function createRun(rendered: RenderedPrompt, options: CallOptions, ids: IdSource, home?: Home): DispatchContext {
  const { deadline, budget, signal, repeatOf } = options;
  // Member by member: V8 turns an object that begins with a spread into a dictionary, which makes a call ten times as
  // slow.
  const { session, metadata, onEvent, observer } = createAudience(options);
  return {
    session,
    metadata,
    onEvent,
    observer,
    home,
    id: memoize(ids),
    repeatOf,
    rendered,
    deadline: deadline ?? rendered.deadline ?? undefined,
    budget: budget === undefined || budget instanceof BudgetTracker ? budget : new BudgetTracker(budget),
    signal,
    runHandle: undefined,
    parentCall: undefined,
  };
}
