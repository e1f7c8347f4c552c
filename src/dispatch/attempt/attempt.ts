import { after } from '../../common/after.js';
import { isThenable } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { PATIENCE_MS } from '../../common/withinPatience.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolRefusal, ToolValidationError } from '../../error/toolErrors.js';
import type { Logger } from '../../interface/Logger.js';
import { raceLimits } from '../../limit/raceLimits.js';
import { stoppedLate } from '../../limit/stoppedLate.js';
import { effectOf } from '../../metadata/effectOf.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { resultIssues } from '../../schema/write/conform.js';
import { declaredPart } from '../../schema/write/declaredPart.js';
import { partsProblem } from '../../value/partsProblem.js';
import { ToolResult } from '../../value/ToolResult.js';
import type { Admission } from '../admit/admission.js';
import { CallDetails } from '../CallDetails.js';
import type { CallRun, DispatchServices } from '../CallRun.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext } from './CallToolContext.js';
import { CallTransaction, type CommitOutcome } from './CallTransaction.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import { isFaultOfTool, resultOf } from '../finish/failurePolicy.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { intercepted, type AroundHandler } from './intercept.js';
import { idText, logError } from '../finish/logError.js';
import { nestedCalls, type Dispatch } from './nestedCalls.js';
import { notPutBack } from './notPutBack.js';
import {
  conflicted,
  invalidResult,
  orphaned,
  partlyCommitted,
  wrongParts,
  type CallResult,
} from '../finish/outcomes.js';
import { notifyPolicies } from '../admit/policies.js';
import { refuseUnfinished, runHandler, toResult } from './runHandler.js';
import { warnOfResult } from '../finish/warnOfResult.js';

/** Which try of a call it is, and what surrounds it. */
export interface AttemptOptions {
  /** 1 for the first. */
  readonly number: number;
  /** Undefined for a tool without policies and approvals. */
  readonly admission: Admission | undefined;
  /** The interceptors around the handler, the outermost first. */
  readonly around: readonly AroundHandler[];
  /** Dispatches the calls that the handler makes. */
  readonly dispatch: Dispatch;
}

/**
 * Runs the handler of a call once, in a transaction of its own: opens it, invokes the handler, checks what it returned,
 * notifies the policies, and commits. Anything but a success is rolled back. Never rejects.
 */
export async function attempt(
  services: DispatchServices,
  call: GuardedCall,
  params: unknown,
  options: AttemptOptions,
): Promise<CallResult> {
  const { tool, run, place } = call;
  if (tool.metadata.invoke === null) return resultOf(withoutHandler(call), call, 'handler');
  const parent = place.parentCall ?? run.parentCall;
  // While the call waited for its turn, or for its approval, the handler that made it may have ended.
  if (parent?.transaction.session.closed === true) return orphaned(tool);
  const transaction = new CallTransaction(services, run, {
    parent: parent?.transaction,
    readOnly: tool.hints.readOnly === true,
    record: parent !== undefined ? undefined : place.record?.recordOf(Number(place.position)),
    refresh: parent !== undefined ? undefined : place.record?.refresh,
  });
  const signal = new CallSignal(parent?.signal);
  const details = new CallDetails(call.call, run, place, options.number);
  const nested = nestedCalls(options.dispatch, call, { callId: call.call.id, transaction, signal });
  const { redaction } = call;
  const context = new CallToolContext(services, run, { transaction, signal, details, nested, redaction });
  const { admission } = options;
  let callResult: CallResult;
  try {
    const returned = invoked(call, params, context, transaction, options.around);
    const awaited = isThenable(returned) ? await raced(services, call, returned, signal) : returned;
    const result = toResult(awaited);
    const { fault: found, warned } = checkResult(services, call, result, transaction);
    let fault = found;
    const shown = fault === undefined ? declaredResult(tool, result) : result;
    if (fault === undefined) refuseUnfinished(shown.value);
    if (fault === undefined && admission !== undefined)
      fault = await transaction.resources.enter(() =>
        notifyPolicies(services, call, { ...admission, result, transaction, signal }),
      );
    if (transaction.orphaned) callResult = orphaned(tool);
    else if (fault !== undefined) callResult = fault;
    else if (admission?.moved() === true) callResult = conflicted(tool);
    else {
      const committing = commit(services, call, { result, shown }, transaction);
      const ended = isThenable(committing) ? await committing : committing;
      callResult = warned === undefined ? ended : warnOfResult(services, call, ended, warned);
    }
  } catch (thrown) {
    callResult = transaction.orphaned ? orphaned(tool) : failure(services, call, thrown, transaction);
  }
  // In the same tick as the commit or the failure: a handler that is still running must find everything closed.
  transaction.close();
  CallToolContext.close(context);
  if (callResult.kind !== 'succeeded') signal.abort(new DOMException('The call was rolled back.', 'AbortError'));
  const judged = admission?.isApproved === true ? { ...callResult, approved: true as const } : callResult;
  const ended = withEffect(call, judged);
  return closeResources(services, call, ended, transaction) ?? ended;
}

/** The result without what its declaration does not have, so that text, event, program and host agree. */
function declaredResult({ metadata }: GuardedCall['tool'], result: ToolResult): ToolResult {
  if (metadata.result === null || metadata.returnSchema !== null) return result;
  const value = declaredPart(metadata.result, result.value);
  if (value === result.value) return result;
  const { message, excludeValueFromContext, parts } = result;
  return new ToolResult({ message, value, excludeValueFromContext, parts });
}

/** Adds what a handler may have done outside, if it did not succeed. */
function withEffect({ tool }: GuardedCall, callResult: CallResult): CallResult {
  const { kind, effect } = callResult;
  if (effect !== undefined || (kind !== 'failed' && kind !== 'timed_out' && kind !== 'conflicted')) return callResult;
  return { ...callResult, effect: effectOf(tool.hints) };
}

/** Calls the handler within its interceptors, once the resources of the call are open. */
function invoked(
  call: GuardedCall,
  params: unknown,
  context: CallToolContext,
  transaction: CallTransaction,
  around: readonly AroundHandler[],
): unknown {
  const { tool } = call;
  const { resources } = transaction;
  const handle = (): unknown => {
    if (around.length === 0) return runHandler(tool, params, context);
    const core = async (): Promise<ToolResult> => toResult(await runHandler(tool, params, context));
    return intercepted(
      around,
      { tool, call: call.call, context, changes: () => transaction.resources.changes() },
      core,
      tool.name,
    );
  };
  return after(resources.open(tool), () => resources.enter(handle));
}

/** Waits for a handler no longer than its timeout, the deadline and the caller allow. */
function raced(
  services: DispatchServices,
  call: GuardedCall,
  returned: PromiseLike<unknown>,
  signal: CallSignal,
): Promise<unknown> {
  const { tool, run } = call;
  return raceLimits(Promise.resolve(returned), run, {
    timeoutMs: tool.metadata.timeoutMs,
    signal,
    onLate: (late) => {
      log(services, call, 'debug', `Tool ${tool.name} failed after its call had ended`, late);
    },
  });
}

/** What is wrong with a result: a fault ends the call, and `warned` are issues that its tool only warns of. */
interface ResultCheck {
  readonly fault?: CallResult;
  readonly warned?: readonly ParamIssue[];
}

/** Checks whether a handler returned a failure, a value that contradicts its declaration, or wrong parts. */
function checkResult(
  { partLimit }: DispatchServices,
  { tool }: GuardedCall,
  result: ToolResult,
  transaction: CallTransaction,
): ResultCheck {
  if (!result.success) return { fault: transaction.conflicts(true) ? conflicted(tool) : { kind: 'failed', result } };
  const wrong = result.parts === undefined ? undefined : partsProblem(result.parts, partLimit);
  if (wrong !== undefined) return { fault: wrongParts(tool, wrong) };
  const { result: declared, resultMismatch } = tool.metadata;
  const issues = declared === null || result.value === null ? [] : resultIssues(declared, result.value);
  if (issues.length === 0) return {};
  return resultMismatch === 'warn' ? { warned: issues } : { fault: invalidResult(tool, issues) };
}

/** What a handler gave, and what of it the caller gets. */
interface GivenResult {
  readonly result: ToolResult;
  readonly shown: ToolResult;
}

/** Dispatches the value to its slice, and commits everything. */
function commit(
  services: DispatchServices,
  call: GuardedCall,
  { result: { value }, shown }: GivenResult,
  transaction: CallTransaction,
): Awaitable<CallResult> {
  const { tool } = call;
  const { session } = transaction;
  const isState = typeof value === 'object' && value !== null && session.rules.knows(value.constructor as never);
  if (isState && tool.hints.readOnly !== true) session.dispatch(value);
  const committing = transaction.commit();
  const committed = isThenable(committing) ? awaitCommit(Promise.resolve(committing), call.run) : committing;
  return after(committed, (outcome) => {
    if (outcome.kind === 'committed') return { kind: 'succeeded', result: shown };
    if (outcome.kind === 'conflicted') return conflicted(tool);
    const masked = services.errorMask.of(outcome.error);
    log(services, call, 'error', `The changes of the call may have been kept in part${idText(masked)}`, outcome.error);
    return partlyCommitted(tool, outcome.error, masked);
  });
}

/** Waits for a commit: interrupting it would leave unknown what it has done. @throws what the commit throws */
async function awaitCommit(committing: Promise<CommitOutcome>, run: CallRun): Promise<CommitOutcome> {
  if ((await stoppedLate(committing, run)) === undefined) return committing;
  const problem = `a commit had not ended ${String(PATIENCE_MS)} ms after the call was stopped`;
  return { kind: 'half', error: new ResourceError(problem, { code: 'E914' }) };
}

/** The result of a call whose handler, policy or commit threw. */
function failure(
  services: DispatchServices,
  call: GuardedCall,
  thrown: unknown,
  transaction: CallTransaction,
): CallResult {
  const callResult = resultOf(thrown, call, 'handler');
  if (callResult.result === null) return callResult;
  if (callResult.kind === 'denied') {
    logError(services, call, 'warn', `Tool ${call.tool.name} was denied: ${callResult.reason ?? ''}`);
    return callResult;
  }
  const { errorId } = callResult;
  const isRefusal = errorId === undefined && (ToolRefusal.is(thrown) || ToolValidationError.is(thrown));
  const level = isFaultOfTool(thrown) ? 'error' : isRefusal ? 'debug' : 'warn';
  const what = callResult.kind === 'timed_out' ? 'timed out' : 'failed';
  log(services, call, level, `Tool ${call.tool.name} ${what}${idText({ id: errorId })}`, callResult.error ?? thrown);
  return callResult.kind === 'failed' && hasConflicts(transaction) ? conflicted(call.tool) : callResult;
}

/** False if a resource cannot say: the call has failed already, and the model reads why. */
function hasConflicts(transaction: CallTransaction): boolean {
  try {
    return transaction.conflicts(true);
  } catch {
    return false;
  }
}

/**
 * Restores what the call changed in place, unless it succeeded, and closes what was opened for it. Returns undefined for the
 * many calls that leave nothing to do.
 */
function closeResources(
  services: DispatchServices,
  call: GuardedCall,
  callResult: CallResult,
  transaction: CallTransaction,
): Promise<CallResult> | undefined {
  const { name } = call.tool;
  const isKept = callResult.kind === 'succeeded' && !transaction.isDropped;
  const finishing = transaction.resources.finish(isKept, ({ name: resource, error }) => {
    log(services, call, 'error', `The resource ${resource} failed to close after ${name}`, error);
  });
  return finishing?.then((fault) => {
    if (fault === undefined) return callResult;
    const masked = isKept ? undefined : maskOfCause(services, callResult, fault);
    log(services, call, 'error', `A resource was not left as it should be by ${name}${idText(masked)}`, fault);
    return isKept ? callResult : notPutBack(call, callResult, fault, masked);
  });
}

/** Returns what replaces the message of the error that the model reads about; undefined if it may read that message. */
function maskOfCause(
  { errorMask }: DispatchServices,
  { error, errorId, kind, result }: CallResult,
  fault: unknown,
): MaskedError | undefined {
  if (errorId !== undefined) return { id: errorId, text: undefined };
  return kind === 'timed_out' || result === null ? undefined : errorMask.of(error ?? fault);
}

function withoutHandler({ tool }: GuardedCall): PromptEvaluationError {
  const message = `The tool ${tool.name} has no handler; it only advertises.`;
  return new PromptEvaluationError(message, { phase: 'tool', code: 'E601', place: tool.metadata.place });
}

function log(services: DispatchServices, call: GuardedCall, level: keyof Logger, what: string, error: unknown): void {
  logError(services, call, level, `${what}: ${messageOf(error)}`, error);
}
