import type { CallRun } from '../dispatch/CallRun.js';
import type { OpenCall } from '../dispatch/attempt/OpenCall.js';
import { memoize } from '../common/memoize.js';
import { runIntercepted, type Around } from '../dispatch/attempt/runIntercepted.js';
import type { TurnDispatcher, TurnPlace } from '../dispatch/TurnDispatcher.js';
import { BudgetExceededError } from '../error/BudgetExceededError.js';
import { PromptEvaluationError } from '../error/PromptError.js';
import { PromptExecuted } from '../event/promptEvents.js';
import type { CompletionVerdict, FinalAnswer } from '../interface/CompletionChecker.js';
import type { InterceptedRun } from '../interface/Interceptor.js';
import type { ModelResponse } from '../interface/ModelAdapter.js';
import type { RunHandle } from '../interface/RunHandle.js';
import type { EmitStep } from '../interface/RunStep.js';
import type { OutputMetadata } from '../metadata/OutputMetadata.js';
import { computeCost } from '../limit/computeCost.js';
import { checkMessages } from './checkMessages.js';
import type { Message } from '../value/Message.js';
import { sumUsage } from '../value/Usage.js';
import { describeRefusal, type CompletionCheck } from './CompletionCheck.js';
import { AnswerReader } from './AnswerReader.js';
import { addMessages, beginConversation } from './conversation/beginConversation.js';
import { Conversation } from './conversation/Conversation.js';
import { findResult } from './conversation/LongResults.js';
import { nextSegment } from './conversation/nextSegment.js';
import { publishDrift } from './conversation/publishPrefix.js';
import type { RunLog } from './conversation/RunLog.js';
import { createToolMessage } from './conversation/createMessages.js';
import { describeUnavailable } from './conversation/describeUnavailable.js';
import type { ModelServices, ModelTurn } from './ModelTurn.js';
import type { RenderedPrompt } from '../prompt/RenderedPrompt.js';
import { publishRendering, publishRun, publishStop } from './publishRun.js';
import { renderNested } from './renderNested.js';
import { UsageAccount } from './UsageAccount.js';
import { createModelSettings } from './createModelSettings.js';
import { SectionExpansions } from './SectionExpansions.js';
import type { EvaluateOptions, PromptResponse } from './RunOptions.js';
import { LoopMessages } from './LoopMessages.js';
import { LazyResponse } from './LazyResponse.js';
import { StepEmitter } from './stream/StepEmitter.js';
import { viewRun } from './viewRun.js';
import { runInterceptors, waitWithinRun } from './waitWithinRun.js';
import { describeWrapUp } from './describeWrapUp.js';

const DEFAULT_MAX_TURNS = 100;
const DEFAULT_MAX_REFUSED = 3;
const COMPLETE: CompletionVerdict = Object.freeze({ complete: true });

/** The parts of the options that the loop itself uses. */
interface LoopOptions extends Pick<
  EvaluateOptions,
  | 'adapter'
  | 'maxTurns'
  | 'maxRefusedAnswers'
  | 'expansions'
  | 'after'
  | 'history'
  | 'toolChoice'
  | 'parallelToolCalls'
  | 'stopSequences'
  | 'temperature'
> {
  /** The conversation that the run appends to. */
  readonly conversation: Conversation;
  /** Everything that the first request sends, the run's own messages included. */
  readonly messages: readonly Message[];
  /** Receives what the run comes to. */
  readonly account: UsageAccount;
  /** Records the run; undefined for a conversation that is not kept. */
  readonly log?: RunLog | undefined;
  /** Replaces the prompt's own. */
  readonly output?: OutputMetadata | undefined;
  /** Is called with each step, and awaited. */
  readonly emit?: EmitStep | undefined;
}

/** A run with the sections that the model opens. */
interface Opening extends CallRun {
  /** The one of the next request. Not a getter: an object literal with one would outlive its run (decision 60). */
  rendered: RenderedPrompt;
  readonly sectionExpansions: SectionExpansions;
  /** Undefined if the run is not a stream. */
  readonly emitter: StepEmitter | undefined;
  /** The name of its adapter. */
  readonly adapter: string;
}

/** The loop: asks the model, runs the tools that it calls, and sends the outcomes, until it answers (docs/contract.md, 16). */
export class Evaluator {
  readonly services: ModelServices;
  readonly #model: ModelTurn;
  readonly #turns: TurnDispatcher;
  readonly #judge: CompletionCheck;

  constructor(services: ModelServices, model: ModelTurn, turns: TurnDispatcher, judge: CompletionCheck) {
    this.services = services;
    this.#model = model;
    this.#turns = turns;
    this.#judge = judge;
  }

  /** @throws PromptEvaluationError, OutputParseError, VisibilityExpansionRequired, or the reason of the caller's signal */
  async evaluate(run: CallRun, options: LoopOptions): Promise<PromptResponse> {
    const sectionExpansions = new SectionExpansions(this.services, run);
    const { emit, conversation, log, after } = options;
    const seen = viewRun(run, options, (messages) =>
      this.services.redaction.redactTranscript(messages, sectionExpansions.toolsByName),
    );
    const here: Opening = {
      ...run,
      sectionExpansions,
      adapter: options.adapter.name,
      emitter:
        emit === undefined
          ? undefined
          : new StepEmitter(emit, sectionExpansions, {
              redaction: this.services.redaction,
              after,
              seqOf: log?.trackPlaces(),
            }),
      unavailable: (name) => describeUnavailable(name, conversation.state.head, sectionExpansions.rendered),
      runHandle: (parentCall) => this.#runHandle(here, options, parentCall),
    };
    const loop = (): Promise<PromptResponse> => this.#loop(here, options, seen);
    try {
      const around: readonly Around<InterceptedRun, PromptResponse>[] = this.services.interceptors.of('aroundRun');
      if (around.length === 0) return await loop();
      return await runInterceptors(runIntercepted(around, seen, loop, 'a run'), run, 'a run');
    } catch (error) {
      publishStop(this.services, here, error, options.account);
      throw error;
    }
  }

  async #loop(run: Opening, options: LoopOptions, seen: InterceptedRun): Promise<PromptResponse> {
    const { account, adapter, conversation, log } = options;
    const { maxTurns = DEFAULT_MAX_TURNS, maxRefusedAnswers = DEFAULT_MAX_REFUSED } = options;
    const messages = new LoopMessages(options.messages, conversation.state.open?.from ?? 1, log, run.emitter);
    account.begin(() => this.#redactTranscript(run, messages));
    publishRendering(this.services, run);
    publishDrift(this.services, run, conversation);
    const expander = options.expansions === 'throw' ? undefined : run.sectionExpansions;
    const output = options.output ?? run.rendered.metadata.output;
    const answers = new AnswerReader(output);
    const isShown = run.emitter !== undefined || run.rendered.completion.length > 0;
    let wrappedUp = false;
    let refused = 0;
    for (let turn = 1; turn <= maxTurns; turn++) {
      this.#checkBudget(run);
      run.emitter?.enter(turn);
      await this.#fitHistory(run, options, turn, messages);
      const ask = (): Promise<ModelResponse> =>
        this.#model.ask(run, {
          ...{ adapter, account, conversation, messages: messages.all, output, turn, seen, emitter: run.emitter },
          settings: createModelSettings(options, turn),
        });
      const response = await (log === undefined ? ask() : log.answer(turn, ask, isShown));
      run.budget?.record(run.id(), response.usage);
      account.countAnswer(turn, response.usage);
      this.#checkBudget(run);
      const { text, toolCalls } = response;
      const prepared = this.services.redaction.prepare(toolCalls, run.sectionExpansions.toolsByName);
      if (prepared !== undefined) await prepared;
      await messages.addAnswer(turn, response);
      const read = toolCalls.length === 0 ? answers.read(response, turn < maxTurns) : undefined;
      if (read !== undefined && 'feedback' in read) await messages.addNote(turn, 'answer', () => read.feedback);
      else if (read !== undefined) {
        const { output: value } = read;
        const verdict = await this.#judgeAnswer(run, { text, output: value }, turn, log);
        // Without a request left for a better answer, this one is accepted.
        const mayRefuse = refused < maxRefusedAnswers && turn < maxTurns;
        if (verdict.complete || !mayRefuse)
          return this.#finish(run, response, { output: value, account, complete: verdict.complete }, messages);
        refused++;
        await messages.addNote(turn, 'verdict', () => describeRefusal(verdict.feedback));
      } else {
        const place = { turn, record: log?.openTurn(turn), expander, watcher: run.emitter };
        messages.addOutcomes(turn, await this.#call(run, response, place));
        this.#checkBudget(run);
      }
      if (wrappedUp) continue;
      const { budget, deadline } = run;
      wrappedUp = await messages.addNote(turn, 'limits', () =>
        describeWrapUp({ budget, deadline, requests: { used: turn, limit: maxTurns } }),
      );
    }
    throw new PromptEvaluationError(`The model still called tools after ${String(maxTurns)} requests.`, {
      phase: 'budget',
      remedy: 'Raise maxTurns, or find out from the transcript why the model does not finish.',
    });
  }

  /** Begins a new segment of the conversation if its next request cannot begin with the one before. */
  async #fitHistory(run: Opening, options: LoopOptions, turn: number, messages: LoopMessages): Promise<void> {
    const { history, conversation, log, adapter } = options;
    if (log === undefined || log.isRecorded(turn)) return;
    const { metadata } = run.rendered;
    const output = options.output ?? metadata.output;
    const session = run.sectionExpansions.view;
    const start = { rendered: run.rendered, session, adapter, output };
    const next = nextSegment(conversation, { ...start, turn, history, messages: messages.all });
    const segment = await waitWithinRun(next, run, 'the history was shortened');
    if (segment === undefined) return;
    await log.begin(segment);
    messages.replace(conversation.messages);
  }

  /** Judges if the answer may be final; one that was judged in an earlier process is not judged again. */
  async #judgeAnswer(
    run: CallRun,
    answer: FinalAnswer,
    turn: number,
    log: RunLog | undefined,
  ): Promise<CompletionVerdict> {
    if (run.rendered.completion.length === 0) return COMPLETE;
    const judge = (): Promise<CompletionVerdict> => this.#judge.judge(run, answer);
    return log === undefined ? judge() : log.recordVerdict(turn, judge);
  }

  #finish(
    run: Opening,
    { text, finishReason }: ModelResponse,
    { output, account, complete }: Pick<PromptResponse, 'output' | 'complete'> & { readonly account: UsageAccount },
    messages: LoopMessages,
  ): PromptResponse {
    const { logger, prices } = this.services;
    const requests = [...account.requests];
    const turns = requests.length;
    const spent = { usage: sumUsage(requests), cost: computeCost(requests, prices[run.adapter]) };
    if (!complete) logger.warn('An answer was taken although a completion checker refuses it', { turns });
    publishRun(this.services, run, PromptExecuted, (recorded) => recorded({ text, ...spent, turns, complete }));
    const fields = { text, output, finishReason, ...spent, requests, turns, complete };
    return new LazyResponse(fields, () => this.#redactTranscript(run, messages));
  }

  #redactTranscript(run: Opening, { all }: LoopMessages): readonly Message[] {
    return this.services.redaction.redactTranscript(all, run.sectionExpansions.toolsByName);
  }

  async #call(run: Opening, { toolCalls }: ModelResponse, place: TurnPlace): Promise<readonly Message[]> {
    const before = run.rendered;
    const outcomes = await this.#turns.dispatch(toolCalls, run, place);
    run.rendered = run.sectionExpansions.rendered;
    if (run.rendered !== before) {
      publishRendering(this.services, run);
      await run.emitter?.emitOpened(before);
    }
    return toolCalls.flatMap((call, index): readonly Message[] => {
      const outcome = outcomes[index];
      return outcome === undefined ? [] : [place.record?.message(index) ?? createToolMessage(call, outcome)];
    });
  }

  #checkBudget({ budget }: CallRun): void {
    try {
      budget?.check();
    } catch (cause) {
      if (!BudgetExceededError.is(cause)) throw cause;
      throw new PromptEvaluationError(cause.message, { phase: 'budget', code: 'E704', cause });
    }
  }

  /** Returns the handle for nested runs in a handler's call, with the same model: their tools run in that call's transaction. */
  #runHandle(run: CallRun, loop: LoopOptions, parentCall: OpenCall): RunHandle {
    const { adapter } = loop;
    const evaluate: RunHandle['evaluate'] = async (prompt, options = {}) => {
      const { partLimit } = this.services;
      const messages = checkMessages('context.run.evaluate', options.messages, { partLimit });
      const session = parentCall.transaction.session;
      const { view } = parentCall.transaction;
      const rendered = await renderNested(prompt, view);
      const nested: CallRun = {
        ...run,
        id: memoize(this.services.ids),
        rendered,
        session,
        signal: parentCall.signal.signal,
        parentCall,
      };
      const conversation = Conversation.once();
      const { output } = rendered.metadata;
      await beginConversation(conversation, { rendered, session: view, adapter, output });
      addMessages(conversation, messages);
      const account = new UsageAccount(session);
      return account.runCounted(() =>
        this.evaluate(nested, { account, adapter, conversation, messages: conversation.messages }),
      );
    };
    return {
      adapter: adapter.name,
      evaluate: (prompt, options) => {
        const response = evaluate(prompt, options);
        // A handler may leave it unawaited: its rejection must not end the process.
        response.catch(() => undefined);
        return response;
      },
      result: (handle) => findResult(loop.conversation.log.entries, handle),
    };
  }
}
