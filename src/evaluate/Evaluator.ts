import { isInstance } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import { PromptExecuted, PromptRendered } from '../event/promptEvents.js';
import { publishTo } from '../event/publishTo.js';
import { CallSignal } from '../dispatch/CallSignal.js';
import { Cancelled, raceHandler } from '../dispatch/raceHandler.js';
import type { CallRun, DispatchServices } from '../dispatch/CallRun.js';
import type { TurnDispatcher } from '../dispatch/TurnDispatcher.js';
import type { ModelAdapter, ModelResponse } from '../interface/ModelAdapter.js';
import type { Deadline } from '../limit/Deadline.js';
import type { Message } from '../value/Message.js';
import type { EvaluateOptions, PromptResponse } from './RunOptions.js';

const DEFAULT_MAX_TURNS = 100;

/** The loop: asks the model, runs the tools that it calls, tells it the outcomes, until it answers (runtime contract, 16). */
export class Evaluator {
  readonly #services: DispatchServices;
  readonly #turns: TurnDispatcher;

  constructor(services: DispatchServices, turns: TurnDispatcher) {
    this.#services = services;
    this.#turns = turns;
  }

  /** @throws PromptEvaluationError, VisibilityExpansionRequired, or the reason of the caller's signal */
  async evaluate(run: CallRun, options: EvaluateOptions): Promise<PromptResponse> {
    const { adapter, maxTurns = DEFAULT_MAX_TURNS } = options;
    const transcript: Message[] = [{ role: 'system', content: run.rendered.text }, ...(options.messages ?? [])];
    this.#publish(run, PromptRendered, {
      text: run.rendered.text,
      toolNames: run.rendered.tools.map(({ name }) => name),
    });
    for (let turn = 1; turn <= maxTurns; turn++) {
      const response = await this.#ask(run, adapter, transcript);
      const { text, toolCalls, finishReason, usage } = response;
      transcript.push({ role: 'assistant', content: text, ...(toolCalls.length === 0 ? {} : { toolCalls }) });
      if (toolCalls.length === 0) {
        this.#publish(run, PromptExecuted, { text, usage, turns: turn });
        const kept = this.#services.redaction.transcript(transcript, run.rendered);
        return { text, finishReason, usage, turns: turn, transcript: kept };
      }
      transcript.push(...(await this.#call(run, response)));
    }
    throw new PromptEvaluationError(`The model still called tools after ${String(maxTurns)} requests.`, {
      phase: 'budget',
      remedy: 'Raise maxTurns, or find out from the transcript why the model does not come to an end.',
    });
  }

  async #ask(run: CallRun, adapter: ModelAdapter, messages: readonly Message[]): Promise<ModelResponse> {
    throwIfAborted(run.signal);
    if (isOver(run.deadline)) {
      throw new PromptEvaluationError('The deadline passed before the next request.', {
        phase: 'request',
        code: 'E605',
      });
    }
    const response = await this.#complete(run, adapter, [...messages]);
    if (isOver(run.deadline)) {
      throw new PromptEvaluationError(`${adapter.name} answered after the deadline.`, {
        phase: 'response',
        code: 'E605',
      });
    }
    const cutShort = response.finishReason === 'length' || response.finishReason === 'content_filter';
    if (cutShort && response.toolCalls.length > 0) {
      throw new PromptEvaluationError(`${adapter.name} was cut short in the middle of its tool calls; none was run.`, {
        phase: 'response',
        code: 'E702',
        remedy:
          response.finishReason === 'length'
            ? "Raise the provider's limit on output tokens."
            : "Look at what the provider's content filter objects to.",
      });
    }
    return response;
  }

  /** A model that does not listen to its signal is not waited for, and what it says later is not heard. */
  async #complete(run: CallRun, adapter: ModelAdapter, messages: readonly Message[]): Promise<ModelResponse> {
    const signal = new CallSignal();
    try {
      const answering = adapter.complete({
        messages,
        toolSchemas: (target, options) => run.rendered.toolSchemas(target, options),
        signal: signal.signal,
      });
      return await raceHandler(answering, run, undefined, signal);
    } catch (cause) {
      if (isInstance(cause, Cancelled)) throw cause.reason;
      throwIfAborted(run.signal);
      if (DeadlineExceededError.is(cause) || isOver(run.deadline)) {
        const problem = `The deadline passed while ${adapter.name} was answering.`;
        throw new PromptEvaluationError(problem, { phase: 'response', code: 'E605', cause });
      }
      if (ToolwrightError.is(cause)) throw cause;
      throw new PromptEvaluationError(`The request to ${adapter.name} failed: ${messageOf(cause)}`, {
        phase: 'request',
        cause,
      });
    }
  }

  async #call(run: CallRun, { toolCalls }: ModelResponse): Promise<readonly Message[]> {
    const outcomes = await this.#turns.dispatch(toolCalls, run);
    return toolCalls.flatMap((call, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) return [];
      return [
        {
          role: 'tool',
          toolCallId: call.id,
          name: call.name,
          content: outcome.text,
          failed: outcome.kind !== 'succeeded',
        } as const,
      ];
    });
  }

  #publish<F extends object>(run: CallRun, Event: new (fields: never) => object, fields: F): void {
    const { eventBus, clock, ids, logger, redaction } = this.#services;
    if (run.onEvent === undefined && !eventBus.reaches(Event)) return;
    const { ns, key } = run.rendered.prompt;
    const head = { id: ids(), time: clock.now(), sessionId: run.session.id, prompt: `${ns}/${key}` };
    publishTo(new Event({ ...head, ...redaction.recorded(fields) } as never), eventBus, run.onEvent, logger);
  }
}

function isOver(deadline: Deadline | undefined): boolean {
  return deadline?.expired === true;
}

function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw signal.reason;
}
