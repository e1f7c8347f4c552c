import { lazy } from '../common/lazy.js';
import type { CallRun, Home, RunAudience } from '../dispatch/CallRun.js';
import { RunObserver } from '../dispatch/RunObserver.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import type { IdSource } from '../interface/IdSource.js';
import type { RunMetadata } from '../interface/RunMetadata.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';

const NO_CONTEXT: RunMetadata = Object.freeze({});

/** Returns whom the events of a run with these options reach, whatever becomes of it. */
export function audienceOf({ session = new Session(), runMetadata, onEvent }: CallOptions): RunAudience {
  return {
    session: session.base,
    metadata: runMetadata === undefined ? NO_CONTEXT : Object.freeze({ ...runMetadata }),
    onEvent: onEvent as CallRun['onEvent'],
    observer: new RunObserver(session),
  };
}

/**
 * Creates the run that calls with these options belong to.
 *
 * @param home the log that it is written to, if it is
 */
export function runOf(rendered: RenderedPrompt, options: CallOptions, ids: IdSource, home?: Home): CallRun {
  const { deadline, budget, signal } = options;
  // Member by member: V8 keeps what a spread begins as a dictionary, which makes a call ten times as slow.
  const { session, metadata, onEvent, observer } = audienceOf(options);
  return {
    session,
    metadata,
    onEvent,
    observer,
    home,
    id: lazy(ids),
    rendered,
    deadline: deadline ?? rendered.deadline ?? undefined,
    budget: budget === undefined || BudgetTracker.is(budget) ? budget : new BudgetTracker(budget),
    signal,
    runHandle: undefined,
    parentCall: undefined,
  };
}
