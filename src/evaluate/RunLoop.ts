import { DEFAULT_MAX_REFUSED, DEFAULT_MAX_TURNS } from '../common/limits.js';
import type { Awaitable } from '../common/types.js';
import type { DispatchContext } from '../dispatch/DispatchContext.js';
import { getThread } from '../dispatch/idempotencyKey.js';
import { runIntercepted, type Around } from '../dispatch/attempt/runIntercepted.js';
import type { TurnDispatcher } from '../dispatch/TurnDispatcher.js';
import { BudgetExceededError } from '../error/BudgetExceededError.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { ModelSwitched } from '../event/ModelSwitched.js';
import { PromptExecuted } from '../event/promptEvents.js';
import type { CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { InterceptedRun } from '../interface/Interceptor.js';
import type { ModelAdapter, ModelResponse, ModelRoute } from '../interface/ModelAdapter.js';
import type { RunEntry } from '../interface/RunEntry.js';
import type { EmitStep, EvaluateOptions, PromptResponse } from './RunOptions.js';
import { computeCost, type CountedRequest } from '../limit/computeCost.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import type { Message } from '../value/Message.js';
import { sumUsage } from '../value/Usage.js';
import type { ToolCall } from '../value/ToolCall.js';
import { AnswerReader } from './answer/AnswerReader.js';
import type { Asker, BegunRun, ModelServices } from './ask/askModel.js';
import { askWithFallback, type AdapterSwitch } from './ask/askWithFallback.js';
import { createModelEntry, describeNextOutput, isKnownTool } from './conversation/beginConversation.js';
import { nextSegment } from './conversation/history/nextSegment.js';
import { publishDrift } from './conversation/prefix/publishPrefix.js';
import { describeUnavailable } from './conversation/prefix/describeUnavailable.js';
import { createRunHandle } from './createRunHandle.js';
import { COMPLETE, judgeAnswer, describeRefusal } from './answer/judgeAnswer.js';
import { publishRendering, publishRun, publishStop } from './publishRun.js';
import { LazyResponse } from './answer/LazyResponse.js';
import { SectionExpansions } from './SectionExpansions.js';
import { DeltaEmitter } from './stream/DeltaEmitter.js';
import { EntryView } from './stream/EntryView.js';
import type { RunEmitter, RunListener } from './stream/RunEmitter.js';
import { StepEmitter } from './stream/StepEmitter.js';
import { runInterceptors, waitWithinRun } from './ask/waitWithinRun.js';
import { describeWrapUp } from './describeWrapUp.js';

export interface LoopParts {
  readonly services: ModelServices;
  readonly turns: TurnDispatcher;
}

/** The options of a run, with its conversation, log and account. */
export interface LoopOptions extends Omit<EvaluateOptions, 'output' | 'conversation'>, BegunRun {
  /** The adapter with which the run begins: one of the route, if there is one. */
  readonly adapter: ModelAdapter;
  /** The adapters that the run may go on with. */
  readonly route?: ModelRoute | undefined;
  /** Is called with each step, and awaited; undefined if the run is not a stream. */
  readonly emit?: EmitStep | undefined;
  /** Is called with the parts of the run, and not awaited. */
  readonly listener?: RunListener | undefined;
}

/** One run: asks the model, runs the tools that it calls, and sends their outcomes, until it answers (docs/contract.md, 16). */
export class RunLoop implements Asker {
  readonly services: ModelServices;
  /** The run that its calls belong to. A step that opens sections replaces the rendering. */
  readonly run: DispatchContext & { rendered: RenderedPrompt };
  readonly options: LoopOptions;
  readonly route: ModelRoute | undefined;
  adapter: ModelAdapter;
  adapterSwitch: AdapterSwitch | undefined;
  readonly seen: InterceptedRun;
  readonly emitter: RunEmitter | undefined;
  readonly #turns: TurnDispatcher;
  readonly #sections: SectionExpansions;
  readonly #answers: AnswerReader;
  readonly #maxTurns: number;
  #refusedAnswers = 0;
  /** The number of its requests so far. */
  #turn = 0;
  #isWarned = false;

  constructor({ services, turns }: LoopParts, run: DispatchContext, options: LoopOptions) {
    const { conversation, maxTurns = DEFAULT_MAX_TURNS } = options;
    const sections = new SectionExpansions(services, run, (name) => isKnownTool(conversation.state.head, name));
    this.services = services;
    this.options = options;
    this.route = options.route;
    this.adapter = options.adapter;
    this.#turns = turns;
    this.#sections = sections;
    this.#answers = new AnswerReader(options.output);
    this.#maxTurns = maxTurns;
    this.run = {
      ...run,
      unavailable: (name) => describeUnavailable(name, conversation.state.head, sections.rendered),
      // The calls of a run within a call belong to the conversation around it.
      findDenial: conversation.isKept ? (call) => conversation.state.denials.find(call) : run.findDenial,
      runHandle: (parentCall) =>
        createRunHandle(this, parentCall, (nested, loop) => new RunLoop({ services, turns }, nested, loop).answer()),
    };
    this.seen = this.#view();
    this.emitter = createEmitter(services, run, sections, options);
  }

  /** @throws PromptEvaluationError, OutputParseError, VisibilityExpansionRequired, or the reason of the caller's signal */
  async answer(): Promise<PromptResponse> {
    const around: readonly Around<InterceptedRun, PromptResponse>[] = this.services.interceptors.of('aroundRun');
    const loop = (): Promise<PromptResponse> => this.#loop();
    try {
      if (around.length === 0) return await loop();
      return await runInterceptors(runIntercepted(around, this.seen, loop, 'a run'), this.run, 'a run');
    } catch (error) {
      publishStop(this.services, this.run, error, this.options.account);
      throw error;
    }
  }

  /**
   * Records the messages that came after the last answer. The run then goes on with `answer`.
   *
   * @returns false if there are none, or no request is left
   */
  async continueSteered(): Promise<boolean> {
    const isSteered = await this.#recordSteering(this.#turn);
    if (isSteered) await this.#warnOfLimits(this.#turn);
    return isSteered;
  }

  async #loop(): Promise<PromptResponse> {
    if (this.#turn === 0) this.#announceRun();
    for (let turn = this.#turn + 1; turn <= this.#maxTurns; turn++) {
      this.#turn = turn;
      this.#checkBudget();
      await this.#beginSegment(turn);
      const response = await this.#ask(turn);
      this.#chargeAnswer(turn, response);
      await this.#showAnswer(response);
      if (response.toolCalls.length > 0) await this.#runCalls(turn, response.toolCalls);
      if (!(await this.#recordSteering(turn)) && response.toolCalls.length === 0) {
        const answer = await this.#readAnswer(turn, response);
        const verdict = answer && (await this.#judge(turn, answer));
        if (answer !== undefined && verdict !== undefined)
          return this.#finish(response, answer.output, verdict.complete);
      }
      await this.#warnOfLimits(turn);
    }
    throw new PromptEvaluationError(`The model still called tools after ${String(this.#maxTurns)} requests.`, {
      phase: 'budget',
      remedy: 'Raise maxTurns, or find out from the transcript why the model does not finish.',
    });
  }

  #announceRun(): void {
    const { account, conversation, log } = this.options;
    for (const request of log.recorded?.dropped ?? []) {
      account.countDropped(request);
      this.#recordTokens(request);
    }
    account.begin((messages) => this.#redact(messages));
    this.#keepMessages();
    publishRendering(this.services, this.run);
    publishDrift(this.services, this.run, conversation);
  }

  #checkBudget(): void {
    try {
      this.run.budget?.check();
    } catch (cause) {
      if (!(cause instanceof BudgetExceededError)) throw cause;
      throw new PromptEvaluationError(cause.message, { phase: 'budget', code: 'E704', cause });
    }
  }

  /** Begins a new segment of the conversation if its next request cannot begin with the one before. */
  async #beginSegment(turn: number): Promise<void> {
    const { conversation, log, output } = this.options;
    const { isKept, state } = conversation;
    // A run without a record has one model, unless it has fallen back.
    if ((!isKept && state.earlierModels.length === 0) || log.isRecorded(turn)) return;
    const history = isKept ? this.options.history : undefined;
    const start = { rendered: this.run.rendered, session: this.#sections.view, adapter: this.adapter, output };
    const next = nextSegment(conversation, { ...start, turn, history });
    const segment = await waitWithinRun(next, this.run, 'the history was shortened');
    if (segment === undefined) return;
    await log.beginSegment(segment);
    this.#keepMessages();
  }

  #ask(turn: number): Promise<ModelResponse> | ModelResponse {
    this.emitter?.enter(turn);
    const isShown = this.emitter?.emitAnswer !== undefined || this.run.rendered.completion.length > 0;
    const recordSwitch = (adapterSwitch: AdapterSwitch): Promise<void> => this.#recordSwitch(turn, adapterSwitch);
    return this.options.log.answer(turn, () => askWithFallback(this, turn, recordSwitch), isShown);
  }

  /** Goes on with another adapter: the next process does so, too, once this is recorded. */
  async #recordSwitch(turn: number, adapterSwitch: AdapterSwitch): Promise<void> {
    const { account, conversation, log, output } = this.options;
    const { adapter: from, failure, to, problem } = adapterSwitch;
    const { head, output: described } = conversation.state;
    this.services.logger.warn(`${to.name} is asked instead of ${from}: ${problem}`, { turn, failure });
    const dropped = account.dropAnswer(turn);
    const usage = dropped?.usage;
    if (dropped !== undefined) this.#recordTokens(dropped);
    this.#checkBudget();
    const form = head && describeNextOutput({ adapter: to, output }, head, described);
    await log.changeModel({
      ...createModelEntry(conversation, to),
      fallback: usage === undefined ? { failure } : { failure, usage },
      ...(form === undefined || form === described ? {} : { output: form }),
    });
    this.adapter = to;
    this.adapterSwitch = adapterSwitch;
    await this.#beginSegment(turn);
    this.#keepMessages();
    await this.emitter?.emitRetry(problem, 0, to.name);
    publishRun(this.services, this.run, ModelSwitched, (recorded) => {
      return { conversation: conversation.id, turn, from, to: to.name, failure, problem: recorded(problem) };
    });
  }

  /** Each model counts the whole conversation, so the last answer of each counts. */
  #recordTokens({ adapter, usage }: CountedRequest): void {
    this.run.budget?.record(`${this.run.id()} ${adapter}`, usage);
  }

  #chargeAnswer(turn: number, { usage }: ModelResponse): void {
    const { account, log } = this.options;
    const adapter = log.recorded?.adapters.get(turn) ?? this.adapter.name;
    this.adapterSwitch = undefined;
    this.#recordTokens({ adapter, usage });
    account.countAnswer(turn, { adapter, usage });
    this.#checkBudget();
  }

  async #showAnswer(response: ModelResponse): Promise<void> {
    const prepared = this.services.redaction.prepare(response.toolCalls, this.#sections.toolsByName);
    if (prepared !== undefined) await prepared;
    this.#keepMessages();
    await this.emitter?.emitAnswer?.(response);
  }

  async #runCalls(turn: number, calls: readonly ToolCall[]): Promise<void> {
    const { expansions, log } = this.options;
    const before = this.run.rendered;
    const expander = expansions === 'throw' ? undefined : this.#sections;
    await this.#turns.dispatch(calls, this.run, { turn, record: log.openTurn(turn), expander, watcher: this.emitter });
    this.run.rendered = this.#sections.rendered;
    if (this.run.rendered !== before) publishRendering(this.services, this.run);
    this.#keepMessages();
    this.#checkBudget();
  }

  /** Adds the messages that people wrote meanwhile; false if there are none, or no request is left. */
  #recordSteering(turn: number): Awaitable<boolean> {
    return turn < this.#maxTurns && this.options.log.mayBeSteered ? this.#writeSteering(turn) : false;
  }

  async #writeSteering(turn: number): Promise<boolean> {
    const isSteered = await this.options.log.recordSteering(turn, (entry) => this.emitter?.emitEntry?.(entry));
    if (isSteered) this.#keepMessages();
    return isSteered;
  }

  /** Parses an answer; undefined if it cannot be parsed, and the model is to correct it. */
  async #readAnswer(turn: number, response: ModelResponse): Promise<FinalAnswer | undefined> {
    const read = this.#answers.read(response, turn < this.#maxTurns);
    if ('output' in read) return { text: response.text, output: read.output };
    await this.#addNote(turn, 'answer', () => read.feedback);
    return undefined;
  }

  /** Asks the completion checkers; undefined if they refuse the answer, and the model is to give a better one. */
  async #judge(turn: number, answer: FinalAnswer): Promise<CompletionVerdict | undefined> {
    const { log, maxRefusedAnswers = DEFAULT_MAX_REFUSED } = this.options;
    if (this.run.rendered.completion.length === 0) return COMPLETE;
    const verdict = await log.recordVerdict(turn, () => judgeAnswer(this.services, this.run, answer));
    // Without a request left for a better answer, this one is accepted.
    if (verdict.complete || !(this.#refusedAnswers < maxRefusedAnswers && turn < this.#maxTurns)) return verdict;
    this.#refusedAnswers++;
    await this.#addNote(turn, 'verdict', () => describeRefusal(verdict.feedback));
    return undefined;
  }

  async #warnOfLimits(turn: number): Promise<void> {
    if (this.#isWarned) return;
    const { budget, deadline } = this.run;
    const requests = { used: turn, limit: this.#maxTurns };
    this.#isWarned = await this.#addNote(turn, 'limits', () => describeWrapUp({ budget, deadline, requests }));
  }

  #finish({ text, finishReason }: ModelResponse, output: unknown, complete: boolean): PromptResponse {
    const { logger, prices } = this.services;
    const { account } = this.options;
    const requests = account.requests;
    const turns = requests.length;
    const usage = sumUsage(requests);
    const cost = computeCost(account.counted, prices);
    if (!complete) logger.warn('An answer was taken although a completion checker refuses it', { turns });
    publishRun(this.services, this.run, PromptExecuted, (recorded) => recorded({ text, usage, cost, turns, complete }));
    const adapters = account.counted.map(({ adapter }) => adapter);
    const fields = { text, output, finishReason, usage, cost, requests, adapters, turns, complete };
    return new LazyResponse(fields, account.lazyTranscript());
  }

  /** Adds a message of the run to the model, if one is recorded or due. */
  async #addNote(turn: number, about: RunEntry<'note'>['about'], due: () => string | undefined): Promise<boolean> {
    const note = this.options.log.note(turn, about, due);
    if (note === undefined) return false;
    this.#keepMessages();
    await this.emitter?.emitEntry?.(note);
    return true;
  }

  /** Keeps the messages so far for the transcript of an error. */
  #keepMessages(): void {
    const { account, conversation } = this.options;
    account.mark(conversation.markMessages());
  }

  #redact(messages: readonly Message[]): readonly Message[] {
    return this.services.redaction.redactTranscript(messages, this.#sections.toolsByName);
  }

  /** Makes the view of the run that interceptors get. */
  #view(): InterceptedRun {
    const { adapter, conversation } = this.options;
    const { rendered, metadata, session, observer } = this.run;
    return Object.freeze({
      id: this.run.id(),
      prompt: rendered.prompt,
      metadata,
      sessionId: session.id,
      adapter: adapter.name,
      conversation: conversation.isKept ? conversation.id : undefined,
      thread: getThread(this.run),
      rendered,
      session: observer?.session,
      recorded: (messages: readonly Message[]) => this.#redact(messages),
    });
  }
}

function createEmitter(
  { redaction }: ModelServices,
  run: DispatchContext,
  sections: SectionExpansions,
  { emit, listener, after, log }: LoopOptions,
): RunEmitter | undefined {
  if (emit === undefined && listener === undefined) return undefined;
  const view = new EntryView(redaction, sections);
  if (emit === undefined) return listener && new DeltaEmitter(listener, view);
  // The events of a run that is not recorded have no place in a log.
  const seqOf = run.home && log.trackPlaces();
  return new StepEmitter(emit, view, seqOf, after);
}
