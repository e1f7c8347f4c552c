import type { ModelPrice } from '../limit/computeCost.js';
import { isInstance } from '../common/classes.js';
import { messageOf } from '../common/text.js';
import { LinkedSignal } from '../dispatch/attempt/LinkedSignal.js';
import type { CallRun, DispatchServices } from '../dispatch/CallRun.js';
import { runIntercepted, type Around } from '../dispatch/attempt/runIntercepted.js';
import { receiveCall } from '../dispatch/admit/receiveCall.js';
import { Cancelled, raceLimits } from '../limit/raceLimits.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { DeadlineExceededError } from '../error/toolErrors.js';
import { ToolwrightError } from '../error/ToolwrightError.js';
import type { InterceptedRequest, InterceptedRun, PrefixMeasure } from '../interface/Interceptor.js';
import type {
  ModelAdapter,
  ModelPart,
  ModelRequest,
  ModelResponse,
  ModelSettings,
  SentRequest,
} from '../interface/ModelAdapter.js';
import type { Deadline } from '../limit/Deadline.js';
import type { OutputMetadata } from '../metadata/OutputMetadata.js';
import type { Message } from '../value/Message.js';
import { retryWithBackOff } from './retryWithBackOff.js';
import { runInterceptors } from './waitWithinRun.js';
import { isFormSent } from './conversation/beginConversation.js';
import type { Conversation } from './conversation/Conversation.js';
import { checkPart, checkResponse, checkStream } from './checkResponse.js';
import { describeOutput } from './describeOutput.js';
import type { UsageAccount } from './UsageAccount.js';
import { isMeasured, publishPrefix } from './conversation/publishPrefix.js';
import type { StepEmitter } from './stream/StepEmitter.js';

/** The services of an application that requests to a model use. */
export interface ModelServices extends DispatchServices {
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /** By the names of adapters. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** One request to a model. */
export interface Question {
  readonly adapter: ModelAdapter;
  /** Counts the answer, also one that cannot be used. */
  readonly account: UsageAccount;
  readonly conversation: Conversation;
  readonly settings: ModelSettings | undefined;
  readonly messages: readonly Message[];
  /** The output that the final answer must fit; null if any text is an answer. */
  readonly output: OutputMetadata | null;
  /** 1 for the run's first request. */
  readonly turn: number;
  /** The run, as interceptors see it. */
  readonly seen: InterceptedRun;
  /** Receives the answer in parts; undefined if the run is not a stream. */
  readonly emitter: StepEmitter | undefined;
}

/** Sends one request to a model: deadline, waiting when it is throttled, interceptors (docs/contract.md, 16). */
export class ModelTurn {
  readonly #services: ModelServices;

  constructor(services: ModelServices) {
    this.#services = services;
  }

  /**
   * @throws PromptEvaluationError with phase `request` or `response`, ThrottleError, or the reason of the caller's signal
   */
  async ask(run: CallRun, question: Question): Promise<ModelResponse> {
    const { account, adapter, turn, emitter } = question;
    const { clock, random, logger } = this.#services;
    const { deadline, signal } = run;
    signal?.throwIfAborted();
    if (isOver(deadline)) throw createLateError('request', 'The deadline passed before the next request.');
    const response = await retryWithBackOff(() => this.#askOnce(run, question), {
      clock,
      random,
      deadline,
      signal,
      onWait: async ({ message }, milliseconds) => {
        logger.info(`${adapter.name} is asked again in ${String(milliseconds)} ms: ${message}`, { turn });
        await emitter?.emitRetry(message, milliseconds);
      },
    });
    account.countAnswer(turn, response.usage);
    // If there are calls to run, the first of them checks the deadline.
    if (isOver(deadline) && response.toolCalls.length === 0)
      throw createLateError('response', `${adapter.name} answered after the deadline.`);
    refuseCutCalls(adapter, response);
    return copyPlainCalls(response);
  }

  async #askOnce(run: CallRun, question: Question): Promise<ModelResponse> {
    const { adapter, conversation, messages, output, turn, seen, emitter, settings } = question;
    const signal = new LinkedSignal();
    // Captured, since the model may open sections later.
    const { rendered } = run;
    const { head, model } = conversation.state;
    const { offered = [], closed = [] } = head ?? {};
    const layers: readonly Around<InterceptedRequest, ModelResponse>[] = this.#services.interceptors.of('aroundModel');
    // An adapter without a field for it may look at the schema all the same.
    const isFormRefused = adapter.takesOutputSchema === true && !isFormSent({ adapter, output }, head);
    const isCompared = isMeasured(this.#services, run, conversation);
    let measure: (() => PrefixMeasure) | undefined;
    const onSent = (sent: SentRequest): void => {
      measure = conversation.noteRequest(sent, rendered.estimator);
    };
    const request: ModelRequest = {
      messages: head?.output === undefined ? [...messages] : describeOutput(messages, head.output),
      toolSchemas: (target, options) => rendered.toolSchemas(target, options),
      ...conversation.tools.ofRequest(conversation.state),
      toolExamples: (name) => [...offered, ...closed].find((tool) => tool.name === name)?.examples ?? [],
      outputSchema: isFormRefused ? undefined : output?.schemaFor,
      means: model?.means,
      settings,
      onSent: isCompared || layers.length > 0 ? onSent : undefined,
      signal: signal.signal,
    };
    const core = (): Promise<ModelResponse> =>
      this.#complete(run, adapter, signal, () => readAnswer(adapter, request, emitter));
    const asked = { run: seen, turn, request, prefix: () => measure?.() };
    let response: ModelResponse | undefined;
    try {
      response = await (layers.length === 0
        ? core()
        : runInterceptors(runIntercepted(layers, asked, core, 'a request'), run, 'a request'));
      return response;
    } finally {
      // A provider refuses a request with another prefix: this is when the comparison is needed.
      if (isCompared && measure !== undefined)
        publishPrefix(this.#services, run, { conversation, turn, measure, response });
    }
  }

  /** Does not wait for an adapter that ignores its signal; its late answer is dropped. */
  async #complete(
    run: CallRun,
    adapter: ModelAdapter,
    signal: LinkedSignal,
    answer: () => Promise<ModelResponse>,
  ): Promise<ModelResponse> {
    try {
      return await raceLimits(answer(), run, { signal });
    } catch (cause) {
      if (isInstance(cause, Cancelled)) throw cause.reason;
      run.signal?.throwIfAborted();
      if (DeadlineExceededError.is(cause) || isOver(run.deadline)) {
        throw createLateError('response', `The deadline passed while ${adapter.name} was answering.`, cause);
      }
      if (ToolwrightError.is(cause)) throw cause;
      throw new PromptEvaluationError(`The request to ${adapter.name} failed: ${messageOf(cause)}`, {
        phase: 'request',
        cause,
      });
    }
  }
}

/** Reads the answer in parts if the adapter streams and the run is a stream. */
async function readAnswer(adapter: ModelAdapter, request: ModelRequest, emitter?: StepEmitter): Promise<ModelResponse> {
  const { name } = adapter;
  if (emitter === undefined || adapter.stream === undefined)
    return checkResponse(name, await adapter.complete(request));
  return readParts(name, checkStream(name, adapter.stream(request)), (part) => emitter.emitPart(part));
}

/** The answer with arguments that the conversation can keep; a handler never gets the objects of the adapter. */
function copyPlainCalls(response: ModelResponse): ModelResponse {
  const toolCalls = response.toolCalls.map((call) => receiveCall(call).call);
  return toolCalls.every((call, index) => call === response.toolCalls[index]) ? response : { ...response, toolCalls };
}

/** Refuses calls that may be incomplete. */
function refuseCutCalls(adapter: ModelAdapter, { finishReason, toolCalls }: ModelResponse): void {
  const cutShort = finishReason === 'length' || finishReason === 'content_filter';
  if (!cutShort || toolCalls.length === 0) return;
  throw new PromptEvaluationError(`${adapter.name} was cut short in the middle of its tool calls; none was run.`, {
    phase: 'response',
    code: 'E702',
    remedy:
      finishReason === 'length'
        ? "Raise the provider's limit on output tokens."
        : "Look at what the provider's content filter objects to.",
  });
}

function isOver(deadline: Deadline | undefined): boolean {
  return deadline?.expired === true;
}

function createLateError(phase: 'request' | 'response', problem: string, cause?: unknown): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase, code: 'E605', cause });
}

/**
 * Reads an answer in parts, one at a time: the next is requested when `emit` has resolved for the last one.
 *
 * @param adapter the name that the error shows
 * @param emit receives each part before the last
 * @throws PromptEvaluationError E702 if it ends without the whole answer, and what `parts` and `emit` throw
 */
async function readParts(
  adapter: string,
  parts: AsyncIterable<unknown>,
  emit: (part: Exclude<ModelPart, { readonly kind: 'response' }>) => Promise<void>,
): Promise<ModelResponse> {
  for await (const given of parts) {
    const part = checkPart(adapter, given);
    if (part.kind === 'response') return part.response;
    if (part.text !== '') await emit(part);
  }
  throw new PromptEvaluationError(`The stream of ${adapter} ended without its answer.`, {
    phase: 'response',
    code: 'E702',
    remedy: 'The last part that an adapter streams holds the whole response.',
  });
}
