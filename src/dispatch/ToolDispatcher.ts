import { after } from '../common/after.js';
import { isInstance, isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { ToolRefusal, ToolValidationError } from '../error/toolErrors.js';
import type { InterceptedArrival, InterceptedCall } from '../interface/Interceptor.js';
import type { Logger } from '../interface/Logger.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { resultIssues } from '../schema/conform.js';
import { RejectedToolParams } from '../value/RejectedToolParams.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { ToolOutcome } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';
import { admit, isGuarded, mayRunTogether, overBudget, tooLate, type Admitted } from './admission.js';
import { answerRequest } from './answerRequest.js';
import { callerAt, CallDetails } from './CallDetails.js';
import type { CallPlace, CallRun, DispatchServices } from './CallRun.js';
import type { OpenCall } from './OpenCall.js';
import { CallOrder } from './CallOrder.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext, type NestedDispatch } from './CallToolContext.js';
import { CallTransaction } from './CallTransaction.js';
import { conclude, noteSuccess, type Arrival, type Ending } from './conclude.js';
import { recallSpeakers, speakersOf } from './giveFeedback.js';
import { arounds, intercepted, type Around } from './intercept.js';
import { endCall, type LogOfCall } from './endCall.js';
import { conflicted, orphaned, rejected, waiting } from './endings.js';
import { judge } from './failurePolicy.js';
import { logError } from './logError.js';
import { arrivalOf, observed } from './observed.js';
import { parseArguments, readArguments } from './parseArguments.js';
import { tellPolicies } from './policies.js';
import { ApprovalMissing } from './ProgramSeat.js';
import { raceHandler } from './raceHandler.js';
import { runHandler } from './runHandler.js';
import { toResult } from './toResult.js';
import { halfCommittedText, invalidResultText, unknownToolText } from './words.js';

const FIRST: CallPlace = Object.freeze({});

/** Which try of a call it is, and on what grounds it may run; undefined when nobody watches over it. */
interface Attempt {
  readonly number: number;
  readonly admitted: Admitted | undefined;
}

/**
 * Runs one tool call as a transaction (docs/contract.md, 7). Whatever goes wrong becomes a failed result that tells the
 * model what to do next; the few errors that leave stand in the failure table.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;
  readonly #around: readonly Around<InterceptedCall, ToolResult>[];
  readonly #observers: readonly Around<InterceptedArrival, ToolOutcome>[];

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
    const arrival = arrivalOf(this.#services, call, run, place);
    return observed(this.#observers, arrival, () => this.#dispatch(call, run, place), this.#services.logger);
  }

  async #dispatch(call: ToolCall, run: CallRun, place: CallPlace): Promise<ToolOutcome> {
    if (run.signal?.aborted === true) throw run.signal.reason;
    const tool = place.tool ?? run.rendered.toolsByName.get(call.name);
    const { clock, redaction } = this.#services;
    const arrival: Arrival = {
      call,
      run,
      tool,
      startedAt: clock.monotonic(),
      redaction: redaction.ofCall(tool, call.arguments),
      place,
    };
    if (tool === undefined)
      return conclude(
        this.#services,
        arrival,
        new RejectedToolParams(readArguments(call.arguments)),
        this.#unknown(arrival),
      );
    const parsed = parseArguments(tool.metadata, call.arguments, callerAt(place));
    if (!parsed.ok)
      return conclude(this.#services, arrival, new RejectedToolParams(parsed.raw), rejected(tool, parsed.issues));
    if (run.deadline?.expired === true) throw tooLate(tool);
    const spent = overBudget(tool, run, place);
    if (spent !== undefined) return conclude(this.#services, arrival, parsed.params, spent);
    run.budget?.recordToolCalls(1);
    const isAnswered = place.answer !== undefined;
    const admitted = isAnswered || isGuarded(tool) ? await admit(this.#services, { ...arrival, tool }) : undefined;
    if (admitted !== undefined && 'kind' in admitted) return conclude(this.#services, arrival, parsed.params, admitted);
    const speakers = speakersOf(this.#services, tool, run, place);
    run.observer?.enter();
    let ending: Ending;
    try {
      ending = await this.#attempt(tool, parsed.params, arrival, { number: 1, admitted });
      if (ending.kind === 'conflicted') ending = await this.#again(tool, arrival, admitted, ending);
    } finally {
      run.observer?.leave();
    }
    const answered = ending.kind === 'expanded' ? await answerRequest(this.#services, arrival, ending) : ending;
    return conclude(this.#services, arrival, parsed.params, answered, speakers);
  }

  /** Counts a call that is answered from a record: feedback then comes after the same calls as without the interruption. */
  recall({ name }: ToolCall, run: CallRun, spoke: readonly number[]): void {
    recallSpeakers(this.#services, run.rendered.toolsByName.get(name), run, spoke);
  }

  #unknown({ call, run }: Arrival): Ending {
    const names = [...run.rendered.toolsByName.keys()];
    return { kind: 'unknown', result: ToolResult.error(unknownToolText(call.name, names)) };
  }

  /** A call that met a change from outside runs once more where repeating it is safe. */
  async #again(
    tool: RenderedTool,
    arrival: Arrival,
    admitted: Admitted | undefined,
    conflict: Ending,
  ): Promise<Ending> {
    const { readOnly, idempotent } = tool.hints;
    if (readOnly !== true && idempotent !== true) return conflict;
    // Parsed again: the first attempt may have changed its params.
    const again = parseArguments(tool.metadata, arrival.call.arguments, callerAt(arrival.place));
    if (!again.ok) return conflict;
    const anew = admitted === undefined ? undefined : await admit(this.#services, { ...arrival, tool }, admitted);
    if (anew !== undefined && 'kind' in anew) return anew;
    return this.#attempt(tool, again.params, arrival, { number: 2, admitted: anew });
  }

  async #attempt(
    tool: RenderedTool,
    params: unknown,
    arrival: Arrival,
    { number, admitted }: Attempt,
  ): Promise<Ending> {
    const { metadata } = tool;
    if (metadata.invoke === null) {
      const error = new PromptEvaluationError(`The tool ${tool.name} has no handler; it only advertises.`, {
        phase: 'tool',
        code: 'E601',
        place: metadata.place,
      });
      return { kind: 'failed', result: null, error };
    }
    const { run, place } = arrival;
    const within = place.within ?? run.within;
    // While the call waited for its turn, or for its approval, the handler that made it may have ended.
    if (within?.transaction.session.closed === true) return orphaned(tool);
    const transaction = new CallTransaction(this.#services, run, within?.transaction, tool.hints.readOnly === true);
    const signal = new CallSignal(within?.signal);
    const context = this.#context(arrival, transaction, signal, number);
    let ending: Ending;
    try {
      const opening = transaction.resources.open();
      const returned = after(opening, () => this.#invoke(tool, params, arrival.call, context));
      const awaited = isThenable(returned)
        ? await raceHandler(Promise.resolve(returned), run, metadata.timeoutMs, signal, (late) => {
            this.#log(arrival, 'debug', `Tool ${tool.name} failed after its call had ended`, late);
          })
        : returned;
      const result = toResult(awaited);
      let fault = this.#fault(tool, result, transaction);
      if (fault === undefined && admitted !== undefined)
        fault = await tellPolicies(this.#services, { ...arrival, tool }, { ...admitted, result, transaction, signal });
      if (transaction.orphaned) ending = orphaned(tool);
      else if (fault !== undefined) ending = fault;
      else ending = admitted?.moved() === true ? conflicted(tool) : this.#settle(tool, result, transaction, arrival);
    } catch (thrown) {
      ending = transaction.orphaned ? orphaned(tool) : this.#failure(tool, thrown, transaction, arrival);
    }
    transaction.close();
    CallToolContext.close(context);
    if (ending.kind !== 'succeeded')
      signal.abort(
        ending.error ?? new PromptEvaluationError('The call was rolled back.', { phase: 'tool', code: 'E601' }),
      );
    const log: LogOfCall = (level, what, error) => {
      this.#log(arrival, level, what, error);
    };
    return endCall(tool.name, ending, transaction, log) ?? ending;
  }

  #context(
    { call, run, place, redaction }: Arrival,
    transaction: CallTransaction,
    signal: CallSignal,
    attempt: number,
  ): CallToolContext {
    const { turn = 1, position = '0' } = place;
    const details = new CallDetails(call, run, place, attempt);
    const within: OpenCall = { callId: call.id, transaction, signal };
    let order: CallOrder | undefined;
    let begun = 0;
    const nested: NestedDispatch = (inner, ofProgram) => {
      const tool = ofProgram?.tool ?? run.rendered.callable(inner.name);
      const caller = ofProgram === undefined ? 'direct' : 'program';
      const program = ofProgram?.seat ?? place.program;
      const here: CallPlace = { within, turn, position: `${position}.${String(begun++)}`, caller, program, tool };
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
  #fault(tool: RenderedTool, result: ToolResult, transaction: CallTransaction): Ending | undefined {
    if (!result.success) return transaction.conflicts(true) ? conflicted(tool) : { kind: 'failed', result };
    const declared = tool.metadata.result;
    const issues = declared === null || result.value === null ? [] : resultIssues(declared, result.value);
    if (issues.length === 0) return undefined;
    return { kind: 'failed', result: ToolResult.error(invalidResultText(tool.name, issues)) };
  }

  /** The call has succeeded: its value reaches its slice, and everything is committed. */
  #settle(tool: RenderedTool, result: ToolResult, transaction: CallTransaction, arrival: Arrival): Ending {
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
      noteSuccess(this.#services, arrival, result, transaction.kept);
    });
    if (committed.kind !== 'half')
      return committed.kind === 'committed' ? { kind: 'succeeded', result } : conflicted(tool);
    this.#log(arrival, 'error', 'A resource failed to commit after another had', committed.error);
    return {
      kind: 'failed',
      result: ToolResult.error(halfCommittedText(tool.name, committed.error)),
      error: committed.error,
      effect: 'unknown',
    };
  }

  #failure(tool: RenderedTool, thrown: unknown, transaction: CallTransaction, arrival: Arrival): Ending {
    if (isInstance(thrown, ApprovalMissing)) return waiting({ ...arrival, tool }, thrown, this.#services.clock.now());
    const verdict = judge(thrown, tool.metadata);
    if (verdict.leaves) return { kind: verdict.kind, result: null, error: verdict.error };
    const level = ToolRefusal.is(thrown) || ToolValidationError.is(thrown) ? 'debug' : 'warn';
    this.#log(arrival, level, `Tool ${tool.name} failed`, thrown);
    if (verdict.kind === 'failed' && transaction.conflicts(true)) return conflicted(tool);
    const { kind, result, effect } = verdict;
    return {
      kind,
      result,
      error: thrown,
      ...(effect === undefined ? { reason: ownWords(thrown) } : { effect }),
    };
  }

  #log(arrival: Arrival, level: keyof Logger, what: string, error: unknown): void {
    logError(this.#services, arrival, level, `${what}: ${messageOf(error)}`, error);
  }
}

/** What a handler threw says, without what is said around it for a model. */
function ownWords(thrown: unknown): string {
  const issues = ToolValidationError.is(thrown) ? thrown.issues : [];
  return [messageOf(thrown), ...issues.map(({ path, message }) => `${path}: ${message}`)].join('; ');
}
