import { messageOf } from '../../common/text.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import type { ParsedCall } from '../../interface/ToolPolicy.js';
import { Cancelled } from '../../limit/raceLimits.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { askApprover, mustAskApprover } from './askApprover.js';
import { HandlerCallInfo } from '../HandlerCallInfo.js';
import type { Placement, CallRun, DispatchServices } from '../CallRun.js';
import { createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall, IncomingCall } from './IncomingCall.js';
import { formatCallId, logError } from '../finish/logError.js';
import { isTooDeep, createDenied, createNestedTooDeeply, type AttemptResult } from '../finish/outcomes.js';
import { openReadOnlyContext, type ContextScope } from '../attempt/createReadOnlyContext.js';
import { dropRepeatedKeys, parseArguments } from './parseArguments.js';
import { askPolicies, appliesTo } from './askPolicies.js';
import { describeCallBudget } from '../finish/outcomeTexts.js';
import { deepCopy } from '../../session/state/deepCopy.js';

/** The admission of a call that may run. */
export interface Admission {
  /** The call as its policies see it. */
  readonly parsedCall: ParsedCall;
  readonly scope: ContextScope;
  /** True if the approver approved the call, which holds for a second attempt as well. */
  readonly isApproved: boolean;
  /** True if something that a policy read has changed since: the call is then in conflict. */
  readonly moved: () => boolean;
}

/** The attempt before, of a call that runs again. */
export interface AttemptBefore {
  readonly admission: Admission;
  /** The number of the attempt that is to be admitted. */
  readonly attempt: number;
}

/** True if a policy or an approver is asked before the call runs, or a policy is notified of its success. */
export function isGuarded({ tool, place }: GuardedCall): boolean {
  const { policies, approvals } = tool.metadata.guardrails;
  return policies.length > 0 || approvals.length > 0 || place.answer !== undefined;
}

/**
 * True if calls of the tool may run together: it is read-only, no policy judges one call by the others, and no approver is
 * asked about two at a time.
 */
export function mayRunTogether(tool: RenderedTool): boolean {
  const { policies, approvals } = tool.metadata.guardrails;
  const isJudged = policies.some((policy) => policy.onResult !== undefined && appliesTo(policy, tool));
  return tool.hints.readOnly === true && approvals.length === 0 && !isJudged;
}

/**
 * Asks the policies, then the approver, whether a call may run (docs/contract.md, 7.4 and 10). A call that runs once more is
 * judged again, and its approval stands.
 *
 * @param params of the handler; policies and approver see a copy, so that what they change does not reach it
 * @param before of a call that runs again
 * @returns the result of a call that may not run
 */
export async function admitCall(
  services: DispatchServices,
  call: GuardedCall,
  params: unknown,
  before?: AttemptBefore,
): Promise<Admission | AttemptResult> {
  try {
    return await askGuardrails(services, call, params, before);
  } catch (thrown) {
    const callResult = createFailureResult(thrown, call, 'admission');
    const id = formatCallId({ id: callResult.errorId });
    // Where the model reads the message of the error, the log need not have it.
    if (id !== '') logError(services, call, 'warn', `Tool ${call.tool.name} failed${id}: ${messageOf(thrown)}`, thrown);
    return callResult;
  }
}

async function askGuardrails(
  services: DispatchServices,
  incoming: GuardedCall,
  params: unknown,
  before: AttemptBefore | undefined,
): Promise<Admission | AttemptResult> {
  const { tool, call, run, place, redaction } = incoming;
  const parsedCall: ParsedCall = Object.freeze({
    tool,
    call: dropRepeatedKeys(call),
    params: copyParams(incoming, params),
  });
  const details = new HandlerCallInfo(call, run, place, before?.attempt ?? 1);
  const scope: ContextScope = { run, parentCall: place.parentCall ?? run.parentCall, details, redaction };
  const judged = await judge(services, incoming, parsedCall, scope);
  if ('kind' in judged) return judged;
  const isApproved = before?.admission.isApproved === true;
  const isAsked = !isApproved && (judged.demandsApproval || place.answer !== undefined);
  if (!isAsked) return { parsedCall, scope, isApproved, moved: judged.moved };
  const readOnly = openReadOnlyContext(services, scope);
  const denial = await askApprover(services, incoming, parsedCall, readOnly).finally(readOnly.close);
  if (denial !== undefined) return denial;
  // The state may have changed while the approver was asked.
  const again = judged.moved() ? await judge(services, incoming, parsedCall, scope) : judged;
  return 'kind' in again ? again : { parsedCall, scope, isApproved: true, moved: again.moved };
}

/** Asks the policies, and whether an approval is demanded, by the same state. */
async function judge(
  services: DispatchServices,
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  scope: ContextScope,
): Promise<AttemptResult | { readonly demandsApproval: boolean; readonly moved: () => boolean }> {
  const readOnly = openReadOnlyContext(services, scope);
  try {
    const denial = await askPolicies(services, incoming, parsedCall, readOnly);
    if (denial !== undefined) return denial;
    return {
      demandsApproval: await mustAskApprover(services, incoming, parsedCall, readOnly),
      moved: readOnly.moved,
    };
  } finally {
    await readOnly.close();
  }
}

/** The result of a call that was cancelled before it began. */
export function createCancelledResult(incoming: IncomingCall): AttemptResult {
  return createFailureResult(new Cancelled(incoming.run.signal?.reason), incoming, 'start');
}

/** The result of a call that may not begin: its deadline or budget is used up, or it is nested too deeply. */
export function findStopAtStart(incoming: GuardedCall): AttemptResult | undefined {
  const { tool, run, place } = incoming;
  if (run.deadline?.expired === true) return createFailureResult(new DeadlineExceededError(), incoming, 'start');
  if (isTooDeep(place)) return createNestedTooDeeply(tool);
  return checkProgramBudget(tool, run, place);
}

/**
 * Denies a call of a program that the budget does not allow. The model's own calls are checked at the end of their turn, and a
 * program may make many before that.
 *
 * @returns undefined if the call may be made
 */
function checkProgramBudget(
  tool: RenderedTool,
  { budget }: CallRun,
  { program }: Placement,
): AttemptResult | undefined {
  if (program === undefined) return undefined;
  const over = budget?.limits.find(({ dimension, used, limit }) => dimension === 'tool_calls' && used >= limit);
  return over === undefined ? undefined : createDenied(tool, describeCallBudget(over));
}

/**
 * The params of a call for all but its handler, so that neither sees what the other changes: a copy, or, where they cannot be
 * copied, the arguments parsed once more.
 */
export function copyParams({ tool, call, reading }: GuardedCall, params: unknown): unknown {
  const copied = deepCopy(params);
  if (copied !== undefined) return copied.copy;
  const parsed = parseArguments(tool.metadata, call.arguments, reading);
  return parsed.ok ? parsed.params : params;
}
