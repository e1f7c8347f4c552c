import { isObject } from '../../common/guards.js';
import { copyOwnOptions } from '../../common/objects.js';
import { describeValue } from '../../common/text.js';
import type { ApprovalAnswer, ApprovalRule } from '../../interface/Approver.js';
import type { ParsedCall } from '../../interface/ToolPolicy.js';
import type { GuardedCall } from './IncomingCall.js';
import { logError } from '../finish/logError.js';
import type { ReadOnlyContext } from '../attempt/createReadOnlyContext.js';
import { createDenied, createEscaping, createFailed, type AttemptResult } from '../finish/outcomes.js';
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
  incoming: GuardedCall,
  { params }: ParsedCall,
  { context, signal }: ReadOnlyContext,
): Promise<boolean> {
  const demand = (fault: string, error?: unknown): true => {
    logError(incoming, 'warn', `requiresApproval ${fault}; an approval is demanded`, error);
    return true;
  };
  const asks = async (rule: Exclude<ApprovalRule<never>, boolean>): Promise<boolean> => {
    try {
      const patience = { milliseconds: incoming.services.policyMs, signal, who: 'requiresApproval' };
      const demanded: unknown = await awaitAnswer<unknown>(incoming, rule(params as never, context), patience);
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
  incoming: GuardedCall,
  parsedCall: ParsedCall,
  { context, signal }: ReadOnlyContext,
): Promise<AttemptResult | undefined> {
  const { services, tool, place } = incoming;
  // The place also carries an approval, so only own properties may count.
  const { program } = copyOwnOptions(place);
  const { answer: given, dropped } = await findValidAnswer(incoming);
  // Another approver may approve the model's own arguments, but a person wanted others.
  if (dropped !== undefined && place.asked !== undefined) return askAgain(incoming, dropped);
  const approver = program?.approver ?? services.approver;
  const unanswered = (fault: string, error?: unknown): AttemptResult => {
    logError(incoming, 'error', `${fault}; the call is denied`, error);
    return createFailed(describeMissingApproval(tool.name), error, 'denied');
  };
  if (approver === undefined && given === undefined) {
    if (program !== undefined) throw new ApprovalMissing(false, services.clock.now());
    return unanswered('An approval is needed, and createApplication was given no approver');
  }
  const reportAnswer = given === undefined ? program?.asking() : undefined;
  try {
    const asked = given ?? approver?.approve(parsedCall, context);
    const answer: unknown = await awaitAnswer<unknown>(incoming, asked, { signal, who: 'The approver' });
    if (!isAnswer(answer)) return unanswered(`The approver gave ${describeValue(answer)} instead of an answer`);
    if (answer.kind === 'approved') return undefined;
    if (answer.kind === 'denied') return createDenied(tool, answer.reason, place.denial?.until);
  } catch (thrown) {
    if (isInterruption(thrown, incoming)) throw thrown;
    return unanswered(`The approver ${describeFault(thrown)}`, thrown);
  } finally {
    reportAnswer?.();
  }
  if (program !== undefined) throw new ApprovalMissing(true, services.clock.now());
  const pending = createPendingCall(incoming, services.clock.now());
  if (typeof pending !== 'string') throw createPendingError(incoming, pending, dropped);
  logError(incoming, 'warn', `The approver will answer later, and the call cannot wait: ${pending}`);
  return createDenied(tool, `it needs an approval at once, because ${pending}`);
}

/**
 * Parks a call that a person approved with other arguments, if the approval does not hold. Only a person decides about it again.
 *
 * @param reason why the approval does not hold
 * @returns the pending call as an escaping error, or the denial of a call that cannot wait
 */
export function askAgain(incoming: GuardedCall, reason: string): AttemptResult {
  logDropped(incoming, reason);
  const pending = createPendingCall(incoming, incoming.services.clock.now());
  return typeof pending === 'string'
    ? createDenied(incoming.tool, `it needs an approval at once, because ${pending}`)
    : createEscaping('denied', createPendingError(incoming, pending, reason), true);
}

/** Explains why the approval of a call with other arguments does not hold; undefined if it holds, or the call needs none. */
export function findEditProblem(incoming: GuardedCall): string | undefined {
  const { asked, question } = incoming.place;
  return asked === undefined || isUnchanged(incoming, question) ? undefined : CHANGED;
}

const CHANGED = 'the arguments, the tool, the prompt, the principal or the tenant have changed';

/** The answer that was given before, if it holds; otherwise the reason why an approval was dropped. */
interface EarlierAnswer {
  readonly answer?: ApprovalAnswer | undefined;
  readonly dropped?: string;
}

/** Returns the answer that was given before, unless it approved a different call from the one that would run now. */
async function findValidAnswer(incoming: GuardedCall): Promise<EarlierAnswer> {
  const { services, call, run, place } = incoming;
  const { answer, question, seen, asked } = place;
  if (answer?.kind !== 'approved' || question === undefined) return { answer };
  const drop = (dropped: string): EarlierAnswer => {
    if (asked === undefined) logDropped(incoming, dropped);
    return { dropped };
  };
  if (!isUnchanged(incoming, question)) return drop(CHANGED);
  if (seen === undefined) return { answer };
  const rehearsed = { call: { ...call, id: question.call }, run, isEdited: asked !== undefined };
  if ((await services.digestCall(rehearsed)) === seen) return { answer };
  return drop('the call would no longer have the effects that its approver saw');
}

function isUnchanged(incoming: GuardedCall, question: GuardedCall['place']['question']): boolean {
  return question !== undefined && wasShown(incoming, question.shown, question.askedAt);
}

function logDropped(incoming: GuardedCall, why: string): void {
  logError(incoming, 'warn', `An approval is no longer valid, and is asked for again: ${why}`);
}

function isAnswer(value: unknown): value is ApprovalAnswer {
  if (!isObject(value)) return false;
  const { kind, reason, arguments: edited } = value as Readonly<Record<string, unknown>>;
  // Only the reply to a question may name other arguments. Without them, the call would not be the approved one.
  if (edited !== undefined) return false;
  return kind === 'approved' || kind === 'later' || (kind === 'denied' && typeof reason === 'string');
}
