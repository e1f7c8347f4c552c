import { lazy } from '../common/lazy.js';
import type { CallRun } from '../dispatch/CallRun.js';
import { RunObserver } from '../dispatch/RunObserver.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import type { IdSource } from '../interface/IdSource.js';
import type { RunMetadata } from '../interface/RunMetadata.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';

const NO_CONTEXT: RunMetadata = Object.freeze({});

/** Creates the run that calls with these options belong to. */
export function runOf(rendered: RenderedPrompt, options: CallOptions, ids: IdSource): CallRun {
  const { session = new Session(), deadline, budget, signal, runMetadata, onEvent } = options;
  return {
    id: lazy(ids),
    rendered,
    session: session.base,
    deadline: deadline ?? rendered.deadline ?? undefined,
    budget: budget === undefined || BudgetTracker.is(budget) ? budget : new BudgetTracker(budget),
    signal,
    metadata: runMetadata === undefined ? NO_CONTEXT : Object.freeze({ ...runMetadata }),
    onEvent: onEvent as CallRun['onEvent'],
    observer: new RunObserver(session),
    runHandle: undefined,
    parentCall: undefined,
  };
}
