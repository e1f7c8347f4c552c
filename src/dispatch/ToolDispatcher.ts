import { after } from '../common/after.js';
import { isInstance, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { ToolRefusal, ToolValidationError } from '../error/toolErrors.js';
import type { InterceptedToolCall, InterceptedInvocation } from '../interface/Interceptor.js';
import type { Logger } from '../interface/Logger.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { resultIssues } from '../schema/conform.js';
import { RejectedToolParams } from '../value/RejectedToolParams.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';
import { admit, isGuarded, mayRunTogether, overBudget, tooLate, type Admission } from './admission.js';
import { answerRequest } from './answerRequest.js';
import { callerAt, CallDetails } from './CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import type { OpenCall } from './OpenCall.js';
import { CallOrder } from './CallOrder.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext, type NestedDispatch } from './CallToolContext.js';
import { CallTransaction } from './CallTransaction.js';
import { finalise, recordSuccess, type IncomingCall, type CallResult } from './finalise.js';
import { restoreFeedback, scheduleFeedback } from './giveFeedback.js';
import { arounds, intercepted, type Around } from './intercept.js';
import { endCall, type CallLogger } from './endCall.js';
import { conflicted, orphaned, rejected, waiting } from './callResults.js';
import { judge } from './failurePolicy.js';
import { logError } from './logError.js';
import { interceptedToolCall, observed } from './observed.js';
import { parseArguments, readArguments } from './parseArguments.js';
import { notifyPolicies } from './policies.js';
import { ApprovalMissing } from './ProgramCaller.js';
import { raceHandler } from './raceHandler.js';
import { runHandler } from './runHandler.js';
import { toResult } from './toResult.js';
import { partialCommitText, invalidResultText, unknownToolText } from './messages.js';

const FIRST: CallPlace = Object.freeze({});

/** Which try of a call it is, and on what grounds it may run; undefined when nobody watches over it. */
interface Attempt {
  readonly number: number;
  readonly admitted: Admission | undefined;
}

/**
 * Runs one tool call as a transaction (docs/contract.md, 7). Whatever goes wrong becomes a failed result that tells the
 * model what to do next; the few errors that leave stand in the failure table.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;
  readonly #around: readonly Around<InterceptedInvocation, ToolResult>[];
  readonly #observers: readonly Around<InterceptedToolCall, ToolOutcome>[];

  constructor(services: DispatchServices) {
    this.#services = services;
    this.#around = arounds(services.interceptors, 'aroundTool');
    this.#observers = arounds(services.interceptors, 'aroundCall');
  }

  /**
   * @throws PromptEvaluationError, VisibilityExpansionRequired, ApprovalPendingError, or the reason of the caller's signal
   */
  dispatch(call: ToolCall, run: CallRun, place: CallPlace = FIRST): Promise<ToolOutcome> {
    if (this.#observers.length === 0) return this.#dispatch(call, run, place);
    const incoming = interceptedToolCall(this.#services, call, run, place);
    return observed(this.#observers, incoming, () => this.#dispatch(call, run, place), this.#services.logger);
  }

  async #dispatch(call: ToolCall, run: CallRun, place: CallPlace): Promise<ToolOutcome> {
    if (run.signal?.aborted === true) throw run.signal.reason;
    const tool = place.tool ?? run.rendered.toolsByName.get(call.name);
    const { clock, redaction } = this.#services;
    const incoming: IncomingCall = {
      call,
      run,
      tool,
      startedAt: clock.monotonic(),
      redaction: redaction.ofCall(tool, call.arguments),
      place,
    };
    if (tool === undefined)
      return finalise(
        this.#services,
        incoming,
        new RejectedToolParams(readArguments(call.arguments)),
        this.#unknown(incoming),
      );
    const parsed = parseArguments(tool.metadata, call.arguments, callerAt(place));
    if (!parsed.ok)
      return finalise(this.#services, incoming, new RejectedToolParams(parsed.raw), rejected(tool, parsed.issues));
    if (run.deadline?.expired === true) throw tooLate(tool);
    const spent = overBudget(tool, run, place);
    if (spent !== undefined) return finalise(this.#services, incoming, parsed.params, spent);
    run.budget?.recordToolCalls(1);
    const isAnswered = place.answer !== undefined;
    const admitted = isAnswered || isGuarded(tool) ? await admit(this.#services, { ...incoming, tool }) : undefined;
    if (admitted !== undefined && 'kind' in admitted)
      return finalise(this.#services, incoming, parsed.params, admitted);
    const scheduled = scheduleFeedback(this.#services, tool, run, place);
    run.observer?.enter();
    let callResult: CallResult;
    try {
      callResult = await this.#attempt(tool, parsed.params, incoming, { number: 1, admitted });
      if (callResult.kind === 'conflicted') callResult = await this.#again(tool, incoming, admitted, callResult);
    } finally {
      run.observer?.leave();
    }
    const awaitAnswer =
      callResult.kind === 'expanded' ? await answerRequest(this.#services, incoming, callResult) : callResult;
    return finalise(this.#services, incoming, parsed.params, awaitAnswer, scheduled);
  }

  /** Counts a call that is answered from a record: feedback then comes after the same calls as without the interruption. */
  recall({ name }: ToolCall, run: CallRun, spoke: readonly number[]): void {
    restoreFeedback(this.#services, run.rendered.toolsByName.get(name), run, spoke);
  }

  #unknown({ call, run }: IncomingCall): CallResult {
    const names = [...run.rendered.toolsByName.keys()];
    return { kind: 'unknown', result: ToolResult.error(unknownToolText(call.name, names)) };
  }

  /** A call that met a change from outside runs once more where repeating it is safe. */
  async #again(
    tool: RenderedTool,
    incoming: IncomingCall,
    admitted: Admission | undefined,
    conflict: CallResult,
  ): Promise<CallResult> {
    const { readOnly, idempotent } = tool.hints;
    if (readOnly !== true && idempotent !== true) return conflict;
    // Parsed again: the first attempt may have changed its params.
    const again = parseArguments(tool.metadata, incoming.call.arguments, callerAt(incoming.place));
    if (!again.ok) return conflict;
    const anew = admitted === undefined ? undefined : await admit(this.#services, { ...incoming, tool }, admitted);
    if (anew !== undefined && 'kind' in anew) return anew;
    return this.#attempt(tool, again.params, incoming, { number: 2, admitted: anew });
  }

  async #attempt(
    tool: RenderedTool,
    params: unknown,
    incoming: IncomingCall,
    { number, admitted }: Attempt,
  ): Promise<CallResult> {
    const { metadata } = tool;
    if (metadata.invoke === null) {
      const error = new PromptEvaluationError(`The tool ${tool.name} has no handler; it only advertises.`, {
        phase: 'tool',
        code: 'E601',
        place: metadata.place,
      });
      return { kind: 'failed', result: null, error };
    }
    const { run, place } = incoming;
    const parentCall = place.parentCall ?? run.parentCall;
    // While the call waited for its turn, or for its approval, the handler that made it may have ended.
    if (parentCall?.transaction.session.closed === true) return orphaned(tool);
    const transaction = new CallTransaction(this.#services, run, parentCall?.transaction, tool.hints.readOnly === true);
    const signal = new CallSignal(parentCall?.signal);
    const context = this.#context(incoming, transaction, signal, number);
    let callResult: CallResult;
    try {
      const opening = transaction.resources.open();
      const returned = after(opening, () => this.#invoke(tool, params, incoming.call, context));
      const awaited = isThenable(returned)
        ? await raceHandler(Promise.resolve(returned), run, metadata.timeoutMs, signal, (late) => {
            this.#log(incoming, 'debug', `Tool ${tool.name} failed after its call had ended`, late);
          })
        : returned;
      const result = toResult(awaited);
      let fault = this.#fault(tool, result, transaction);
      if (fault === undefined && admitted !== undefined)
        fault = await notifyPolicies(
          this.#services,
          { ...incoming, tool },
          { ...admitted, result, transaction, signal },
        );
      if (transaction.orphaned) callResult = orphaned(tool);
      else if (fault !== undefined) callResult = fault;
      else
        callResult = admitted?.moved() === true ? conflicted(tool) : this.#settle(tool, result, transaction, incoming);
    } catch (thrown) {
      callResult = transaction.orphaned ? orphaned(tool) : this.#failure(tool, thrown, transaction, incoming);
    }
    transaction.close();
    CallToolContext.close(context);
    if (callResult.kind !== 'succeeded')
      signal.abort(
        callResult.error ?? new PromptEvaluationError('The call was rolled back.', { phase: 'tool', code: 'E601' }),
      );
    const log: CallLogger = (level, what, error) => {
      this.#log(incoming, level, what, error);
    };
    return endCall(tool.name, callResult, transaction, log) ?? callResult;
  }

  #context(
    { call, run, place, redaction }: IncomingCall,
    transaction: CallTransaction,
    signal: CallSignal,
    attempt: number,
  ): CallToolContext {
    const { turn = 1, position = '0' } = place;
    const details = new CallDetails(call, run, place, attempt);
    const parentCall: OpenCall = { callId: call.id, transaction, signal };
    let order: CallOrder | undefined;
    let begun = 0;
    const nested: NestedDispatch = (inner, ofProgram) => {
      const tool = ofProgram?.tool ?? run.rendered.callable(inner.name);
      const caller = ofProgram === undefined ? 'direct' : 'program';
      const program = ofProgram?.programCaller ?? place.program;
      const here: CallPlace = { parentCall, turn, position: `${position}.${String(begun++)}`, caller, program, tool };
      order ??= new CallOrder();
      return order.run(tool !== undefined && mayRunTogether(tool), () =>
        this.dispatch(inner, ofProgram === undefined ? run : { ...run, signal: ofProgram.signal }, here),
      );
    };
    return new CallToolContext(this.#services, run, { transaction, signal, details, nested, redaction });
  }

  /** The handler, with the interceptors around it. */
  #invoke(tool: RenderedTool, params: unknown, call: ToolCall, context: CallToolContext): unknown {
    if (this.#around.length === 0) return runHandler(tool, params, context);
    const core = async (): Promise<ToolResult> => toResult(await runHandler(tool, params, context));
    return intercepted(this.#around, { tool, call, context }, core, tool.name);
  }

  /** What the handler returned is a failure, or is not what it declares. */
  #fault(tool: RenderedTool, result: ToolResult, transaction: CallTransaction): CallResult | undefined {
    if (!result.success) return transaction.conflicts(true) ? conflicted(tool) : { kind: 'failed', result };
    const declared = tool.metadata.result;
    const issues = declared === null || result.value === null ? [] : resultIssues(declared, result.value);
    if (issues.length === 0) return undefined;
    return { kind: 'failed', result: ToolResult.error(invalidResultText(tool.name, issues)) };
  }

  /** The call has succeeded: its value reaches its slice, and everything is committed. */
  #settle(tool: RenderedTool, result: ToolResult, transaction: CallTransaction, incoming: IncomingCall): CallResult {
    const { value } = result;
    if (
      typeof value === 'object' &&
      value !== null &&
      tool.hints.readOnly !== true &&
      transaction.session.rules.knows(value.constructor as never)
    ) {
      transaction.session.dispatch(value);
    }
    const committed = transaction.commit(() => {
      recordSuccess(this.#services, incoming, result, transaction.kept);
    });
    if (committed.kind !== 'half')
      return committed.kind === 'committed' ? { kind: 'succeeded', result } : conflicted(tool);
    this.#log(incoming, 'error', 'A resource failed to commit after another had', committed.error);
    return {
      kind: 'failed',
      result: ToolResult.error(partialCommitText(tool.name, committed.error)),
      error: committed.error,
      effect: 'unknown',
    };
  }

  #failure(tool: RenderedTool, thrown: unknown, transaction: CallTransaction, incoming: IncomingCall): CallResult {
    if (isInstance(thrown, ApprovalMissing)) return waiting({ ...incoming, tool }, thrown, this.#services.clock.now());
    const verdict = judge(thrown, tool.metadata);
    if (verdict.leaves) return { kind: verdict.kind, result: null, error: verdict.error };
    const level = ToolRefusal.is(thrown) || ToolValidationError.is(thrown) ? 'debug' : 'warn';
    this.#log(incoming, level, `Tool ${tool.name} failed`, thrown);
    if (verdict.kind === 'failed' && transaction.conflicts(true)) return conflicted(tool);
    const { kind, result, effect } = verdict;
    return {
      kind,
      result,
      error: thrown,
      ...(effect === undefined ? { reason: reasonOf(thrown) } : { effect }),
    };
  }

  #log(incoming: IncomingCall, level: keyof Logger, what: string, error: unknown): void {
    logError(this.#services, incoming, level, `${what}: ${messageOf(error)}`, error);
  }
}

/** What a handler threw says, without what is said around it for a model. */
function reasonOf(thrown: unknown): string {
  const issues = ToolValidationError.is(thrown) ? thrown.issues : [];
  return [messageOf(thrown), ...issues.map(({ path, message }) => `${path}: ${message}`)].join('; ');
}
