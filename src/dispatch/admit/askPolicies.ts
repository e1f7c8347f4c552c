import { ignoreRejection, isThenable } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import type { CallInfo } from '../../interface/CallContext.js';
import type { ToolView } from '../../interface/PromptView.js';
import type { ParsedCall, PolicyDecision, ToolPolicy } from '../../interface/ToolPolicy.js';
import { ToolResult } from '../../value/ToolResult.js';
import type { LinkedSignal } from '../attempt/LinkedSignal.js';
import type { AttemptTransaction } from '../attempt/AttemptTransaction.js';
import type { GuardedCall } from './IncomingCall.js';
import { createDenied, createFailed, type AttemptResult } from '../finish/outcomes.js';
import { logError } from '../finish/logError.js';
import { getPolicyTransaction, createReadOnlyContext, type ReadOnlyContext } from '../attempt/createReadOnlyContext.js';
import { awaitAnswer, describeFault, isInterruption } from '../attempt/awaitAnswer.js';
import { getEffect } from '../../value/ToolHints.js';
import { describeUndecided, describePolicyFailure } from '../finish/outcomeTexts.js';

/** Checks whether the policy may deny calls of the tool; a policy that throws when asked counts as one that may. */
export function appliesTo(policy: ToolPolicy, tool: ToolView): boolean {
  try {
    const applies: unknown = policy.appliesTo?.(tool);
    ignoreRejection(applies);
    return applies !== false;
  } catch {
    return true;
  }
}

/**
 * Asks the policies of a tool in order (docs/contract.md, 7.4). Anything but a clear permission denies the call.
 *
 * @returns the result of a denied call; undefined if all policies allow it
 * @throws Cancelled, DeadlineExceededError
 */
export async function askPolicies(
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  { context, signal }: ReadOnlyContext,
): Promise<AttemptResult | undefined> {
  const { tool, services } = incoming;
  for (const policy of tool.metadata.guardrails.policies) {
    if (!appliesTo(policy, tool)) continue;
    const who = `Policy ${policy.name}`;
    try {
      const asked = policy.check(parsedCall, context);
      const patience = { milliseconds: services.policyMs, signal, who };
      const answer = awaitAnswer<unknown>(incoming, asked, patience);
      const decision: unknown = isThenable(answer) ? await answer : answer;
      if (!isDecision(decision))
        return denyUndecided(incoming, policy, `gave ${describeValue(decision)} instead of a decision`);
      if (!decision.allowed) return createDenied(tool, decision.reason);
    } catch (thrown) {
      if (isInterruption(thrown, incoming)) throw thrown;
      return denyUndecided(incoming, policy, describeFault(thrown), thrown);
    }
  }
  return undefined;
}

function denyUndecided(incoming: GuardedCall, { name }: ToolPolicy, fault: string, error?: unknown): AttemptResult {
  logError(incoming, 'error', `Policy ${name} ${fault}; it denies the call`, error);
  return createFailed(describeUndecided(incoming.tool.name, name), error, 'denied');
}

function isDecision(value: unknown): value is PolicyDecision {
  if (!isObject(value)) return false;
  const { allowed, reason } = value as { readonly allowed?: unknown; readonly reason?: unknown };
  return allowed === true || (allowed === false && typeof reason === 'string');
}

/** The result of a call that has succeeded and is not committed yet. */
export interface UncommittedResult {
  readonly parsedCall: ParsedCall;
  readonly details: CallInfo;
  readonly result: ToolResult;
  readonly transaction: AttemptTransaction;
  readonly signal: LinkedSignal;
}

/**
 * Notifies the policies of a tool of a successful call, before the commit (docs/contract.md, 7.7).
 *
 * @returns the result of a call that a policy failed on; undefined if none failed, or none wants to know
 * @throws Cancelled, DeadlineExceededError
 */
export function notifyPolicies(
  incoming: GuardedCall,
  uncommitted: UncommittedResult,
): Promise<AttemptResult | undefined> | undefined {
  const policies = incoming.tool.metadata.guardrails.policies.filter((policy) => policy.onResult !== undefined);
  return policies.length === 0 ? undefined : notifyEach(policies, incoming, uncommitted);
}

async function notifyEach(
  policies: readonly ToolPolicy[],
  incoming: GuardedCall,
  { parsedCall, details, result, transaction, signal }: UncommittedResult,
): Promise<AttemptResult | undefined> {
  const { tool, services } = incoming;
  const context = createReadOnlyContext(incoming, details, getPolicyTransaction(transaction), signal);
  for (const policy of policies) {
    const who = `Policy ${policy.name}`;
    try {
      const answer = policy.onResult?.(parsedCall, result, context);
      await awaitAnswer(incoming, answer, { milliseconds: services.policyMs, signal, who });
    } catch (thrown) {
      if (isInterruption(thrown, incoming)) throw thrown;
      logError(incoming, 'error', `${who} ${describeFault(thrown)}; the call is rolled back`, thrown);
      return {
        kind: 'failed',
        result: ToolResult.error(describePolicyFailure(tool.name, policy.name, getEffect(tool.hints))),
        error: thrown,
      };
    }
  }
  return undefined;
}
