import { messageOf } from '../../common/text.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import type { ParsedCall } from '../../interface/ToolPolicy.js';
import { Cancelled } from '../../limit/raceLimits.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import { askApprover, demandsApproval } from './approval.js';
import { CallDetails } from '../CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from '../CallRun.js';
import { resultOf } from '../finish/failurePolicy.js';
import type { GuardedCall, IncomingCall } from './IncomingCall.js';
import { idText, logError } from '../finish/logError.js';
import { isTooDeep } from './nestingLimit.js';
import { denied, nestedTooDeeply, type CallResult } from '../finish/outcomes.js';
import { openReadOnlyContext, type ContextScope } from '../attempt/readOnlyContext.js';
import { withoutRepeatedKeys } from './repeatedKeys.js';
import { copyOfParams } from './copyOfParams.js';
import { askPolicies, appliesTo } from './policies.js';
import { callBudgetText } from '../finish/messages.js';

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
export async function admit(
  services: DispatchServices,
  call: GuardedCall,
  params: unknown,
  before?: AttemptBefore,
): Promise<Admission | CallResult> {
  try {
    return await admitted(services, call, params, before);
  } catch (thrown) {
    const callResult = resultOf(thrown, call, 'admission');
    const id = idText({ id: callResult.errorId });
    // Where the model reads the message of the error, the log need not have it.
    if (id !== '') logError(services, call, 'warn', `Tool ${call.tool.name} failed${id}: ${messageOf(thrown)}`, thrown);
    return callResult;
  }
}

async function admitted(
  services: DispatchServices,
  incoming: GuardedCall,
  params: unknown,
  before: AttemptBefore | undefined,
): Promise<Admission | CallResult> {
  const { tool, call, run, place, redaction } = incoming;
  const parsedCall: ParsedCall = Object.freeze({
    tool,
    call: withoutRepeatedKeys(call),
    params: copyOfParams(incoming, params),
  });
  const details = new CallDetails(call, run, place, before?.attempt ?? 1);
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
): Promise<CallResult | { readonly demandsApproval: boolean; readonly moved: () => boolean }> {
  const readOnly = openReadOnlyContext(services, scope);
  try {
    const denial = await askPolicies(services, incoming, parsedCall, readOnly);
    if (denial !== undefined) return denial;
    return {
      demandsApproval: await demandsApproval(services, incoming, parsedCall, readOnly),
      moved: readOnly.moved,
    };
  } finally {
    await readOnly.close();
  }
}

/** The result of a call that was cancelled before it began. */
export function cancelled(incoming: IncomingCall): CallResult {
  return resultOf(new Cancelled(incoming.run.signal?.reason), incoming, 'start');
}

/** The result of a call that may not begin: its deadline or budget is used up, or it is nested too deeply. */
export function stoppedAtStart(incoming: GuardedCall): CallResult | undefined {
  const { tool, run, place } = incoming;
  if (run.deadline?.expired === true) return resultOf(new DeadlineExceededError(), incoming, 'start');
  if (isTooDeep(place)) return nestedTooDeeply(tool);
  return overBudget(tool, run, place);
}

/**
 * Denies a call of a program that the budget does not allow. The model's own calls are checked at the end of their turn, and a
 * program may make many before that.
 *
 * @returns undefined if the call may be made
 */
function overBudget(tool: RenderedTool, { budget }: CallRun, { program }: CallPlace): CallResult | undefined {
  if (program === undefined) return undefined;
  const over = budget?.limits.find(({ dimension, used, limit }) => dimension === 'tool_calls' && used >= limit);
  return over === undefined ? undefined : denied(tool, callBudgetText(over));
}
