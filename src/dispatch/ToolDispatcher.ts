import { isThenable } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { publishTo } from '../event/publishTo.js';
import { ToolRefusal, ToolValidationError, TransactionClosedError } from '../error/toolErrors.js';
import { ToolInvoked } from '../event/ToolInvoked.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import { resultIssues } from '../schema/conform.js';
import { RejectedToolParams } from '../value/RejectedToolParams.js';
import type { ToolCall } from '../value/ToolCall.js';
import type { CallEffect, OutcomeKind, ToolOutcome } from '../value/ToolOutcome.js';
import { ToolResult } from '../value/ToolResult.js';
import type { CallRun, DispatchServices } from './CallRun.js';
import { CallSignal } from './CallSignal.js';
import { CallToolContext, type NestedDispatch } from './CallToolContext.js';
import { CallTransaction, type OpenTransaction } from './CallTransaction.js';
import { judge } from './failurePolicy.js';
import { parseArguments, readArguments } from './parseArguments.js';
import { raceHandler } from './raceHandler.js';
import { renderResult, renderValue } from './renderResult.js';
import { toResult } from './toResult.js';
import {
  conflictText,
  halfCommittedText,
  invalidResultText,
  rejectedText,
  thrownText,
  unknownToolText,
} from './words.js';

/** How one call ended, before it is told to anybody. */
interface Ending {
  readonly kind: OutcomeKind;
  /** Null when an error leaves the dispatcher. */
  readonly result: ToolResult | null;
  readonly error?: unknown;
  readonly effect?: CallEffect;
}

/** What a nested call is part of. */
interface OpenCall {
  readonly transaction: OpenTransaction;
  readonly signal: CallSignal;
}

/** One call from its arrival on. */
interface Arrival {
  readonly call: ToolCall;
  readonly run: CallRun;
  /** Undefined when the rendering offers no such tool. */
  readonly tool: RenderedTool | undefined;
  readonly startedAt: number;
}

/**
 * Runs one tool call as a transaction (runtime contract, 7). Whatever goes wrong becomes a failed result that tells the
 * model what to do next; the few errors that leave stand in the failure table.
 */
export class ToolDispatcher {
  readonly #services: DispatchServices;

  constructor(services: DispatchServices) {
    this.#services = services;
  }

  /**
   * @param parent the call of the calling handler, of which this one is then a savepoint
   * @throws PromptEvaluationError, VisibilityExpansionRequired, or the reason of the caller's signal
   */
  async dispatch(call: ToolCall, run: CallRun, parent?: OpenCall): Promise<ToolOutcome> {
    if (run.signal?.aborted === true) throw run.signal.reason;
    const tool = run.rendered.toolsByName.get(call.name);
    const arrival: Arrival = { call, run, tool, startedAt: this.#services.clock.monotonic() };
    if (tool === undefined)
      return this.#conclude(arrival, new RejectedToolParams(readArguments(call.arguments)), this.#unknown(arrival));
    const parsed = parseArguments(tool.metadata, call.arguments);
    if (!parsed.ok) {
      const result = ToolResult.error(rejectedText(tool.name, parsed.issues));
      return this.#conclude(arrival, new RejectedToolParams(parsed.raw), { kind: 'rejected', result });
    }
    if (run.deadline?.expired === true) {
      throw new PromptEvaluationError(`The deadline passed before ${tool.name} could run.`, {
        phase: 'tool',
        code: 'E605',
        place: tool.metadata.place,
      });
    }
    return this.#conclude(arrival, parsed.params, await this.#run(tool, parsed.params, arrival, parent));
  }

  #unknown({ call, run }: Arrival): Ending {
    const names = [...run.rendered.toolsByName.keys()];
    return { kind: 'unknown', result: ToolResult.error(unknownToolText(call.name, names)) };
  }

  /** A call that met a change from outside runs once more where repeating it is safe. */
  async #run(tool: RenderedTool, params: unknown, arrival: Arrival, parent: OpenCall | undefined): Promise<Ending> {
    const { readOnly, idempotent } = tool.hints;
    const first = await this.#attempt(tool, params, arrival, parent, 1);
    if (first.kind !== 'conflicted' || (readOnly !== true && idempotent !== true)) return first;
    // Parsed again: the first attempt may have changed its params.
    const again = parseArguments(tool.metadata, arrival.call.arguments);
    return again.ok ? this.#attempt(tool, again.params, arrival, parent, 2) : first;
  }

  async #attempt(
    tool: RenderedTool,
    params: unknown,
    { call, run }: Arrival,
    parent: OpenCall | undefined,
    attempt: number,
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
    const transaction = new CallTransaction(this.#services, run, parent?.transaction, tool.hints.readOnly === true);
    const signal = new CallSignal(parent?.signal);
    const info = { id: call.id, name: call.name, attempt, caller: 'direct' } as const;
    const nested = queued((inner) => this.dispatch(inner, run, { transaction, signal }));
    const context = new CallToolContext(this.#services, run, transaction, signal, info, nested);
    let ending: Ending;
    try {
      const returned = metadata.invoke(tool.owner, params, context);
      const awaited = isThenable(returned)
        ? await raceHandler(Promise.resolve(returned), run, metadata.timeoutMs, signal)
        : returned;
      ending = transaction.orphaned ? orphaned(tool) : this.#settle(tool, toResult(awaited), transaction);
    } catch (thrown) {
      ending = transaction.orphaned ? orphaned(tool) : this.#failure(tool, thrown, transaction);
    }
    transaction.close();
    CallToolContext.close(context);
    if (ending.kind !== 'succeeded')
      signal.abort(
        ending.error ?? new PromptEvaluationError('The call was rolled back.', { phase: 'tool', code: 'E601' }),
      );
    return ending;
  }

  /** The handler has returned: its result is checked, its value reaches its slice, everything is committed. */
  #settle(tool: RenderedTool, result: ToolResult, transaction: CallTransaction): Ending {
    if (!result.success) return transaction.conflicts(true) ? conflicted(tool) : { kind: 'failed', result };
    const declared = tool.metadata.result;
    const issues = declared === null || result.value === null ? [] : resultIssues(declared, result.value);
    if (issues.length > 0) return { kind: 'failed', result: ToolResult.error(invalidResultText(tool.name, issues)) };
    const { value } = result;
    if (
      typeof value === 'object' &&
      value !== null &&
      tool.hints.readOnly !== true &&
      transaction.session.rules.knows(value.constructor as never)
    ) {
      transaction.session.dispatch(value);
    }
    const committed = transaction.commit();
    if (committed.kind !== 'half')
      return committed.kind === 'committed' ? { kind: 'succeeded', result } : conflicted(tool);
    this.#services.logger.error(`A resource failed to commit after another had: ${messageOf(committed.error)}`, {
      tool: tool.metadata.place,
      error: committed.error,
    });
    return {
      kind: 'failed',
      result: ToolResult.error(halfCommittedText(tool.name, committed.error)),
      error: committed.error,
      effect: 'unknown',
    };
  }

  #failure(tool: RenderedTool, thrown: unknown, transaction: CallTransaction): Ending {
    const verdict = judge(thrown, tool.metadata);
    if (verdict.leaves) return { kind: verdict.kind, result: null, error: verdict.error };
    const level = ToolRefusal.is(thrown) || ToolValidationError.is(thrown) ? 'debug' : 'warn';
    this.#services.logger[level](`Tool ${tool.name} failed: ${messageOf(thrown)}`, {
      tool: tool.metadata.place,
      error: thrown,
    });
    if (verdict.kind === 'failed' && transaction.conflicts(true)) return conflicted(tool);
    const { kind, result, effect } = verdict;
    return { kind, result, error: thrown, ...(effect === undefined ? {} : { effect }) };
  }

  /** Tells the bus, the run and the caller how the call ended. */
  #conclude(arrival: Arrival, params: unknown, ending: Ending): ToolOutcome {
    const { kind, result, error, effect } = ending;
    const output =
      result === null ? '' : renderValue(result.value, this.#services.serialiser, arrival.tool?.metadata.result);
    const text = result === null ? '' : renderResult(result, output);
    this.#publish(arrival, params, ending, output, text);
    if (result === null) throw error;
    if (kind === 'succeeded') return { kind, result, text };
    return { kind, result, text, ...('error' in ending ? { error } : {}), ...(effect === undefined ? {} : { effect }) };
  }

  #publish(
    { call, run, startedAt }: Arrival,
    params: unknown,
    ending: Ending,
    renderedOutput: string,
    toolMessage: string,
  ): void {
    const { eventBus, clock, ids, logger } = this.#services;
    if (run.onEvent === undefined && !eventBus.reaches(ToolInvoked)) return;
    const event = new ToolInvoked({
      id: ids(),
      time: clock.now(),
      sessionId: run.session.id,
      name: call.name,
      callId: call.id,
      params,
      result: ending.result,
      renderedOutput,
      toolMessage,
      kind: ending.kind,
      ...('error' in ending ? { error: ending.error } : {}),
      effect: ending.effect,
      durationMs: clock.monotonic() - startedAt,
    });
    publishTo(event, eventBus, run.onEvent, logger);
  }
}

/** Nested calls of one handler wait for each other: they are savepoints of one transaction. */
function queued(dispatch: NestedDispatch): NestedDispatch {
  let last: Promise<unknown> = Promise.resolve();
  return (call) => {
    const outcome = last.then(() => dispatch(call));
    last = outcome.catch(() => undefined);
    return outcome;
  };
}

/** The handler that made the call has ended meanwhile, so there is nothing left to commit into. */
function orphaned(tool: RenderedTool): Ending {
  const error = new TransactionClosedError(`call of ${tool.name} from a handler`);
  return { kind: 'failed', result: ToolResult.error(thrownText(tool.name, error)), error };
}

function conflicted(tool: RenderedTool): Ending {
  return { kind: 'conflicted', result: ToolResult.error(conflictText(tool.name)) };
}
