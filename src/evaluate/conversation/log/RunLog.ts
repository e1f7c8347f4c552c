import { MAX_REPAIRED_CHARS } from '../../../common/limits.js';
import { omitUndefined } from '../../../common/objects.js';
import { mapAwaitable } from '../../../common/promises.js';
import { randomId } from '../../../common/builtins.js';
import type { Awaitable } from '../../../common/types.js';
import type { CompletionVerdict } from '../../../interface/CompletionChecker.js';
import type { ModelResponse } from '../../../interface/ModelAdapter.js';
import type { RunEntry } from '../../../interface/RunEntry.js';
import type { ApprovalPendingError } from '../../../error/ApprovalPendingError.js';
import { getEffect } from '../../../value/ToolHints.js';
import {
  appendNote,
  describeEdit,
  describeUnknownEffect,
  describeNotRun,
} from '../../../dispatch/finish/outcomeTexts.js';
import { shortenJson } from '../../../dispatch/finish/shortenText.js';
import { writeCallContent } from '../../../dispatch/idempotencyKey.js';
import type { TurnRecord } from '../../../dispatch/TurnRecord.js';
import type { Clock } from '../../../interface/ports.js';
import type { Message } from '../../../value/Message.js';
import type { ToolCall, UnknownCallPolicy } from '../../../value/ToolCall.js';
import type { ToolOutcome } from '../../../value/ToolOutcome.js';
import { askAboutCutOff, listOpenQuestions } from '../questions.js';
import { createAnswerEntry } from '../prefix/digestContent.js';
import type { Conversation } from '../Conversation.js';
import { createRefusal, createUnansweredError } from '../conversationErrors.js';
import { JoinedTransactions } from '../session/JoinedTransactions.js';
import { noteMessage } from '../prefix/createMessages.js';
import { createCallId, listOpenCalls } from './listOpenCalls.js';
import { Recording } from './Recording.js';
import { createEndEntry, createOutcomeOf, restoreOutcome } from './restoreOutcome.js';
import type { StateLink } from '../session/SessionLink.js';

export interface LogOptions {
  readonly conversation: Conversation;
  readonly run: string;
  readonly link: StateLink | undefined;
  /** For tools that do not declare `onUnknown` themselves. */
  readonly onUnknown: UnknownCallPolicy;
  readonly clock: Clock;
  /** Hides the secrets of a call in a question that people are asked; unset for a log that asks none. */
  readonly recordedCall?: ((call: ToolCall) => ToolCall) | undefined;
}

/**
 * The log of one run: it serves recorded steps, and records new ones (docs/contract.md, 18). It reads the record once, when the run
 * begins or goes on.
 */
export class RunLog {
  readonly run: string;
  readonly #options: LogOptions;
  /** The record of earlier processes; undefined for a run that begins. */
  readonly recorded: Recording | undefined;
  /** Calls of which it is recorded that they began. */
  readonly #begun: Set<string>;
  /** Calls that this process has started and that have a key: they may have had their effect, although no entry says so. */
  readonly #started = new Set<string>();
  /** Undefined if the store has no database that resources could join: they commit by themselves. */
  readonly #joined: JoinedTransactions | undefined;
  /** Undefined unless other conversations may change the session. */
  readonly #refresh: (() => Promise<void>) | undefined;
  /** The places in the log of entries and outcomes; undefined unless they are asked for. */
  #places: Map<object, number> | undefined;
  #hasUnwrittenAnswer = false;
  /** The text of an answer that is being streamed. */
  #said = '';

  constructor(options: LogOptions) {
    this.run = options.run;
    this.#options = options;
    const { state, log } = options.conversation;
    this.#refresh = options.link?.refresh?.bind(options.link);
    const database = log.store?.database;
    this.#joined = database && new JoinedTransactions(database);
    const { entries = [], model } = state.open ?? {};
    this.recorded = entries.length === 0 ? undefined : new Recording(entries, model?.adapter);
    this.#begun = new Set(this.recorded?.begun);
  }

  /** Returns a function that finds the place in the log of an entry or an outcome, from here on. */
  trackPlaces(): (content: object) => number | undefined {
    const { state, log } = this.#options.conversation;
    const { entries = [] } = state.open ?? {};
    const before = log.entries.length - entries.length;
    const places = new Map<object, number>(entries.map((entry, index) => [entry, before + index + 1]));
    this.#places = places;
    return (content) => places.get(content);
  }

  /** True if the answer to the request of a turn is recorded. */
  isRecorded(turn: number): boolean {
    return this.recorded?.answers.has(turn) === true;
  }

  /** Records that the run goes on with another model. @throws PromptEvaluationError E741 if the run was released */
  changeModel(model: RunEntry<'model'>): Promise<void> | undefined {
    this.#checkHeld();
    this.forgetText();
    return this.#write(model);
  }

  beginSegment(segment: RunEntry<'segment'>): Promise<void> | undefined {
    return this.#write(segment);
  }

  /** Returns the recorded answer to a request. Otherwise asks for it and records it; waits for the store if it has calls or `isShown`. */
  answer(turn: number, ask: () => Promise<ModelResponse>, isShown: boolean): Awaitable<ModelResponse> {
    const recorded = this.recorded?.answers.get(turn);
    if (recorded !== undefined) return recorded;
    this.#checkHeld();
    const written = this.#hasUnwrittenAnswer ? this.flush() : undefined;
    const asked = written === undefined ? ask() : written.then(ask);
    return asked.then((response) => this.#recordAnswer(turn, response, isShown));
  }

  /** Notes a part of the text of an answer that is being streamed: what a reader has seen stays if the run is stopped. */
  noteText(text: string): void {
    this.#said += text;
  }

  /** Forgets the text of an answer that is requested again, or recorded. */
  forgetText(): void {
    this.#said = '';
  }

  #recordAnswer(turn: number, response: ModelResponse, isShown: boolean): Awaitable<ModelResponse> {
    const { log, prefix, state, tools, isKept } = this.#options.conversation;
    // Requests of a log in memory are hashed only for a copy of it.
    const sent = log.isStored ? prefix.digest(state) : undefined;
    const entry = createAnswerEntry(turn, response, { sent, lowered: tools.take() }, isKept);
    this.#add(entry);
    this.forgetText();
    if (!isShown && entry.toolCalls.length === 0) {
      this.#hasUnwrittenAnswer = true;
      return entry;
    }
    return mapAwaitable(this.flush(), () => entry);
  }

  async recordVerdict(turn: number, judge: () => Promise<CompletionVerdict>): Promise<CompletionVerdict> {
    const recorded = this.recorded?.verdicts.get(turn);
    if (recorded !== undefined) return recorded;
    const verdict = await judge();
    this.#add({ kind: 'verdict', turn, complete: verdict.complete, feedback: verdict.feedback ?? '' });
    return verdict;
  }

  /** Returns the recorded note after a turn, or the one that is due now; undefined if none was or is. */
  note(turn: number, about: RunEntry<'note'>['about'], due: () => string | undefined): RunEntry<'note'> | undefined {
    const recorded = this.recorded?.notes.get(`${String(turn)} ${about}`);
    if (recorded !== undefined) return recorded;
    // The run went on without one.
    if (this.isRecorded(turn + 1)) return undefined;
    const content = due();
    if (content === undefined) return undefined;
    const note = { kind: 'note', turn, about, message: noteMessage(about, content) } as const;
    this.#add(note);
    return note;
  }

  /** True unless it is certain that `recordSteering` has nothing to record or show, as in most turns. */
  get mayBeSteered(): boolean {
    return this.recorded !== undefined || this.#options.conversation.mayBeSteered;
  }

  /**
   * Records the messages that people wrote since the last turn, and calls `show` with each.
   *
   * @returns true if the model has something new to answer; it may have been recorded by an earlier process
   */
  async recordSteering(
    turn: number,
    show: (entry: RunEntry<'steering'>) => Promise<void> | undefined,
  ): Promise<boolean> {
    let isSteered = false;
    for (const entry of this.recorded?.steerings ?? []) {
      if (entry.turn !== turn) continue;
      isSteered = true;
      await show(entry);
    }
    // The run went on without one.
    if (this.isRecorded(turn + 1)) return isSteered;
    const { conversation } = this.#options;
    await conversation.readInbox(this.run);
    const { steering: queue } = conversation;
    const before = conversation.log.entries.length;
    for (let [first] = queue.waiting; first !== undefined; [first] = queue.waiting) {
      const { id, message } = first;
      const entry = { kind: 'steering', turn, id, message } as const;
      this.#add(entry);
      queue.remove(1);
      await show(entry);
    }
    if (conversation.log.entries.length === before) return isSteered;
    // Readers of the log see it before the model answers, which may take long.
    await this.flush();
    return true;
  }

  openTurn(turn: number): TurnRecord {
    const at = (position: number): string => createCallId(turn, position);
    const recorded = this.recorded;
    return {
      serveRecorded: (position, call, policy = this.#options.onUnknown) =>
        recorded === undefined ? undefined : this.#serveCall(at(position), call, recorded, policy),
      listSpoken: (position) => recorded?.outcomes.get(at(position))?.spoke ?? [],
      answer: (position) => recorded?.approvals.get(at(position)),
      begin: (position, { name, hints }) => {
        this.#checkHeld();
        const effect = getEffect(hints);
        if (effect === 'keyed') this.#started.add(at(position));
        const begin = () => (effect === 'unknown' ? this.#begin(at(position), name) : undefined);
        return this.#refresh === undefined ? begin() : this.#refresh().then(begin);
      },
      refresh: this.#refresh,
      recordOf: (position) => this.#joined?.recordOf(at(position)),
      end: (position, call, outcome, spoke) => this.#end(at(position), call, outcome, spoke),
      drop: async (position) => this.#joined?.drop(at(position)),
    };
  }

  /** Records that a call waits for an approval, and the run with it. */
  async park(signal: ApprovalPendingError): Promise<void> {
    const { turn, position, tool: name, arguments: given, askedAt } = signal.pending;
    const call = `${String(turn)}.${position.split('.')[0] ?? ''}`;
    this.#begun.delete(call);
    const question = { kind: 'question', id: randomId(), call, name, arguments: given } as const;
    const { shown, reason } = signal;
    await this.#write({ ...question, about: 'approval', askedAt, shown, ...omitUndefined({ reason }) });
  }

  /**
   * Records that the run ended, and answers its open calls: the conversation can go on.
   *
   * @param isElsewhere true if another process may still be running it; unless it is parked, its open calls may then have had effects
   * @param limit the budget or deadline that ended it, for the model; undefined if something else did
   */
  close(how: RunEntry<'end'>['how'], problem?: string, isElsewhere = false, limit?: string): Promise<void> | undefined {
    return this.#write(this.#createEnd(how, problem, isElsewhere, limit));
  }

  /**
   * Records that the run ended with its answer, unless messages wait for it.
   *
   * @returns false if they do: the run has to send them first
   */
  async closeAnswered(): Promise<boolean> {
    const { conversation, link } = this.#options;
    if (await conversation.enterEnd(this.#createEnd('answered'))) {
      this.#hasUnwrittenAnswer = false;
      return true;
    }
    link?.unmark?.();
    return false;
  }

  #createEnd(how: RunEntry<'end'>['how'], problem?: string, isElsewhere = false, limit?: string): RunEntry<'end'> {
    const { conversation } = this.#options;
    const entries = conversation.state.open?.entries ?? [];
    const isParked = listOpenQuestions(entries).some(({ about }) => about === 'approval');
    const answers = listOpenCalls(entries).map(({ call, id }): Message => {
      const mayHaveRun = (isElsewhere && !isParked) || this.#begun.has(id) || this.#started.has(id);
      const content = mayHaveRun
        ? this.#describeCutOff(id, call, describeUnknownEffect(call.name))
        : describeNotRun(call.name, limit);
      return { role: 'tool', toolCallId: call.id, name: call.name, content, failed: true };
    });
    const said = how === 'cancelled' && answers.length === 0 ? trimText(this.#said) : '';
    const messages: readonly Message[] = said === '' ? answers : [{ role: 'assistant', content: said }];
    const session = this.#options.link?.delta();
    return {
      kind: 'end',
      run: this.run,
      how,
      messages,
      ...(problem === undefined ? {} : { problem }),
      ...(session === undefined ? {} : { session }),
    };
  }

  flush(): Promise<void> | undefined {
    this.#hasUnwrittenAnswer = false;
    return this.#options.conversation.log.flush();
  }

  #checkHeld(): void {
    const { id, isReleased } = this.#options.conversation;
    if (isReleased) throw createRefusal(id, `its run ${this.run} was released before its next step`, 'E741');
  }

  #begin(call: string, name: string): Promise<void> | undefined {
    this.#begun.add(call);
    return this.#write({ kind: 'begun', call, name });
  }

  #serveCall(id: string, call: ToolCall, recorded: Recording, policy: UnknownCallPolicy): ServedOutcome | undefined {
    const ended = recorded.outcomes.get(id);
    if (ended !== undefined) return Promise.resolve(this.#withPlace(restoreOutcome(ended), ended));
    if (recorded.begun.has(id)) return this.#resolveCutOff(id, call, recorded, policy);
    // A question without a reply keeps its run parked.
    if (recorded.questions.has(id) && !recorded.approvals.has(id))
      throw createUnansweredError(this.#options.conversation.id, id);
    return undefined;
  }

  /** Decides about a call that began in a process that ended; undefined if it is run again. */
  async #resolveCutOff(id: string, call: ToolCall, recorded: Recording, policy: UnknownCallPolicy): ServedOutcome {
    const reply = recorded.decisions.get(id);
    const { clock, recordedCall } = this.#options;
    if (reply === undefined ? policy === 'repeat' : reply.kind === 'repeat') return undefined;
    const close = async (kind: 'succeeded' | 'failed', text: string): Promise<ToolOutcome> => {
      const outcome = createOutcomeOf(kind, this.#describeCutOff(id, call, text));
      await this.#end(id, call, outcome, []);
      return outcome;
    };
    if (reply?.kind === 'outcome') return close('succeeded', reply.text);
    if (policy !== 'ask' || reply?.kind === 'denied') return close('failed', describeUnknownEffect(call.name));
    const made = this.#findEdit(id, call) ?? call;
    if (!recorded.questions.has(id)) await this.#write(askAboutCutOff(id, recordedCall?.(made) ?? made, clock.now()));
    throw createUnansweredError(this.#options.conversation.id, id);
  }

  /** Returns a call with the arguments that a person approved in place of the model's; undefined without any. */
  #findEdit(id: string, call: ToolCall): ToolCall | undefined {
    const edited = this.recorded?.approvals.get(id)?.edited;
    return edited && { ...call, arguments: edited };
  }

  /** Adds the arguments of a call that was cut off to the text about it, unless they are the model's. */
  #describeCutOff(id: string, call: ToolCall, text: string): string {
    const made = this.#findEdit(id, call);
    if (made === undefined || writeCallContent(made) === writeCallContent(call)) return text;
    const shown = this.#options.recordedCall?.(made).arguments;
    const json = shown === undefined ? undefined : shortenJson(JSON.stringify(shown), MAX_REPAIRED_CHARS);
    return appendNote(text, describeEdit(json));
  }

  #end(id: string, call: ToolCall, outcome: ToolOutcome, spoke: readonly number[]): Promise<void> | undefined {
    const entry = createEndEntry(id, call, outcome, { spoke, session: this.#options.link?.delta() });
    this.#add(entry);
    this.#withPlace(outcome, entry);
    // A joined transaction ends with its record. A begun call is stored before the next one starts, and shared state before others read it.
    return this.#joined?.has(id) === true || this.#mustStore(id) ? this.#flushOutcome(id, outcome) : undefined;
  }

  async #flushOutcome(id: string, outcome: ToolOutcome): Promise<void> {
    // A call that failed must keep nothing of its transaction.
    if (outcome.kind !== 'succeeded') await this.#joined?.drop(id);
    const within = this.#joined?.take(id);
    if (within !== undefined || this.#mustStore(id)) await this.#options.conversation.log.flush(within);
  }

  #mustStore(call: string): boolean {
    const { isStored, hasStagedChanges } = this.#options.conversation.log;
    return isStored && (this.#begun.has(call) || hasStagedChanges);
  }

  #withPlace(outcome: ToolOutcome, entry: RunEntry<'outcome'>): ToolOutcome {
    const place = this.#places?.get(entry);
    if (place !== undefined) this.#places?.set(outcome, place);
    return outcome;
  }

  #add(entry: RunEntry): void {
    const { conversation } = this.#options;
    conversation.enter(entry);
    this.#places?.set(entry, conversation.log.entries.length);
  }

  /** Undefined for a log in memory: there is nothing to wait for. */
  #write(entry: RunEntry): Promise<void> | undefined {
    this.#add(entry);
    return this.flush();
  }
}

/** Undefined for a call that is run again. */
type ServedOutcome = Promise<ToolOutcome | undefined>;

/** Returns the text of a part of an answer; empty if it has only blanks. Half of a surrogate pair at its end is no character. */
function trimText(text: string): string {
  return text.trim() === '' ? '' : text.replace(/[\ud800-\udbff]$/, '');
}
