import { isThenable } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import { CALL_END_MS, MAX_ISSUES, MAX_LOGGED_ISSUES } from '../../common/limits.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { ResourceError } from '../../error/infrastructureErrors.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { ToolRefusal, ToolValidationError, type ParamIssue } from '../../error/toolErrors.js';
import type { Logger } from '../../interface/ports.js';
import { hasLimits, raceLimits, waitWithGrace } from '../../limit/raceLimits.js';
import { getEffect } from '../../value/ToolHints.js';
import { isPlainJson } from '../../schema/write/plainJson.js';
import { findResultIssues } from '../../schema/write/Conformity.js';
import { selectDeclared } from '../../schema/write/selectDeclared.js';
import { findPartsProblem } from '../../value/findPartsProblem.js';
import { ToolResult } from '../../value/ToolResult.js';
import type { Admission } from '../admit/admitCall.js';
import { HandlerCallInfo } from '../HandlerCallInfo.js';
import { LinkedSignal } from './LinkedSignal.js';
import { HandlerContext, type ContextParts, type NestedDispatch } from './HandlerContext.js';
import { AttemptTransaction, type CommitOutcome } from './AttemptTransaction.js';
import type { MaskedError } from '../redact/ErrorMask.js';
import { isToolFault, createFailureResult } from '../finish/createFailureResult.js';
import type { GuardedCall } from '../admit/IncomingCall.js';
import { runIntercepted } from './runIntercepted.js';
import { writePlainResult } from '../finish/renderResult.js';
import { formatCallId, logError } from '../finish/logError.js';
import { createNestedDispatch, type Dispatch } from './createNestedDispatch.js';
import {
  createConflicted,
  createInvalidResult,
  notRestored,
  createOrphaned,
  createPartlyCommitted,
  createWrongParts,
  type AttemptResult,
} from '../finish/outcomes.js';
import type { ResourceChanges } from '../../resource/Overlays.js';
import type { SecretRedaction } from '../redact/SecretRedaction.js';
import type { OpenCall } from './OpenCall.js';
import { notifyPolicies } from '../admit/askPolicies.js';
import { refuseUnfinished, runHandler, toResult } from './runHandler.js';

/** Options of one attempt of a call. */
export interface AttemptOptions {
  /** 1 for the first. */
  readonly number: number;
  /** Undefined for a tool without policies and approvals. */
  readonly admission: Admission | undefined;
  /** Dispatches the calls that the handler makes. */
  readonly dispatch: Dispatch;
}

/** Runs the handler of a call once. Awaits nothing unless the handler, a policy or a resource takes time. Never rejects. */
export function attemptCall(call: GuardedCall, params: unknown, options: AttemptOptions): Awaitable<AttemptResult> {
  const { tool, run, place } = call;
  if (tool.metadata.invoke === null) {
    const problem = `The tool ${tool.name} has no handler; it only advertises.`;
    const error = new PromptEvaluationError(problem, { phase: 'tool', code: 'E601', place: tool.metadata.place });
    return createFailureResult(error, call, 'handler');
  }
  // While the call waited for its turn, or for its approval, the handler that made it may have ended.
  if ((place.parentCall ?? run.parentCall)?.transaction.session.closed === true) return createOrphaned(tool);
  return new Attempt(call, options).run(params);
}

/** A result that may be committed. */
interface AcceptedResult {
  /** As the handler returned it. */
  readonly result: ToolResult;
  /** The part that the caller gets. */
  readonly shown: ToolResult;
  /** True if the value of the part is an object that JSON.stringify writes as the model reads it. */
  readonly isPlain: boolean;
  /** How it differs from its declared type, if the tool only warns of that. */
  readonly warned: readonly ParamIssue[] | undefined;
}

/** The check of a result that is as it should be. */
const FAULTLESS: { readonly fault?: AttemptResult; readonly warned?: readonly ParamIssue[] } = Object.freeze({});

/**
 * One try of a call in a transaction of its own: invokes the handler, checks the result, notifies the policies, and commits.
 * Anything but a success is rolled back.
 */
class Attempt implements ContextParts {
  readonly transaction: AttemptTransaction;
  readonly #call: GuardedCall;
  readonly #options: AttemptOptions;
  readonly #parentCall: OpenCall | undefined;
  readonly #context: HandlerContext;
  // Created on first use: a small call takes as long as creating its objects.
  #signal: LinkedSignal | undefined;
  #details: HandlerCallInfo | undefined;
  #nested: NestedDispatch | undefined;

  constructor(call: GuardedCall, options: AttemptOptions) {
    const { services, tool, run, place } = call;
    const parent = place.parentCall ?? run.parentCall;
    const record = parent === undefined ? place.record : undefined;
    this.transaction = new AttemptTransaction(services, run, {
      parent: parent?.transaction,
      readOnly: tool.hints.readOnly === true,
      record: record?.recordOf(Number(place.position)),
      refresh: record?.refresh,
    });
    this.#call = call;
    this.#options = options;
    this.#parentCall = parent;
    this.#context = new HandlerContext(services, run, this);
  }

  get redaction(): SecretRedaction | undefined {
    return this.#call.redaction;
  }

  get onProgress(): ContextParts['onProgress'] {
    return this.#parentCall === undefined ? this.#call.place.onProgress : undefined;
  }

  get signal(): LinkedSignal {
    return (this.#signal ??= new LinkedSignal(this.#parentCall?.signal));
  }

  get details(): HandlerCallInfo {
    const { call, run, place } = this.#call;
    return (this.#details ??= new HandlerCallInfo(call, run, place, this.#options.number));
  }

  get nested(): NestedDispatch {
    return (this.#nested ??= createNestedDispatch(this.#options.dispatch, this.#call, {
      callId: this.#call.call.id,
      transaction: this.transaction,
      signal: this.signal,
    }));
  }

  run(params: unknown): Awaitable<AttemptResult> {
    try {
      const returned = this.#invoke(params);
      return isThenable(returned)
        ? this.#wait(this.#awaitHandler(returned), (value) => this.#accept(value))
        : this.#accept(returned);
    } catch (thrown) {
      return this.#end(this.#fail(thrown));
    }
  }

  /**
   * Takes the next step in the tick in which its value is known: a handler that is still running must find everything closed after
   * the commit or the failure. An error of either ends the attempt.
   */
  #wait<T>(value: Promise<T>, next: (value: T) => Awaitable<AttemptResult>): Promise<AttemptResult> {
    const fail = (thrown: unknown): Awaitable<AttemptResult> => this.#end(this.#fail(thrown));
    return value.then((settled) => {
      try {
        return next(settled);
      } catch (thrown) {
        return fail(thrown);
      }
    }, fail);
  }

  /** Checks the result of the handler, notifies the policies, and commits. */
  #accept(returned: unknown): Awaitable<AttemptResult> {
    const { tool } = this.#call;
    const { admission } = this.#options;
    const result = toResult(returned);
    const { fault, warned } = this.#checkResult(result);
    if (fault !== undefined) return this.#end(this.transaction.orphaned ? createOrphaned(tool) : fault);
    const shown = dropUndeclared(tool, result);
    const isPlain = isObject(shown.value) && isPlainJson(shown.value);
    if (!isPlain) refuseUnfinished(shown.value);
    const accepted = { result, shown, isPlain, warned };
    return admission === undefined ? this.#commit(accepted) : this.#notifyPolicies(admission, accepted);
  }

  #end(callResult: AttemptResult): Awaitable<AttemptResult> {
    this.transaction.close();
    HandlerContext.close(this.#context);
    if (callResult.kind !== 'succeeded') this.signal.rollBack();
    const isApproved = this.#options.admission?.isApproved === true;
    const judged = isApproved ? { ...callResult, approved: true as const } : callResult;
    const ended = addEffect(this.#call.tool, judged);
    return this.#closeResources(ended) ?? ended;
  }

  /** Calls the handler once the resources of the call are open. */
  #invoke(params: unknown): unknown {
    const opening = this.transaction.open(this.#call.tool);
    if (opening === undefined) return this.#handle(params);
    return opening.then(() => this.transaction.enter(() => this.#handle(params)));
  }

  /** Calls the handler within its interceptors. */
  #handle(params: unknown): unknown {
    const { tool, call } = this.#call;
    const around = this.#call.services.interceptors.of('aroundTool');
    const context = this.#context;
    if (around.length === 0) return runHandler(tool, params, context);
    const core = async (): Promise<ToolResult> => toResult(await runHandler(tool, params, context));
    const changes = (): readonly ResourceChanges[] => this.transaction.resources.changes();
    return runIntercepted(around, { tool, call, context, changes }, core, tool.name);
  }

  /** Waits for a handler no longer than its timeout, the deadline and the caller allow. */
  #awaitHandler(returned: PromiseLike<unknown>): Promise<unknown> {
    const { run, tool } = this.#call;
    const running = Promise.resolve(returned);
    return hasLimits(run, tool.metadata.timeoutMs) ? this.#race(running) : running;
  }

  #race(running: Promise<unknown>): Promise<unknown> {
    const { run, tool } = this.#call;
    return raceLimits(running, run, {
      timeoutMs: tool.metadata.timeoutMs,
      signal: this.signal,
      onLate: (late) => {
        this.#log('debug', `Tool ${tool.name} failed after its call had ended`, late);
      },
    });
  }

  /**
   * Checks whether a handler returned a failure, a value that contradicts its declaration, or wrong parts.
   *
   * @returns the fault that ends the call, or the issues that its tool only warns of
   */
  #checkResult(result: ToolResult): { readonly fault?: AttemptResult; readonly warned?: readonly ParamIssue[] } {
    const { tool } = this.#call;
    if (!result.success)
      return { fault: this.transaction.conflicts(true) ? createConflicted(tool) : { kind: 'failed', result } };
    const wrong =
      result.parts === undefined ? undefined : findPartsProblem(result.parts, this.#call.services.partLimit);
    if (wrong !== undefined) return { fault: createWrongParts(tool, wrong) };
    const { result: declared, resultMismatch } = tool.metadata;
    const issues = declared === null || result.value === null ? [] : findResultIssues(declared, result.value);
    if (issues.length === 0) return FAULTLESS;
    return resultMismatch === 'warn' ? { warned: issues } : { fault: createInvalidResult(tool, issues) };
  }

  #notifyPolicies(admission: Admission, accepted: AcceptedResult): Awaitable<AttemptResult> {
    const { transaction, signal } = this;
    const { parsedCall, details } = admission;
    const note = { parsedCall, details, result: accepted.result, transaction, signal };
    const notified = transaction.enter(() => notifyPolicies(this.#call, note));
    return notified === undefined
      ? this.#commitIfAllowed(admission, accepted, undefined)
      : this.#wait(notified, (refusal) => this.#commitIfAllowed(admission, accepted, refusal));
  }

  #commitIfAllowed(
    admission: Admission,
    accepted: AcceptedResult,
    refusal: AttemptResult | undefined,
  ): Awaitable<AttemptResult> {
    const { tool } = this.#call;
    if (this.transaction.orphaned) return this.#end(createOrphaned(tool));
    if (refusal !== undefined) return this.#end(refusal);
    return admission.moved() ? this.#end(createConflicted(tool)) : this.#commit(accepted);
  }

  /** Dispatches a value of the session to its slice, and commits. Awaits nothing unless a resource needs it. */
  #commit(accepted: AcceptedResult): Awaitable<AttemptResult> {
    const { tool } = this.#call;
    const { transaction } = this;
    if (transaction.orphaned) return this.#end(createOrphaned(tool));
    const { value } = accepted.result;
    const isState = isObject(value) && transaction.rules.hasRule(value.constructor as never);
    if (isState && tool.hints.readOnly !== true) transaction.session.dispatch(value);
    const json = accepted.isPlain ? this.#writeFinalJson(accepted.shown.value) : undefined;
    const committing = transaction.commit();
    return isThenable(committing)
      ? this.#wait(this.#awaitCommit(committing), (outcome) => this.#finishCommit(outcome, accepted))
      : this.#finishCommit(committing, accepted, json);
  }

  /**
   * Writes the JSON of a plain value before the commit, which saves checking it again afterwards. Returns undefined if the commit may
   * change the value, and for a call that waits for its turn: many results would be written without a pause between them.
   */
  #writeFinalJson(value: unknown): string | undefined {
    const { tool, place } = this.#call;
    const turns = place.program?.turns ?? place.turns;
    return this.transaction.isUsed || turns !== undefined ? undefined : writePlainResult(value, tool.metadata.result);
  }

  #finishCommit(outcome: CommitOutcome, { shown, warned }: AcceptedResult, json?: string): Awaitable<AttemptResult> {
    const { tool } = this.#call;
    if (outcome.kind === 'conflicted') return this.#end(createConflicted(tool));
    if (outcome.kind === 'committed') {
      const succeeded: AttemptResult =
        json === undefined ? { kind: 'succeeded', result: shown } : { kind: 'succeeded', result: shown, json };
      return this.#end(warned === undefined ? succeeded : this.#warnOfResult(succeeded, warned));
    }
    const masked = this.#call.services.errorMask.of(outcome.error);
    this.#log('error', `The changes of the call may have been kept in part${formatCallId(masked)}`, outcome.error);
    return this.#end(createPartlyCommitted(tool, outcome.error, masked));
  }

  /** Waits for a commit: interrupting it would leave unknown what it has done. @throws what the commit throws */
  async #awaitCommit(committing: Promise<CommitOutcome>): Promise<CommitOutcome> {
    if ((await waitWithGrace(committing, this.#call.run)) === undefined) return committing;
    const problem = `a commit had not ended ${String(CALL_END_MS)} ms after the call was stopped`;
    return { kind: 'half', error: new ResourceError(problem, { code: 'E914' }) };
  }

  /** Logs how a result differs from its declared type, and adds it to a call that succeeded. */
  #warnOfResult(callResult: AttemptResult, issues: readonly ParamIssue[]): AttemptResult {
    const shown = Object.freeze(issues.slice(0, MAX_ISSUES));
    const found = shown
      .slice(0, MAX_LOGGED_ISSUES)
      .map(({ path, message }) => `${path === '' ? 'result' : path}: ${message}`);
    const more = issues.length > MAX_LOGGED_ISSUES ? `; and ${String(issues.length - MAX_LOGGED_ISSUES)} more` : '';
    const problem = `Tool ${this.#call.tool.name} gave a result that is not what it declares: ${found.join('; ')}${more}`;
    logError(this.#call, 'warn', problem);
    return { ...callResult, resultIssues: shown };
  }

  /** The result of a call whose handler, policy or commit threw. */
  #fail(thrown: unknown): AttemptResult {
    const call = this.#call;
    const { tool } = call;
    if (this.transaction.orphaned) return createOrphaned(tool);
    const callResult = createFailureResult(thrown, call, 'handler');
    if (callResult.result === null) return callResult;
    if (callResult.kind === 'denied') {
      logError(this.#call, 'warn', `Tool ${tool.name} was denied: ${callResult.reason ?? ''}`);
      return callResult;
    }
    const { errorId } = callResult;
    const isRefusal = errorId === undefined && (thrown instanceof ToolRefusal || thrown instanceof ToolValidationError);
    const level = isToolFault(thrown) ? 'error' : isRefusal ? 'debug' : 'warn';
    const what = callResult.kind === 'timed_out' ? 'timed out' : 'failed';
    this.#log(level, `Tool ${tool.name} ${what}${formatCallId({ id: errorId })}`, callResult.error ?? thrown);
    return callResult.kind === 'failed' && this.#hasConflicts() ? createConflicted(tool) : callResult;
  }

  /** False if a resource cannot say: the call has failed already, and the model reads why. */
  #hasConflicts(): boolean {
    try {
      return this.transaction.conflicts(true);
    } catch {
      return false;
    }
  }

  /**
   * Restores what the call changed in place, unless it succeeded, and closes what was opened for it. Returns undefined for the
   * many calls that leave nothing to do.
   */
  #closeResources(callResult: AttemptResult): Promise<AttemptResult> | undefined {
    const { tool } = this.#call;
    const isKept = callResult.kind === 'succeeded' && !this.transaction.isDropped;
    const finishing = this.transaction.finish(isKept, ({ name, error }) => {
      this.#log('error', `The resource ${name} failed to close after ${tool.name}`, error);
    });
    return finishing?.then((fault) => {
      if (fault === undefined) return callResult;
      const masked = isKept ? undefined : this.#maskCause(callResult, fault);
      this.#log('error', `A resource was not left as it should be by ${tool.name}${formatCallId(masked)}`, fault);
      return isKept ? callResult : notRestored(tool, callResult, fault, masked);
    });
  }

  /** Returns the replacement of an error's message for the model; undefined if the model may read the message. */
  #maskCause({ error, errorId, kind, result }: AttemptResult, fault: unknown): MaskedError | undefined {
    if (errorId !== undefined) return { id: errorId, text: undefined };
    return kind === 'timed_out' || result === null ? undefined : this.#call.services.errorMask.of(error ?? fault);
  }

  #log(level: keyof Logger, what: string, error: unknown): void {
    logError(this.#call, level, `${what}: ${messageOf(error)}`, error);
  }
}

/** The result without undeclared properties, so that text, event, program and host agree. */
function dropUndeclared({ metadata }: GuardedCall['tool'], result: ToolResult): ToolResult {
  if (metadata.result === null || metadata.returnSchema !== null) return result;
  const value = selectDeclared(metadata.result, result.value);
  if (value === result.value) return result;
  const { message, excludeValueFromContext, parts } = result;
  return new ToolResult({ message, value, excludeValueFromContext, parts });
}

/** Adds the possible effect outside of a handler that did not succeed. */
function addEffect({ hints }: GuardedCall['tool'], callResult: AttemptResult): AttemptResult {
  const { kind, effect } = callResult;
  if (effect !== undefined || (kind !== 'failed' && kind !== 'timed_out' && kind !== 'conflicted')) return callResult;
  return { ...callResult, effect: getEffect(hints) };
}
