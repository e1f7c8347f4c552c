import { lazy } from '../common/lazy.js';
import type { CallRun } from '../dispatch/CallRun.js';
import { RunObserver } from '../dispatch/RunObserver.js';
import type { CallOptions } from '../evaluate/RunOptions.js';
import type { IdSource } from '../interface/IdSource.js';
import type { RunContext } from '../interface/RunContext.js';
import { BudgetTracker } from '../limit/BudgetTracker.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { Session } from '../session/Session.js';

const NO_CONTEXT: RunContext = Object.freeze({});

/** The run that calls with these options belong to. */
export function runOf(rendered: RenderedPrompt, options: CallOptions, ids: IdSource): CallRun {
  const { session = new Session(), deadline, budget, signal, runContext, onEvent } = options;
  return {
    id: lazy(ids),
    rendered,
    session: session.base,
    deadline: deadline ?? rendered.deadline ?? undefined,
    budget: budget === undefined || BudgetTracker.is(budget) ? budget : new BudgetTracker(budget),
    signal,
    context: runContext === undefined ? NO_CONTEXT : Object.freeze({ ...runContext }),
    onEvent: onEvent as CallRun['onEvent'],
    observer: new RunObserver(session),
    facade: undefined,
    parentCall: undefined,
  };
}
