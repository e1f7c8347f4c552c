import { isObject } from '../../common/guards.js';
import { copyOwnOptions } from '../../common/objects.js';
import { describeValue } from '../../common/text.js';
import type { ApprovalAnswer, ApprovalRule } from '../../interface/Approver.js';
import type { ParsedCall } from '../../interface/ToolPolicy.js';
import { ToolResult } from '../../value/ToolResult.js';
import type { DispatchServices } from '../DispatchContext.js';
import type { GuardedCall } from './IncomingCall.js';
import { logError } from '../finish/logError.js';
import type { ReadOnlyContext } from '../attempt/createReadOnlyContext.js';
import { createDenied, type AttemptResult } from '../finish/outcomes.js';
import { createPendingCall, createPendingError, wasShown } from './pendingCall.js';
import { ApprovalMissing } from '../attempt/ProgramScope.js';
import { awaitAnswer, describeFault, isInterruption } from '../attempt/awaitAnswer.js';
import { describeMissingApproval } from '../finish/outcomeTexts.js';

/**
 * Checks whether the tool, one of its sections or its prompt requires approval for the call. Only a clear `false` means no.
 *
 * @throws Cancelled, DeadlineExceededError
 */
export async function mustAskApprover(
  services: DispatchServices,
  incoming: GuardedCall,
  { params }: ParsedCall,
  { context, signal }: ReadOnlyContext,
): Promise<boolean> {
  const demand = (fault: string, error?: unknown): true => {
    logError(services, incoming, 'warn', `requiresApproval ${fault}; an approval is demanded`, error);
    return true;
  };
  const asks = async (rule: Exclude<ApprovalRule<never>, boolean>): Promise<boolean> => {
    try {
      const patience = { milliseconds: services.policyMs, signal, who: 'requiresApproval' };
      const demanded: unknown = await awaitAnswer<unknown>(
        services,
        incoming,
        rule(params as never, context),
        patience,
      );
      return typeof demanded === 'boolean' ? demanded : demand(`gave ${describeValue(demanded)}`);
    } catch (thrown) {
      if (isInterruption(thrown, incoming)) throw thrown;
      return demand(describeFault(thrown), thrown);
    }
  };
  for (const rule of incoming.tool.metadata.guardrails.approvals)
    if (typeof rule === 'function' ? await asks(rule) : rule) return true;
  return false;
}

/**
 * Asks the approver, or uses the answer that a continued call carries (docs/contract.md, 10).
 *
 * @returns the result of a denied call; undefined if it is approved
 * @throws ApprovalPendingError, ApprovalMissing, Cancelled, DeadlineExceededError
 */
export async function askApprover(
  services: DispatchServices,
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  { context, signal }: ReadOnlyContext,
): Promise<AttemptResult | undefined> {
  const { tool, place } = incoming;
  // The place also carries an approval, so only own properties may count.
  const { program } = copyOwnOptions(place);
  const given = await findValidAnswer(services, incoming);
  const approver = program?.approver ?? services.approver;
  const unanswered = (fault: string, error?: unknown): AttemptResult => {
    logError(services, incoming, 'error', `${fault}; the call is denied`, error);
    const result = ToolResult.error(describeMissingApproval(tool.name));
    return { kind: 'denied', result, ...(error === undefined ? {} : { error }) };
  };
  if (approver === undefined && given === undefined) {
    if (program !== undefined) throw new ApprovalMissing(false, services.clock.now());
    return unanswered('An approval is needed, and createApplication was given no approver');
  }
  const reportAnswer = program?.asking();
  try {
    const asked = given ?? approver?.approve(parsedCall, context);
    const answer: unknown = await awaitAnswer<unknown>(services, incoming, asked, { signal, who: 'The approver' });
    if (!isAnswer(answer)) return unanswered(`The approver gave ${describeValue(answer)} instead of an answer`);
    if (answer.kind === 'approved') return undefined;
    if (answer.kind === 'denied') return createDenied(tool, answer.reason);
  } catch (thrown) {
    if (isInterruption(thrown, incoming)) throw thrown;
    return unanswered(`The approver ${describeFault(thrown)}`, thrown);
  } finally {
    reportAnswer?.();
  }
  if (program !== undefined) throw new ApprovalMissing(true, services.clock.now());
  const pending = createPendingCall(incoming, services.clock.now());
  if (typeof pending !== 'string') throw createPendingError(incoming, pending);
  logError(services, incoming, 'warn', `The approver will answer later, and the call cannot wait: ${pending}`);
  return createDenied(tool, `it needs an approval at once, because ${pending}`);
}

/** Returns the answer that was given before; undefined if it approved a different call from the one that would run now. */
async function findValidAnswer(services: DispatchServices, incoming: GuardedCall): Promise<ApprovalAnswer | undefined> {
  const { call, run, place } = incoming;
  const { answer, question, seen } = place;
  if (answer?.kind !== 'approved' || question === undefined) return answer;
  const drop = (why: string): ApprovalAnswer | undefined => {
    logError(services, incoming, 'warn', `An approval is no longer valid, and is asked for again: ${why}`);
    return undefined;
  };
  const { shown, askedAt, call: id } = question;
  if (!wasShown(incoming, shown, askedAt))
    return drop('the arguments, the tool, the prompt, the principal or the tenant have changed');
  if (seen === undefined || (await services.digestCall({ call: { ...call, id }, run })) === seen) return answer;
  return drop('the call would no longer have the effects that its approver saw');
}

function isAnswer(value: unknown): value is ApprovalAnswer {
  if (!isObject(value)) return false;
  const { kind, reason } = value as { readonly kind?: unknown; readonly reason?: unknown };
  return kind === 'approved' || kind === 'later' || (kind === 'denied' && typeof reason === 'string');
}
