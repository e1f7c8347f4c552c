import { mapAwaitable, PATIENCE_MS } from '../../common/promises.js';
import { isThenable } from '../../common/classes.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolRefusal, ToolValidationError, type ParamIssue } from '../../error/toolErrors.js';
import type { Logger } from '../../interface/ports.js';
import { raceLimits, waitWithGrace } from '../../limit/raceLimits.js';
import { getEffect } from '../../value/ToolHints.js';
import { findResultIssues } from '../../schema/write/Conformity.js';
import { selectDeclared } from '../../schema/write/selectDeclared.js';
import { findPartsProblem } from '../../value/findPartsProblem.js';
import { ToolResult } from '../../value/ToolResult.js';
import type { Admission } from '../admit/admitCall.js';
import { HandlerCallInfo } from '../HandlerCallInfo.js';
import type { CallRun, DispatchServices } from '../CallRun.js';
import { LinkedSignal } from './LinkedSignal.js';
import { HandlerContext } from './HandlerContext.js';
import { AttemptTransaction, type CommitOutcome } from './AttemptTransaction.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import { isToolFault, createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { runIntercepted, type AroundHandler } from './runIntercepted.js';
import { formatCallId, logError } from '../finish/logError.js';
import { createNestedDispatch, type Dispatch } from './createNestedDispatch.js';
import { createNotRestoredResult } from './createNotRestoredResult.js';
import {
  createConflicted,
  createInvalidResult,
  createOrphaned,
  createPartlyCommitted,
  createWrongParts,
  type AttemptResult,
} from '../finish/outcomes.js';
import { notifyPolicies } from '../admit/askPolicies.js';
import { refuseUnfinished, runHandler, toResult } from './runHandler.js';
import { warnAboutResult } from '../finish/warnAboutResult.js';

/** Options of one attempt. */
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
 * Runs the handler of a call once, in its own transaction: opens it, invokes the handler, checks the returned value, notifies the
 * policies, and commits. Rolls back unless the call succeeds. Never rejects.
 */
export async function runAttempt(
  services: DispatchServices,
  call: GuardedCall,
  params: unknown,
  options: AttemptOptions,
): Promise<AttemptResult> {
  const { tool, run, place } = call;
  if (tool.metadata.invoke === null) return createFailureResult(createMissingHandlerError(call), call, 'handler');
  const parent = place.parentCall ?? run.parentCall;
  // The handler that made the call may have ended while the call waited for its turn or its approval.
  if (parent?.transaction.session.closed === true) return createOrphaned(tool);
  const transaction = new AttemptTransaction(services, run, {
    parent: parent?.transaction,
    readOnly: tool.hints.readOnly === true,
    record: parent !== undefined ? undefined : place.record?.recordOf(Number(place.position)),
    refresh: parent !== undefined ? undefined : place.record?.refresh,
  });
  const signal = new LinkedSignal(parent?.signal);
  const details = new HandlerCallInfo(call.call, run, place, options.number);
  const nested = createNestedDispatch(options.dispatch, call, { callId: call.call.id, transaction, signal });
  const { redaction } = call;
  const context = new HandlerContext(services, run, { transaction, signal, details, nested, redaction });
  const { admission } = options;
  let callResult: AttemptResult;
  try {
    const returned = invokeHandler(call, params, context, transaction, options.around);
    const awaited = isThenable(returned) ? await raceHandler(services, call, returned, signal) : returned;
    const result = toResult(awaited);
    const { fault: found, warned } = checkResult(services, call, result, transaction);
    let fault = found;
    const shown = fault === undefined ? dropUndeclared(tool, result) : result;
    if (fault === undefined) refuseUnfinished(shown.value);
    if (fault === undefined && admission !== undefined)
      fault = await transaction.resources.enter(() =>
        notifyPolicies(services, call, { ...admission, result, transaction, signal }),
      );
    if (transaction.orphaned) callResult = createOrphaned(tool);
    else if (fault !== undefined) callResult = fault;
    else if (admission?.moved() === true) callResult = createConflicted(tool);
    else {
      const committing = commit(services, call, { result, shown }, transaction);
      const ended = isThenable(committing) ? await committing : committing;
      callResult = warned === undefined ? ended : warnAboutResult(services, call, ended, warned);
    }
  } catch (thrown) {
    callResult = transaction.orphaned ? createOrphaned(tool) : createFailure(services, call, thrown, transaction);
  }
  // In the same tick as the commit or the failure: a handler that still runs must find everything closed.
  transaction.close();
  HandlerContext.close(context);
  if (callResult.kind !== 'succeeded') signal.abort(new DOMException('The call was rolled back.', 'AbortError'));
  const judged = admission?.isApproved === true ? { ...callResult, approved: true as const } : callResult;
  const ended = addEffect(call, judged);
  return closeResources(services, call, ended, transaction) ?? ended;
}

/** Removes fields that the tool does not declare, so that text, event, program and host agree. */
function dropUndeclared({ metadata }: GuardedCall['tool'], result: ToolResult): ToolResult {
  if (metadata.result === null || metadata.returnSchema !== null) return result;
  const value = selectDeclared(metadata.result, result.value);
  if (value === result.value) return result;
  const { message, excludeValueFromContext, parts } = result;
  return new ToolResult({ message, value, excludeValueFromContext, parts });
}

/** Adds the effect that a handler may have had outside, if the call failed. */
function addEffect({ tool }: GuardedCall, callResult: AttemptResult): AttemptResult {
  const { kind, effect } = callResult;
  if (effect !== undefined || (kind !== 'failed' && kind !== 'timed_out' && kind !== 'conflicted')) return callResult;
  return { ...callResult, effect: getEffect(tool.hints) };
}

/** Calls the handler within its interceptors, once the call's resources are open. */
function invokeHandler(
  call: GuardedCall,
  params: unknown,
  context: HandlerContext,
  transaction: AttemptTransaction,
  around: readonly AroundHandler[],
): unknown {
  const { tool } = call;
  const { resources } = transaction;
  const handle = (): unknown => {
    if (around.length === 0) return runHandler(tool, params, context);
    const core = async (): Promise<ToolResult> => toResult(await runHandler(tool, params, context));
    return runIntercepted(
      around,
      { tool, call: call.call, context, changes: () => transaction.resources.changes() },
      core,
      tool.name,
    );
  };
  return mapAwaitable(resources.open(tool), () => resources.enter(handle));
}

/** Waits for a handler within its timeout, the deadline and the caller's signal. */
function raceHandler(
  services: DispatchServices,
  call: GuardedCall,
  returned: PromiseLike<unknown>,
  signal: LinkedSignal,
): Promise<unknown> {
  const { tool, run } = call;
  return raceLimits(Promise.resolve(returned), run, {
    timeoutMs: tool.metadata.timeoutMs,
    signal,
    onLate: (late) => {
      logFailure(services, call, 'debug', `Tool ${tool.name} failed after its call had ended`, late);
    },
  });
}

/** The findings about a result: a fault ends the call; `warned` holds issues that the tool only logs. */
interface ResultCheck {
  readonly fault?: AttemptResult;
  readonly warned?: readonly ParamIssue[];
}

/** Checks whether a handler returned a failure, a value that contradicts its declaration, or invalid parts. */
function checkResult(
  { partLimit }: DispatchServices,
  { tool }: GuardedCall,
  result: ToolResult,
  transaction: AttemptTransaction,
): ResultCheck {
  if (!result.success)
    return { fault: transaction.conflicts(true) ? createConflicted(tool) : { kind: 'failed', result } };
  const wrong = result.parts === undefined ? undefined : findPartsProblem(result.parts, partLimit);
  if (wrong !== undefined) return { fault: createWrongParts(tool, wrong) };
  const { result: declared, resultMismatch } = tool.metadata;
  const issues = declared === null || result.value === null ? [] : findResultIssues(declared, result.value);
  if (issues.length === 0) return {};
  return resultMismatch === 'warn' ? { warned: issues } : { fault: createInvalidResult(tool, issues) };
}

/** The result of a handler, and the part of it that the caller gets. */
interface GivenResult {
  readonly result: ToolResult;
  readonly shown: ToolResult;
}

/** Dispatches the value to its slice, then commits everything. */
function commit(
  services: DispatchServices,
  call: GuardedCall,
  { result: { value }, shown }: GivenResult,
  transaction: AttemptTransaction,
): Awaitable<AttemptResult> {
  const { tool } = call;
  const { session } = transaction;
  const isState = typeof value === 'object' && value !== null && session.rules.hasRule(value.constructor as never);
  if (isState && tool.hints.readOnly !== true) session.dispatch(value);
  const committing = transaction.commit();
  const committed = isThenable(committing) ? awaitCommit(Promise.resolve(committing), call.run) : committing;
  return mapAwaitable(committed, (outcome) => {
    if (outcome.kind === 'committed') return { kind: 'succeeded', result: shown };
    if (outcome.kind === 'conflicted') return createConflicted(tool);
    const masked = services.errorMask.of(outcome.error);
    logFailure(
      services,
      call,
      'error',
      `The changes of the call may have been kept in part${formatCallId(masked)}`,
      outcome.error,
    );
    return createPartlyCommitted(tool, outcome.error, masked);
  });
}

/**
 * Waits for a commit to end, since its effect would be unknown after an interruption.
 *
 * @throws the error of the commit
 */
async function awaitCommit(committing: Promise<CommitOutcome>, run: CallRun): Promise<CommitOutcome> {
  if ((await waitWithGrace(committing, run)) === undefined) return committing;
  const problem = `a commit had not ended ${String(PATIENCE_MS)} ms after the call was stopped`;
  return { kind: 'half', error: new ResourceError(problem, { code: 'E914' }) };
}

/** Creates the result of a call after its handler, a policy or the commit threw. */
function createFailure(
  services: DispatchServices,
  call: GuardedCall,
  thrown: unknown,
  transaction: AttemptTransaction,
): AttemptResult {
  const callResult = createFailureResult(thrown, call, 'handler');
  if (callResult.result === null) return callResult;
  if (callResult.kind === 'denied') {
    logError(services, call, 'warn', `Tool ${call.tool.name} was denied: ${callResult.reason ?? ''}`);
    return callResult;
  }
  const { errorId } = callResult;
  const isRefusal = errorId === undefined && (ToolRefusal.is(thrown) || ToolValidationError.is(thrown));
  const level = isToolFault(thrown) ? 'error' : isRefusal ? 'debug' : 'warn';
  const verb = callResult.kind === 'timed_out' ? 'timed out' : 'failed';
  logFailure(
    services,
    call,
    level,
    `Tool ${call.tool.name} ${verb}${formatCallId({ id: errorId })}`,
    callResult.error ?? thrown,
  );
  return callResult.kind === 'failed' && hasConflicts(transaction) ? createConflicted(call.tool) : callResult;
}

/** Checks for conflicts; returns false if a resource cannot tell: the call has failed already, and the model reads why. */
function hasConflicts(transaction: AttemptTransaction): boolean {
  try {
    return transaction.conflicts(true);
  } catch {
    return false;
  }
}

/**
 * Unless the call succeeded, restores the resources that it changed in place; then closes the resources that it opened. Returns
 * undefined if there is nothing to do, as for most calls.
 */
function closeResources(
  services: DispatchServices,
  call: GuardedCall,
  callResult: AttemptResult,
  transaction: AttemptTransaction,
): Promise<AttemptResult> | undefined {
  const { name } = call.tool;
  const isKept = callResult.kind === 'succeeded' && !transaction.isDropped;
  const finishing = transaction.resources.finish(isKept, ({ name: resource, error }) => {
    logFailure(services, call, 'error', `The resource ${resource} failed to close after ${name}`, error);
  });
  return finishing?.then((fault) => {
    if (fault === undefined) return callResult;
    const masked = isKept ? undefined : maskCause(services, callResult, fault);
    logFailure(
      services,
      call,
      'error',
      `A resource was not closed or restored after ${name}${formatCallId(masked)}`,
      fault,
    );
    return isKept ? callResult : createNotRestoredResult(call, callResult, fault, masked);
  });
}

/** Returns the replacement for the message of the error that the model reads about; undefined if it may read the message. */
function maskCause(
  { errorMask }: DispatchServices,
  { error, errorId, kind, result }: AttemptResult,
  fault: unknown,
): MaskedError | undefined {
  if (errorId !== undefined) return { id: errorId, text: undefined };
  return kind === 'timed_out' || result === null ? undefined : errorMask.of(error ?? fault);
}

function createMissingHandlerError({ tool }: GuardedCall): PromptEvaluationError {
  const message = `The tool ${tool.name} has no handler; it only advertises.`;
  return new PromptEvaluationError(message, { phase: 'tool', code: 'E601', place: tool.metadata.place });
}

function logFailure(
  services: DispatchServices,
  call: GuardedCall,
  level: keyof Logger,
  message: string,
  error: unknown,
): void {
  logError(services, call, level, `${message}: ${messageOf(error)}`, error);
}
