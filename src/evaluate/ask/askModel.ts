import type { ModelPrice } from '../../limit/computeCost.js';
import { isInstance } from '../../common/classes.js';
import { MAX_FALLBACK_PAUSES_MS } from '../../common/limits.js';
import { omitUndefined } from '../../common/objects.js';
import { messageOf } from '../../common/text.js';
import type { Awaitable } from '../../common/types.js';
import { LinkedSignal } from '../../dispatch/attempt/LinkedSignal.js';
import type { DispatchContext, DispatchServices } from '../../dispatch/DispatchContext.js';
import { runIntercepted, type Around } from '../../dispatch/attempt/runIntercepted.js';
import { receiveCall } from '../../dispatch/admit/receiveCall.js';
import { Cancelled, raceLimits } from '../../limit/raceLimits.js';
import { requireValue } from '../../error/optionNames.js';
import type { FailedRequest } from '../../error/createFallbackError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import { DeadlineExceededError } from '../../error/toolErrors.js';
import { ToolwrightError } from '../../error/ToolwrightError.js';
import type { InterceptedRequest, InterceptedRun, PrefixMeasure } from '../../interface/Interceptor.js';
import type {
  ModelAdapter,
  ModelRequest,
  ModelResponse,
  ModelRoute,
  ModelSettings,
  SentRequest,
} from '../../interface/ModelAdapter.js';
import type { Deadline } from '../../limit/Deadline.js';
import type { OutputMetadata } from '../../metadata/OutputMetadata.js';
import { retryWithBackOff, type BackOffRules } from './retryWithBackOff.js';
import { runInterceptors } from './waitWithinRun.js';
import { isFormSent } from '../conversation/beginConversation.js';
import type { Conversation } from '../conversation/Conversation.js';
import type { RunLog } from '../conversation/log/RunLog.js';
import { checkPart, checkResponse, checkStream } from './checkResponse.js';
import { describeOutput } from '../answer/describeOutput.js';
import type { UsageAccount } from '../UsageAccount.js';
import { toolChoiceForm } from '../check/runOptionForms.js';
import type { EvaluateOptions } from '../RunOptions.js';
import { isMeasured, publishPrefix } from '../conversation/prefix/publishPrefix.js';
import type { AnswerPart, RunEmitter } from '../stream/RunEmitter.js';

/** The services of an application that requests to a model use. */
export interface ModelServices extends DispatchServices {
  /** Returns numbers from 0 up to 1. */
  readonly random: () => number;
  /** By the names of adapters. */
  readonly prices: Readonly<Record<string, ModelPrice>>;
}

/** A run that has begun in its conversation. */
export interface BegunRun {
  /** Counts each answer, even if the run cannot use it. */
  readonly account: UsageAccount;
  /** Holds all messages of the run. */
  readonly conversation: Conversation;
  readonly log: RunLog;
  /** The form of the final answer; null if any text is an answer. */
  readonly output: OutputMetadata | null;
}

/** The run that asks: its limits, its conversation, and its watchers. */
export interface Asker {
  readonly services: ModelServices;
  readonly run: DispatchContext;
  /** The adapter that gets its next request. */
  readonly adapter: ModelAdapter;
  /** The adapters that it may go on with; undefined if there is only one. */
  readonly route: ModelRoute | undefined;
  /** The failure after which its next request is the first one to another model; undefined after any other request. */
  readonly adapterSwitch: Pick<FailedRequest, 'adapter' | 'failure'> | undefined;
  readonly options: Pick<EvaluateOptions, 'toolChoice' | 'parallelToolCalls' | 'stopSequences' | 'temperature'> &
    BegunRun;
  readonly seen: InterceptedRun;
  /** Receives the answer in parts; undefined for a run without a stream or a listener. */
  readonly emitter: RunEmitter | undefined;
}

interface Attempts {
  /** How often it is repeated while the provider throttles; 4 when left out. */
  readonly retries?: number | undefined;
  readonly send?: (ask: () => Promise<ModelResponse>) => Promise<ModelResponse>;
}

const NO_ATTEMPTS: Attempts = {};

/**
 * Asks the model once: stops at the deadline, and waits while the provider throttles (docs/contract.md, 16).
 *
 * @throws PromptEvaluationError with phase `request` or `response`, PromptError E413 for a tool choice that is not one,
 * ThrottleError, or the reason of the caller's signal
 */
export async function askModel(
  asker: Asker,
  turn: number,
  { retries, send }: Attempts = NO_ATTEMPTS,
): Promise<ModelResponse> {
  const { adapter, emitter, services } = asker;
  const { account } = asker.options;
  const { clock, random, logger } = services;
  const { deadline, signal } = asker.run;
  const settings = readSettings(asker.options, turn);
  signal?.throwIfAborted();
  if (isOver(deadline)) throw late('request', 'The deadline passed before the next request.');
  const rules: BackOffRules = {
    clock,
    random,
    deadline,
    signal,
    attempts: retries === undefined ? undefined : retries + 1,
    pausesMs: retries === undefined ? undefined : MAX_FALLBACK_PAUSES_MS,
    onWait: async ({ message }, milliseconds) => {
      logger.info(`${adapter.name} is asked again in ${String(milliseconds)} ms: ${message}`, { turn });
      asker.options.log.forgetText();
      await emitter?.emitRetry(message, milliseconds);
    },
  };
  const request = (): Promise<ModelResponse> => sendRequest(asker, turn, settings);
  const response = await (send === undefined
    ? retryWithBackOff(request, rules)
    : send(() => retryWithBackOff(request, rules)));
  account.countAnswer(turn, { adapter: adapter.name, usage: response.usage });
  // If there are calls to run, the first of them checks the deadline.
  if (isOver(deadline) && response.toolCalls.length === 0)
    throw late('response', `${adapter.name} answered after the deadline.`);
  refuseCutCalls(adapter, response);
  return withPlainCalls(response);
}

/** Returns the settings of a request; undefined if the run leaves all of them to its adapter. @throws PromptError E413 */
function readSettings(options: Asker['options'], turn: number): ModelSettings | undefined {
  const { toolChoice: choice, parallelToolCalls, stopSequences, temperature } = options;
  const toolChoice = typeof choice === 'function' ? choice(turn) : choice;
  if (toolChoice !== undefined)
    requireValue('app.evaluate', `toolChoice of turn ${String(turn)}`, toolChoice, toolChoiceForm);
  const all = { toolChoice, parallelToolCalls, stopSequences, temperature };
  if (Object.values(all).every((value) => value === undefined)) return undefined;
  return omitUndefined(all);
}

/** Sends the conversation to the model, through the interceptors around requests. */
async function sendRequest(
  { services, run, adapter, options, adapterSwitch, seen, emitter }: Asker,
  turn: number,
  settings: ModelSettings | undefined,
): Promise<ModelResponse> {
  const { conversation, log, output } = options;
  const signal = new LinkedSignal();
  // Captured, since the model may open sections later.
  const { rendered } = run;
  const { head, model } = conversation.state;
  const { offered = [], closed = [] } = head ?? {};
  const messages = conversation.nextMessages;
  const layers: readonly Around<InterceptedRequest, ModelResponse>[] = services.interceptors.of('aroundModel');
  // An adapter without a field for it may look at the schema all the same.
  const isFormRefused = adapter.takesOutputSchema === true && !isFormSent({ adapter, output }, head);
  const isCompared = isMeasured(services, run, conversation);
  let measure: (() => PrefixMeasure) | undefined;
  const onSent = (sent: SentRequest): void => {
    measure = conversation.prefix.note(conversation.state, sent, rendered.estimator);
  };
  const request: ModelRequest = {
    messages: head?.output === undefined ? messages : describeOutput(messages, head.output),
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
    awaitAnswer(run, adapter, signal, readAnswer(adapter, request, log, emitter));
  const fallback = adapterSwitch && { from: adapterSwitch.adapter, failure: adapterSwitch.failure };
  const asked = { run: seen, adapter: adapter.name, fallback, turn, request, prefix: () => measure?.() };
  let response: ModelResponse | undefined;
  try {
    response = await (layers.length === 0
      ? core()
      : runInterceptors(runIntercepted(layers, asked, core, 'a request'), run, 'a request'));
    return response;
  } finally {
    // A provider refuses a request with another prefix: this is when the comparison is needed.
    if (isCompared && measure !== undefined) publishPrefix(services, run, { conversation, turn, measure, response });
  }
}

/** Does not wait for an adapter that ignores its signal; its late answer is dropped. */
async function awaitAnswer(
  run: DispatchContext,
  { name }: ModelAdapter,
  signal: LinkedSignal,
  answer: Promise<ModelResponse>,
): Promise<ModelResponse> {
  try {
    return await raceLimits(answer, run, { signal });
  } catch (cause) {
    if (isInstance(cause, Cancelled)) throw cause.reason;
    run.signal?.throwIfAborted();
    if (cause instanceof DeadlineExceededError || isOver(run.deadline))
      throw late('response', `The deadline passed while ${name} was answering.`, cause);
    if (cause instanceof ToolwrightError) throw cause;
    const problem = `The request to ${name} failed: ${messageOf(cause)}`;
    throw new PromptEvaluationError(problem, { phase: 'request', cause });
  }
}

/** Reads the answer in parts if the adapter streams and the run has an emitter. */
async function readAnswer(
  adapter: ModelAdapter,
  request: ModelRequest,
  log: RunLog,
  emitter?: RunEmitter,
): Promise<ModelResponse> {
  const { name } = adapter;
  if (emitter === undefined || adapter.stream === undefined)
    return checkResponse(name, await adapter.complete(request));
  return readParts(name, checkStream(name, adapter.stream(request)), request.signal, (part) => {
    if (part.kind === 'text') log.noteText(part.text);
    return emitter.emitPart(part);
  });
}

/** The answer with arguments that the conversation can keep; a handler never gets the objects of the adapter. */
function withPlainCalls(response: ModelResponse): ModelResponse {
  const toolCalls = response.toolCalls.map((call) => receiveCall(call).call);
  return toolCalls.every((call, index) => call === response.toolCalls[index]) ? response : { ...response, toolCalls };
}

function refuseCutCalls(adapter: ModelAdapter, { finishReason, toolCalls }: ModelResponse): void {
  const cutShort = finishReason === 'length' || finishReason === 'content_filter';
  if (!cutShort || toolCalls.length === 0) return;
  throw new PromptEvaluationError(`${adapter.name} was cut short in the middle of its tool calls; none was run.`, {
    phase: 'response',
    code: 'E702',
    failure: finishReason === 'length' ? 'cut_off' : 'content_policy',
    remedy:
      finishReason === 'length'
        ? "Raise the provider's limit on output tokens."
        : "Look at what the provider's content filter objects to.",
  });
}

function isOver(deadline: Deadline | undefined): boolean {
  return deadline?.expired === true;
}

function late(phase: 'request' | 'response', problem: string, cause?: unknown): PromptEvaluationError {
  return new PromptEvaluationError(problem, { phase, code: 'E605', cause });
}

/**
 * Reads an answer in parts, one at a time: the next is requested when `emit` has resolved for the last one.
 *
 * @param signal aborts when the run has ended: no further part is requested
 * @throws PromptEvaluationError E702 if it ends without the whole answer; the reason of the signal; errors of `parts` and `emit`, unchanged
 */
async function readParts(
  adapter: string,
  parts: AsyncIterable<unknown>,
  signal: AbortSignal,
  emit: (part: AnswerPart) => Awaitable<void>,
): Promise<ModelResponse> {
  for await (const given of parts) {
    const part = checkPart(adapter, given);
    if (part.kind === 'response') return part.response;
    signal.throwIfAborted();
    const read = part.text === '' ? undefined : emit(part);
    if (read !== undefined) await read;
  }
  throw new PromptEvaluationError(`The stream of ${adapter} ended without its answer.`, {
    phase: 'response',
    code: 'E702',
    failure: 'cut_off',
    remedy: 'The last part that an adapter streams holds the whole response.',
  });
}
