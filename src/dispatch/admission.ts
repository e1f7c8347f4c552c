import { isInstance } from '../common/classes.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import type { ParsedCall } from '../interface/ToolPolicy.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { askApprover, demandsApproval } from './approval.js';
import { callerAt, CallDetails } from './CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import { denied, rejected } from './callResults.js';
import type { CallResult } from './finalise.js';
import { openReadOnlyContext, type ContextScope } from './readOnlyContext.js';
import { parseArguments } from './parseArguments.js';
import { askPolicies, appliesTo } from './policies.js';
import { Cancelled } from './raceHandler.js';
import { isInterruption, type GuardedCall } from './awaitAnswer.js';
import { callBudgetText } from './messages.js';

/** A call that may run. */
export interface Admission {
  /** The call as its policies see it, and from where. */
  readonly parsedCall: ParsedCall;
  readonly scope: ContextScope;
  /** True when somebody was asked and said yes, which holds however often the call runs. */
  readonly isApproved: boolean;
  /** True when something that a policy saw has changed since: the call is then in conflict. */
  readonly moved: () => boolean;
}

/** True when anybody has to be asked before a call of the tool runs, or told afterwards. */
export function isGuarded({ metadata }: RenderedTool): boolean {
  const { policies, approvals } = metadata.guardrails;
  return policies.length > 0 || approvals.length > 0;
}

/**
 * True for a read-only tool of which calls may run together: nobody judges one of them by what the others did, and no
 * approver is asked about two at a time.
 */
export function mayRunTogether(tool: RenderedTool): boolean {
  const { policies, approvals } = tool.metadata.guardrails;
  const isJudged = policies.some((policy) => policy.onResult !== undefined && appliesTo(policy, tool));
  return tool.hints.readOnly === true && approvals.length === 0 && !isJudged;
}

/**
 * Asks policies, then the approver, whether a call may run (docs/contract.md, 7.4 and 10). A call that runs once more is
 * judged again, and its approval stands.
 *
 * @param before what was found for the call's first try
 * @returns how the call ends when it may not run
 * @throws ApprovalPendingError
 */
export async function admit(
  services: DispatchServices,
  incoming: GuardedCall,
  before?: Admission,
): Promise<Admission | CallResult> {
  const { tool, call, run, place, redaction } = incoming;
  // Parsed for them alone: what they do to the params must not reach the handler.
  const seen = parseArguments(tool.metadata, call.arguments, callerAt(place));
  if (!seen.ok) return rejected(tool, seen.issues);
  const parsedCall: ParsedCall = Object.freeze({ tool, call, params: seen.params });
  const details = new CallDetails(call, run, place, before === undefined ? 1 : 2);
  const scope: ContextScope = { run, parentCall: place.parentCall ?? run.parentCall, details, redaction };
  try {
    const judged = await judge(services, incoming, parsedCall, scope);
    if ('kind' in judged) return judged;
    const isApproved = before?.isApproved === true;
    const isAsked = !isApproved && (judged.demandsApproval || place.answer !== undefined);
    if (!isAsked) return { parsedCall, scope, isApproved, moved: judged.moved };
    const readOnly = openReadOnlyContext(services, scope);
    const denial = await askApprover(services, incoming, parsedCall, readOnly).finally(readOnly.close);
    if (denial !== undefined) return denial;
    // While somebody thought it over, the world went on.
    const again = judged.moved() ? await judge(services, incoming, parsedCall, scope) : judged;
    return 'kind' in again ? again : { parsedCall, scope, isApproved: true, moved: again.moved };
  } catch (thrown) {
    if (!isInterruption(thrown, incoming)) throw thrown;
    return isInstance(thrown, Cancelled)
      ? { kind: 'failed', result: null, error: thrown.reason }
      : { kind: 'timed_out', result: null, error: tooLate(tool, thrown) };
  }
}

/** What the policies say, and whether somebody has to be asked; both by the same state. */
async function judge(
  services: DispatchServices,
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  scope: ContextScope,
): Promise<CallResult | { readonly demandsApproval: boolean; readonly moved: () => boolean }> {
  const readOnly = openReadOnlyContext(services, scope);
  try {
    const denial = await askPolicies(services, incoming, parsedCall, readOnly);
    return (
      denial ?? { demandsApproval: demandsApproval(services, incoming, parsedCall, readOnly), moved: readOnly.moved }
    );
  } finally {
    await readOnly.close();
  }
}

/**
 * How a call of a program ends when the budget allows no further one: a program makes many before its turn ends, which is when
 * the model's own calls are compared with the budget.
 *
 * @returns undefined when the call may be made
 */
export function overBudget(tool: RenderedTool, { budget }: CallRun, { program }: CallPlace): CallResult | undefined {
  if (program === undefined) return undefined;
  const over = budget?.limits.find(({ dimension, used, limit }) => dimension === 'tool_calls' && used >= limit);
  return over === undefined ? undefined : denied(tool, callBudgetText(over));
}

/** The run's time is over, and the call has not begun. */
export function tooLate({ name, metadata }: RenderedTool, cause?: unknown): PromptEvaluationError {
  const { place } = metadata;
  return new PromptEvaluationError(`The deadline passed before ${name} could run.`, {
    phase: 'tool',
    code: 'E605',
    place,
    cause,
  });
}
