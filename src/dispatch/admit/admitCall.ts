import { messageOf } from '../../common/text.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import type { CallInfo } from '../../interface/CallContext.js';
import type { ParsedCall } from '../../interface/ToolPolicy.js';
import { Cancelled } from '../../limit/raceLimits.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { askAgain, askApprover, findEditProblem, mustAskApprover } from './askApprover.js';
import { HandlerCallInfo } from '../HandlerCallInfo.js';
import type { Placement } from '../DispatchContext.js';
import { createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall, IncomingCall } from './IncomingCall.js';
import { formatCallId, logError } from '../finish/logError.js';
import {
  isTooDeep,
  createDenied,
  createNestedTooDeeply,
  createRejected,
  type AttemptResult,
} from '../finish/outcomes.js';
import { openReadOnlyContext } from '../attempt/createReadOnlyContext.js';
import { JudgedCall } from './JudgedCall.js';
import type { ParsedArguments, RefusedArguments } from './parseArguments.js';
import { askPolicies, appliesTo } from './askPolicies.js';
import { describeCallBudget, describeIssues } from '../finish/outcomeTexts.js';

export interface Admission {
  /** The call as its policies see it. */
  readonly parsedCall: ParsedCall;
  /** The details of the call as its policies see them. */
  readonly details: CallInfo;
  /** True if the approver approved the call; the approval also holds for further attempts. */
  readonly isApproved: boolean;
  /** Returns true if state that a policy read has changed since, so that the call conflicts. */
  readonly moved: () => boolean;
}

/** Checks whether a policy or an approver must be asked before the call, or a policy notified of its success. */
export function isGuarded(tool: RenderedTool, place: Placement): boolean {
  const { policies, approvals } = tool.metadata.guardrails;
  return policies.length > 0 || approvals.length > 0 || place.answer !== undefined;
}

/**
 * Checks whether calls of the tool may run together: it is read-only, no policy judges calls by earlier results, and no approver
 * would be asked about two calls at once.
 */
export function mayRunTogether(tool: RenderedTool): boolean {
  const { policies, approvals } = tool.metadata.guardrails;
  const isJudged = policies.some((policy) => policy.onResult !== undefined && appliesTo(policy, tool));
  return tool.hints.readOnly === true && approvals.length === 0 && !isJudged;
}

/**
 * Asks the policies, then the approver, whether a call may run (docs/contract.md, 7.4 and 10). A repeated call is judged again,
 * but keeps its approval.
 *
 * @param parsed the handler's params; policies and approver get a copy, so that their changes do not reach the handler
 * @param before the admission of the previous attempt, for a call that runs again
 * @param attempt the number of the attempt to admit
 * @returns the admission, or the result of a call that may not run
 */
export async function admitCall(
  call: GuardedCall,
  parsed: ParsedArguments,
  before?: Admission,
  attempt = 1,
): Promise<Admission | AttemptResult> {
  try {
    return await askGuardrails(call, parsed, before, attempt);
  } catch (thrown) {
    const callResult = createFailureResult(thrown, call, 'admission');
    const id = formatCallId({ id: callResult.errorId });
    // The log leaves the message out when the model reads it.
    if (id !== '') logError(call, 'warn', `Tool ${call.tool.name} failed${id}: ${messageOf(thrown)}`, thrown);
    return callResult;
  }
}

async function askGuardrails(
  incoming: GuardedCall,
  parsed: ParsedArguments,
  before: Admission | undefined,
  attempt: number,
): Promise<Admission | AttemptResult> {
  const { call, run, place } = incoming;
  const changed = before === undefined ? findEditProblem(incoming) : undefined;
  if (changed !== undefined) return askAgain(incoming, changed);
  const parsedCall = new JudgedCall(incoming, parsed);
  const details = new HandlerCallInfo(call, run, place, attempt);
  const judged = await judge(incoming, parsedCall, details);
  if ('kind' in judged) return judged;
  const isApproved = before?.isApproved === true;
  const isAsked = !isApproved && (judged.demandsApproval || place.answer !== undefined);
  if (!isAsked) return { parsedCall: parsedCall.detach(), details, isApproved, moved: judged.moved };
  const readOnly = openReadOnlyContext(incoming, details);
  const denial = await askApprover(incoming, parsedCall, readOnly).finally(readOnly.close);
  if (denial !== undefined) return denial;
  // The state may have changed while the approver was asked.
  const again = judged.moved() ? await judge(incoming, parsedCall, details) : judged;
  return 'kind' in again ? again : { parsedCall: parsedCall.detach(), details, isApproved: true, moved: again.moved };
}

/** Asks the policies for a decision, and the tool whether it needs approval, on the same state. */
async function judge(
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  details: CallInfo,
): Promise<AttemptResult | { readonly demandsApproval: boolean; readonly moved: () => boolean }> {
  const readOnly = openReadOnlyContext(incoming, details);
  try {
    const denial = await askPolicies(incoming, parsedCall, readOnly);
    if (denial !== undefined) return denial;
    const hasRules = incoming.tool.metadata.guardrails.approvals.length > 0;
    const demandsApproval = hasRules && (await mustAskApprover(incoming, parsedCall, readOnly));
    return { demandsApproval, moved: readOnly.moved };
  } finally {
    const closing = readOnly.close();
    if (closing !== undefined) await closing;
  }
}

/**
 * Creates the result of a call whose arguments do not match the schema of its tool. If a person wrote them, the call is parked and
 * asked about again: the model cannot correct them, and its own were not approved.
 */
export function rejectArguments(call: GuardedCall, { issues, repaired }: RefusedArguments): AttemptResult {
  return call.place.asked === undefined
    ? createRejected(call.tool, issues, repaired)
    : askAgain(call, describeIssues(call.tool.name, issues));
}

export function createCancelledResult(incoming: IncomingCall): AttemptResult {
  return createFailureResult(new Cancelled(incoming.run.signal?.reason), incoming, 'start');
}

/** Returns a result if the call may not begin: the deadline has passed, the budget is used up, or calls are nested too deeply. */
export function findStopAtStart(incoming: GuardedCall): AttemptResult | undefined {
  const { tool, run, place } = incoming;
  if (run.deadline?.expired === true) return createFailureResult(new DeadlineExceededError(), incoming, 'start');
  if (isTooDeep(place)) return createNestedTooDeeply(tool);
  // The model's own calls are checked at the end of their turn, but a program may make many calls before that.
  if (place.program === undefined) return undefined;
  const over = run.budget?.limits.find(({ dimension, used, limit }) => dimension === 'tool_calls' && used >= limit);
  return over && createDenied(tool, describeCallBudget(over));
}
