import { describeValue } from '../common/text.js';
import type { ToolView } from '../interface/PromptView.js';
import type { GuidedCall, PolicyDecision, ToolPolicy } from '../interface/ToolPolicy.js';
import { ToolResult } from '../value/ToolResult.js';
import type { DispatchServices } from './CallRun.js';
import type { CallSignal } from './CallSignal.js';
import type { CallTransaction } from './CallTransaction.js';
import type { Ending } from './conclude.js';
import { denied } from './endings.js';
import { logError } from './logError.js';
import { noting, onlooker, type Look, type Seat } from './lookOn.js';
import { answered, faultText, isInterruption, type GuardedArrival } from './waiting.js';
import { undecidedText, unnotedText } from './words.js';

/** True for a policy that may deny calls of the tool; one that cannot say so is asked. */
export function judges(policy: ToolPolicy, tool: ToolView): boolean {
  try {
    return policy.judges?.(tool) !== false;
  } catch {
    return true;
  }
}

/**
 * Asks the policies of a tool in order (docs/contract.md, 7.4). Whatever is no clear permission denies.
 *
 * @returns how the first denial ends the call; undefined when all allow it
 * @throws Cancelled, DeadlineExceededError
 */
export async function askPolicies(
  services: DispatchServices,
  arrival: GuardedArrival,
  guided: GuidedCall,
  { context, signal }: Look,
): Promise<Ending | undefined> {
  const { tool } = arrival;
  for (const policy of tool.metadata.guidance.policies) {
    if (!judges(policy, tool)) continue;
    const who = `Policy ${policy.name}`;
    const undecided = (fault: string, error?: unknown): Ending => {
      logError(services, arrival, 'error', `${who} ${fault}; it denies the call`, error);
      const result = ToolResult.error(undecidedText(tool.name, policy.name));
      return { kind: 'denied', result, ...(error === undefined ? {} : { error }) };
    };
    try {
      const asked = policy.check(guided, context);
      const patience = { milliseconds: services.policyMs, signal, who };
      const decision: unknown = await answered<unknown>(services, arrival, asked, patience);
      if (!isDecision(decision)) return undecided(`gave ${describeValue(decision)} instead of a decision`);
      if (!decision.allowed) return denied(tool, decision.reason);
    } catch (thrown) {
      if (isInterruption(thrown, arrival)) throw thrown;
      return undecided(faultText(thrown), thrown);
    }
  }
  return undefined;
}

function isDecision(value: unknown): value is PolicyDecision {
  if (typeof value !== 'object' || value === null) return false;
  const { allowed, reason } = value as { readonly allowed?: unknown; readonly reason?: unknown };
  return allowed === true || (allowed === false && typeof reason === 'string');
}

/** A call that has succeeded and is still open. */
export interface HeardCall {
  readonly guided: GuidedCall;
  readonly seat: Seat;
  readonly result: ToolResult;
  readonly transaction: CallTransaction;
  readonly signal: CallSignal;
}

/**
 * Tells the policies of a tool of a successful call, before it is committed (docs/contract.md, 7.7).
 *
 * @returns how a policy that fails ends the call; undefined when none does
 * @throws Cancelled, DeadlineExceededError
 */
export async function tellPolicies(
  services: DispatchServices,
  arrival: GuardedArrival,
  { guided, seat, result, transaction, signal }: HeardCall,
): Promise<Ending | undefined> {
  const { tool } = arrival;
  const policies = tool.metadata.guidance.policies.filter((policy) => policy.onResult !== undefined);
  if (policies.length === 0) return undefined;
  const context = onlooker(services, seat, noting(transaction), signal);
  for (const policy of policies) {
    const who = `Policy ${policy.name}`;
    try {
      const told = policy.onResult?.(guided, result, context);
      await answered(services, arrival, told, { milliseconds: services.policyMs, signal, who });
    } catch (thrown) {
      if (isInterruption(thrown, arrival)) throw thrown;
      logError(services, arrival, 'error', `${who} ${faultText(thrown)}; the call is rolled back`, thrown);
      return { kind: 'failed', result: ToolResult.error(unnotedText(tool.name, policy.name)), error: thrown };
    }
  }
  return undefined;
}
