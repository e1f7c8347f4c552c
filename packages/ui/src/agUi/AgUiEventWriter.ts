import { isDeepStrictEqual } from 'node:util';
import type { ContentPart, ToolCall, Usage } from 'toolwright';
import type { RunEntry, ShownEntry } from 'toolwright/conversations';
import { sumUsage } from 'toolwright/internal';
import type { ApprovalDescription } from '../chats/ApprovalDescription.js';
import { type ChatEvent, seqOf } from '../chats/readRun.js';
import type { AgUiEvent, AgUiGeneration, AgUiInterrupt, AgUiOutcome, AgUiUsage } from './agUiEvents.js';
import { describeQuestion } from './describeQuestion.js';
import { toAgUiContent, toAgUiPart } from './toAgUiContent.js';

/** Names the stream of one request, and the run that it shows. */
export interface AgUiEventOptions {
  readonly generation: AgUiGeneration;
  /** The client's id of the chat. */
  readonly thread: string;
  /** The client's id of the request. */
  readonly request: string;
  /** The id of the run, from which ids of messages and calls are made: they are the same in each stream of the run. */
  readonly run: string;
}

/** Details of a question that a person sees before the decision. */
export interface InterruptDetails {
  readonly description?: ApprovalDescription | undefined;
  /** Milliseconds since 1970, after which the run waits no longer. */
  readonly expiresAt?: number | undefined;
}

/** A call of the current turn. */
interface ToolPart {
  readonly key: string;
  readonly name: string;
  /** The arguments that the client has, as JSON text. */
  args: string;
  isOpen: boolean;
  hasResult: boolean;
}

/**
 * Writes the events of one run for a client of AG-UI. It is fed with all events of the run in their order; a client that has some of the
 * messages already gets only the events after them.
 *
 * What a client has received cannot be taken back. When the record of the run is another than what was shown while it came, or has a message
 * that the client may have or not, `needsSnapshot` asks for the messages of the conversation.
 */
export class AgUiEventWriter {
  readonly #options: AgUiEventOptions;
  #turn = 0;
  #seq = 0;
  #text = '';
  #isTextOpen = false;
  #reasoning: string | undefined;
  #reasoningCount = 0;
  /** The calls whose arguments are written, by key. */
  #written = new Map<string, ToolPart>();
  /** The calls of the last answer, by position. */
  #calls: readonly (ToolCall & { readonly key: string })[] = [];
  /** Pieces of an answer were shown, and the answer has not come. */
  #isUnconfirmed = false;
  #needsSnapshot = false;
  readonly #questions = new Map<string, ShownEntry<'question'> & { readonly toolCallId: string }>();
  #usages: (Usage | undefined)[] = [];
  #end: Pick<ShownEntry<'end'>, 'how' | 'problem'> | undefined;
  #events: AgUiEvent[] = [];

  constructor(options: AgUiEventOptions) {
    this.#options = options;
  }

  /** The place in the log up to which events were written; 0 before the first entry. */
  get seq(): number {
    return this.#seq;
  }

  /** The ids of the questions that the run waits for. */
  get questions(): readonly string[] {
    return [...this.#questions.keys()];
  }

  /** True once the end of the run was written or skipped. */
  get hasEnded(): boolean {
    return this.#end !== undefined;
  }

  /** True after an event that only the messages of the whole conversation, up to `seq`, can show. */
  get needsSnapshot(): boolean {
    return this.#needsSnapshot;
  }

  /** Returns the event with which a stream begins. */
  start(): AgUiEvent {
    const { thread, request, generation } = this.#options;
    const version = generation === '1.0' ? ({ protocolVersion: '1.0' } as const) : {};
    return { type: 'RUN_STARTED', threadId: thread, runId: request, ...version };
  }

  /** Returns the events for an event of the run. */
  write(event: ChatEvent): readonly AgUiEvent[] {
    this.#needsSnapshot = false;
    this.#writeEvent(event);
    this.#seq = Math.max(this.#seq, seqOf(event) ?? 0);
    return this.#take();
  }

  /** Takes note of an event whose messages the client has. Its usage belongs to the stream that showed it. */
  skip(event: ChatEvent): void {
    this.write(event);
    this.#needsSnapshot = false;
    this.#usages = [];
  }

  /**
   * Returns the events with which the stream ends: the run has ended, or waits for people.
   *
   * @param details of the questions, by id
   */
  finish(details: ReadonlyMap<string, InterruptDetails>): readonly AgUiEvent[] {
    this.#closeAll();
    if (this.#end?.how === 'failed') this.#fail();
    else if (this.#end !== undefined) this.#finishEnded(this.#end);
    else if (this.#questions.size > 0) this.#finishParked(details);
    // The reading ended for no reason of the run: the client has to load the chat again.
    else this.#fail('stream_ended');
    return this.#take();
  }

  /** Returns the event that ends a request for which nothing was left to do, however the run has ended. */
  acknowledge(): AgUiEvent {
    this.#finish(this.#options.generation === 'legacy' ? undefined : { type: 'success' });
    return this.#take()[0] as AgUiEvent;
  }

  #writeEvent(event: ChatEvent): void {
    switch (event.kind) {
      case 'text':
        this.#enterTurn(event.turn);
        this.#isUnconfirmed = true;
        this.#writeText(event.text);
        return;
      case 'reasoning':
        this.#enterTurn(event.turn);
        this.#isUnconfirmed = true;
        this.#writeReasoning(event.text);
        return;
      case 'tool_input':
        this.#enterTurn(event.turn);
        this.#isUnconfirmed = true;
        this.#writeArguments(this.#keyOf(event.id), event.name, event.text);
        return;
      case 'retry':
        this.#enterTurn(event.turn);
        this.#voidPieces();
        return;
      case 'answer':
        this.#writeAnswer(event);
        return;
      case 'outcome':
        this.#writeOutcome(event);
        return;
      case 'question':
        this.#questions.set(event.id, { ...event, toolCallId: this.#callAt(event.call)?.key ?? event.call });
        return;
      case 'reply':
        this.#questions.delete(event.question);
        return;
      case 'steering':
        this.#push({ type: 'CUSTOM', name: 'steering', value: { id: event.id, text: event.message.content } });
        // The client that sent the message may show it already.
        this.#needsSnapshot = true;
        return;
      case 'progress': {
        const { call: place, name: tool, value } = event;
        const call = this.#callAt(place)?.key ?? place;
        this.#push({ type: 'CUSTOM', name: 'progress', value: { call, tool, ...value } });
        return;
      }
      case 'end':
        this.#writeEnd(event);
        return;
      case 'begun':
      case 'note':
        return;
    }
  }

  #enterTurn(turn: number): void {
    if (turn === this.#turn) return;
    this.#voidPieces();
    this.#turn = turn;
    this.#calls = [];
    this.#written = new Map();
    this.#text = '';
    this.#reasoningCount = 0;
  }

  /** The pieces of this turn are no part of any answer. */
  #voidPieces(): void {
    this.#closeAll();
    if (!this.#isUnconfirmed) return;
    this.#isUnconfirmed = false;
    this.#needsSnapshot = true;
    this.#text = '';
    this.#written = new Map();
  }

  #writeText(delta: string): void {
    this.#closeReasoning();
    if (delta === '') return;
    const messageId = this.#messageId;
    if (!this.#isTextOpen) this.#push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
    this.#isTextOpen = true;
    this.#text += delta;
    this.#push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
  }

  #writeReasoning(delta: string): void {
    if (delta === '') return;
    if (this.#reasoning === undefined) {
      this.#reasoning = `${this.#messageId}.reasoning.${String(++this.#reasoningCount)}`;
      this.#push({ type: 'REASONING_START', messageId: this.#reasoning });
      this.#push({ type: 'REASONING_MESSAGE_START', messageId: this.#reasoning, role: 'reasoning' });
    }
    this.#push({ type: 'REASONING_MESSAGE_CONTENT', messageId: this.#reasoning, delta });
  }

  #closeReasoning(): void {
    if (this.#reasoning === undefined) return;
    this.#push({ type: 'REASONING_MESSAGE_END', messageId: this.#reasoning });
    this.#push({ type: 'REASONING_END', messageId: this.#reasoning });
    this.#reasoning = undefined;
  }

  #writeArguments(key: string, name: string, delta: string): ToolPart {
    this.#closeReasoning();
    let call = this.#written.get(key);
    if (call === undefined) {
      call = { key, name, args: '', isOpen: true, hasResult: false };
      this.#written.set(key, call);
      const parentMessageId = this.#messageId;
      this.#push({ type: 'TOOL_CALL_START', toolCallId: key, toolCallName: name, parentMessageId });
    }
    call.args += delta;
    if (delta !== '') this.#push({ type: 'TOOL_CALL_ARGS', toolCallId: key, delta });
    return call;
  }

  /** The text stays open while calls are written, because more of it may follow. */
  #closeAll(): void {
    this.#closeReasoning();
    if (this.#isTextOpen) this.#push({ type: 'TEXT_MESSAGE_END', messageId: this.#messageId });
    this.#isTextOpen = false;
    for (const call of this.#written.values()) {
      if (call.isOpen) this.#push({ type: 'TOOL_CALL_END', toolCallId: call.key });
      call.isOpen = false;
    }
  }

  #writeAnswer({ turn, text, toolCalls, usage }: ShownEntry<'answer'>): void {
    this.#enterTurn(turn);
    this.#completeText(text ?? '');
    this.#calls = this.#nameCalls(toolCalls);
    for (const call of this.#calls) this.#completeCall(call);
    const keys = [...new Set(this.#calls.map(({ key }) => key))];
    // A call with secret arguments is not streamed, so that one behind it may have come first.
    this.#needsSnapshot ||= !isDeepStrictEqual([...this.#written.keys()], keys);
    this.#closeAll();
    this.#isUnconfirmed = false;
    this.#usages.push(usage);
  }

  /** Writes the rest of a text of which pieces may have been shown. */
  #completeText(text: string): void {
    if (text.startsWith(this.#text)) this.#writeText(text.slice(this.#text.length));
    else this.#needsSnapshot = true;
  }

  #completeCall({ key, name, arguments: given }: ToolCall & { readonly key: string }): void {
    const args = typeof given === 'string' && given !== '' ? given : JSON.stringify(given === '' ? {} : (given ?? {}));
    const shown = this.#written.get(key);
    if (shown === undefined || (shown.isOpen && args.startsWith(shown.args)))
      this.#writeArguments(key, name, args.slice(shown?.args.length ?? 0));
    else if (shown.isOpen && !isSameJson(args, shown.args)) this.#needsSnapshot = true;
    this.#needsSnapshot ||= shown !== undefined && shown.name !== name;
  }

  /** Gives each call its key. A provider may send a call twice, which is one call, and two calls of one id, which are two. */
  #nameCalls(calls: readonly ToolCall[]): readonly (ToolCall & { readonly key: string })[] {
    const byKey = new Map<string, ToolCall>();
    return calls.map((call, position) => {
      const plain = this.#keyOf(call.id);
      const first = byKey.get(plain);
      const isTaken = first !== undefined && !isDeepStrictEqual(first, call);
      const key = isTaken ? `${plain}-${String(position)}` : plain;
      byKey.set(key, call);
      return { ...call, key };
    });
  }

  #callAt(place: string): ToolPart | undefined {
    const named = this.#calls[Number(place.slice(place.indexOf('.') + 1))];
    return named && this.#written.get(named.key);
  }

  #writeOutcome({ call: place, outcome, message, opened }: ShownEntry<'outcome'>): void {
    const call = this.#callAt(place);
    if (call === undefined) return;
    this.#writeResult(call, place, message, outcome);
    for (const path of opened ?? []) this.#push({ type: 'CUSTOM', name: 'section', value: { path, call: call.key } });
  }

  #writeResult(
    call: ToolPart,
    place: string,
    { content: text, parts = [], failed }: RunEntry<'outcome'>['message'],
    outcome: string,
  ): void {
    if (call.hasResult) return;
    call.hasResult = true;
    const { generation, run } = this.#options;
    const content = generation === '1.0' ? toAgUiContent(text, parts) : text;
    this.#push({
      type: 'TOOL_CALL_RESULT',
      messageId: `${run}:${place}`,
      toolCallId: call.key,
      role: 'tool',
      content,
      ...(failed ? { metadata: { outcome } } : {}),
    });
    if (generation === 'legacy') for (const part of parts) this.#writeFile(call.key, part);
  }

  #writeFile(call: string, part: ContentPart): void {
    this.#push({ type: 'CUSTOM', name: 'file', value: { call, file: toAgUiPart(part) } });
  }

  #writeEnd({ how, problem, turn, messages }: ShownEntry<'end'>): void {
    for (const message of messages) {
      if (message.role !== 'tool') continue;
      const position = this.#calls.findIndex(
        ({ id, key }) => id === message.toolCallId && this.#written.get(key)?.hasResult === false,
      );
      const place = `${String(turn)}.${String(position)}`;
      const call = this.#callAt(place);
      if (call !== undefined) this.#writeResult(call, place, message, 'failed');
    }
    for (const message of messages) {
      if (message.role !== 'assistant') continue;
      // An answer that was stopped: its beginning is the record.
      this.#enterTurn(turn + 1);
      this.#completeText(message.content ?? '');
      this.#isUnconfirmed = this.#written.size > 0;
    }
    this.#voidPieces();
    this.#questions.clear();
    this.#end = { how, problem };
  }

  #finishEnded({ how, problem }: Pick<ShownEntry<'end'>, 'how' | 'problem'>): void {
    const isLegacy = this.#options.generation === 'legacy';
    const isStopped = how !== 'answered';
    if (isLegacy && isStopped) this.#push({ type: 'CUSTOM', name: 'stopped', value: { reason: problem ?? how } });
    this.#finish(isLegacy ? undefined : { type: isStopped ? 'cancelled' : 'success' });
  }

  #finishParked(details: ReadonlyMap<string, InterruptDetails>): void {
    const interrupts = [...this.#questions.values()].map((question) =>
      this.#toInterrupt(question, details.get(question.id) ?? {}),
    );
    this.#finish({ type: 'interrupt', interrupts });
  }

  #toInterrupt(
    question: ShownEntry<'question'> & { readonly toolCallId: string },
    { description, expiresAt }: InterruptDetails,
  ): AgUiInterrupt {
    const { id, toolCallId } = question;
    const expires = this.#options.generation === '1.0' && expiresAt !== undefined;
    return {
      id,
      toolCallId,
      ...describeQuestion(question),
      ...(expires ? { expiresAt: new Date(expiresAt).toISOString() } : {}),
      ...(description === undefined ? {} : { metadata: description }),
    };
  }

  #finish(outcome: AgUiOutcome | undefined): void {
    const { thread, request } = this.#options;
    this.#push({
      type: 'RUN_FINISHED',
      threadId: thread,
      runId: request,
      ...(outcome === undefined ? {} : { outcome }),
      ...this.#usage(),
    });
  }

  /** The error itself is in the record of the run, for the host's eyes. */
  #fail(code = 'run_failed'): void {
    const message = `An error occurred (run ${this.#options.run}).`;
    this.#push({ type: 'RUN_ERROR', message, code, ...this.#usage() });
  }

  #usage(): { readonly usage?: readonly AgUiUsage[] } {
    const usage = this.#options.generation === '1.0' ? sumUsage(this.#usages) : undefined;
    return usage === undefined ? {} : { usage: [toAgUiUsage(usage)] };
  }

  /** Ids of providers are unique within one turn. */
  #keyOf(id: string): string {
    return `${this.#options.run}-${String(this.#turn)}-${id}`;
  }

  get #messageId(): string {
    return `${this.#options.run}:${String(this.#turn)}`;
  }

  #push(event: AgUiEvent): void {
    this.#events.push(event);
  }

  #take(): readonly AgUiEvent[] {
    const events = this.#events;
    this.#events = [];
    return events;
  }
}

/** Compares two JSON texts by their values; texts that are not JSON are equal if they are the same. */
function isSameJson(text: string, other: string): boolean {
  if (text === other) return true;
  try {
    return isDeepStrictEqual(JSON.parse(text), JSON.parse(other));
  } catch {
    return false;
  }
}

/** Figures that a provider did not report are left out. */
function toAgUiUsage({ cacheWriteTokens, ...usage }: Usage): AgUiUsage {
  const figures = { ...usage, cacheWriteInputTokens: cacheWriteTokens };
  return Object.fromEntries(Object.entries(figures).filter(([, figure]) => figure !== undefined));
}
