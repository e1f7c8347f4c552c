import type { ContentPart, JsonValue, ToolCall, Usage } from 'toolwright';
import { sumUsage } from 'toolwright/internal';
import type { ShownEntry } from 'toolwright/conversations';
import type { ChatEvent } from '../chats/readRun.js';
import type { ShownState } from '../chats/StateReader.js';
import type { LateDecision } from '../chats/UserChats.js';
import type { UiChunk, UiFinishReason } from './uiChunks.js';

/** How chunks are written. */
export interface UiChunkOptions {
  /** The major version of the `ai` package of the client. */
  readonly version: 6 | 7;
  /** True if the front end knows the types of the tools; its calls are parts `tool-NAME` then, and `dynamic-tool` otherwise. */
  readonly hasTypedTools: boolean;
  /** The id of the message, and of the run that writes it. */
  readonly run: string;
}

/** Details of an approval that a person sees before the decision. */
export interface ApprovalView {
  readonly descriptor: unknown;
  /** Binds the approval to the changes that the descriptor shows; undefined if none were computed. */
  readonly seen: string | undefined;
}

/** A call of the current turn. */
interface ToolPart {
  readonly key: string;
  readonly name: string;
  readonly input: unknown;
  isBegun: boolean;
  hasEnded: boolean;
  isAsked: boolean;
}

/**
 * Writes the events of one run as chunks of one message. It is fed with all events of the run in their order. A client that has the
 * beginning of the message already gets only the chunks of the events after it.
 *
 * A call appears when its input is written, gets its whole input when it begins, and its output at its end: calls behind one that waits
 * for a person have not begun, and a client sends the person's decision only once no call is left without an output.
 */
export class UiChunkWriter {
  readonly #options: UiChunkOptions;
  readonly #dynamic: { readonly dynamic?: true };
  #turn = 0;
  #isStepOpen = false;
  #hasText = false;
  #open: { readonly kind: 'text' | 'reasoning'; readonly id: string } | undefined;
  #parts = 0;
  /** The calls whose input began to be written in this turn. */
  #written = new Set<string>();
  #calls: ToolPart[] = [];
  #finishReason: UiFinishReason = 'other';
  #usages: (Usage | undefined)[] = [];
  #chunks: UiChunk[] = [];

  constructor(options: UiChunkOptions) {
    this.#options = options;
    this.#dynamic = options.hasTypedTools ? {} : { dynamic: true };
  }

  /** Returns the chunk with which a message, or its continuation, begins. */
  start(): UiChunk {
    return { type: 'start', messageId: this.#options.run };
  }

  /** Returns the chunk that tells a person whose decision came too late which one counts. */
  showLate({ question, reply }: LateDecision): UiChunk {
    const { kind = 'ended' } = reply ?? {};
    const reason = reply?.kind === 'denied' ? { reason: reply.reason } : {};
    return { type: 'data-late', id: question, data: { question, decision: kind, ...reason } };
  }

  /** Returns the chunks that show slices of the session, by their names: each replaces the one before. */
  showState(state: ShownState, before: ShownState = {}): readonly UiChunk[] {
    return Object.entries(state)
      .filter(([name, values]) => JSON.stringify(values) !== JSON.stringify(before[name]))
      .map(([id, data]) => ({ type: 'data-state', id, data }));
  }

  /**
   * Returns the chunks of an event.
   *
   * @param approval details of a question, for an event of this kind
   */
  write(event: ChatEvent, approval?: ApprovalView): readonly UiChunk[] {
    this.#writeEvent(event, approval);
    return this.#take();
  }

  /** Returns the chunks at the end of a stream whose run waits for people: no call is left without an output or a question. */
  park(): readonly UiChunk[] {
    this.#closePart();
    for (const call of this.#calls)
      if (!call.hasEnded && !call.isAsked && this.#written.has(call.key)) {
        this.#beginCall(call);
        call.isBegun = false;
        const output = 'This call waits until the question before it is answered.';
        this.#push({ type: 'tool-output-available', toolCallId: call.key, output, ...this.#dynamic });
      }
    this.#finish('tool-calls');
    return this.#take();
  }

  #writeEvent(event: ChatEvent, approval: ApprovalView | undefined): void {
    switch (event.kind) {
      case 'text':
      case 'reasoning':
        this.#enterTurn(event.turn);
        this.#writePiece(event.kind, event.text);
        return;
      case 'tool_input':
        this.#enterTurn(event.turn);
        this.#writeInput(event.id, event.name, event.text);
        return;
      case 'retry':
        this.#enterTurn(event.turn);
        this.#restartStep();
        return;
      case 'answer':
        this.#writeAnswer(event);
        return;
      case 'begun':
        this.#beginCallAt(event.call);
        return;
      case 'outcome':
        this.#writeOutcome(event);
        return;
      case 'question':
        this.#writeQuestion(event, approval);
        return;
      case 'reply':
        this.#writeReply(event);
        return;
      case 'steering':
        this.#writeSteering(event);
        return;
      case 'progress':
        this.#writeProgress(event);
        return;
      case 'end':
        this.#writeEnd(event);
        return;
      case 'note':
        return;
    }
  }

  #enterTurn(turn: number): void {
    if (turn === this.#turn) return;
    this.#closeStep();
    this.#turn = turn;
    this.#written = new Set();
    this.#calls = [];
    this.#openStep();
  }

  #openStep(): void {
    this.#hasText = false;
    this.#isStepOpen = true;
    this.#push({ type: 'start-step' });
  }

  #closeStep(): void {
    this.#closePart();
    if (!this.#isStepOpen) return;
    this.#isStepOpen = false;
    this.#push({ type: 'finish-step' });
  }

  /** The provider failed in the middle of an answer: the shown part of this turn is void. */
  #restartStep(): void {
    this.#closePart();
    this.#written = new Set();
    if (this.#options.version === 7) {
      this.#hasText = false;
      this.#push({ type: 'reset-step' });
    } else {
      // A client of version 6 keeps what it shows until it loads the message again.
      this.#closeStep();
      this.#openStep();
    }
  }

  #writePiece(kind: 'text' | 'reasoning', delta: string): void {
    if (this.#open?.kind !== kind) {
      this.#closePart();
      this.#open = { kind, id: `${String(this.#turn)}.${String(++this.#parts)}` };
      this.#push({ type: `${kind}-start`, id: this.#open.id });
    }
    this.#hasText ||= kind === 'text';
    this.#push({ type: `${kind}-delta`, id: this.#open.id, delta });
  }

  #closePart(): void {
    if (this.#open === undefined) return;
    this.#push({ type: `${this.#open.kind}-end`, id: this.#open.id });
    this.#open = undefined;
  }

  #writeInput(id: string, toolName: string, text: string): void {
    const toolCallId = this.#keyOf(id);
    if (!this.#written.has(toolCallId)) {
      this.#closePart();
      this.#written.add(toolCallId);
      this.#push({ type: 'tool-input-start', toolCallId, toolName, ...this.#dynamic });
    }
    this.#push({ type: 'tool-input-delta', toolCallId, inputTextDelta: text });
  }

  #writeAnswer({ turn, text, toolCalls, finishReason, usage }: ShownEntry<'answer'>): void {
    this.#enterTurn(turn);
    if (!this.#hasText && text !== null && text !== '') this.#writePiece('text', text);
    this.#closePart();
    this.#finishReason = FINISH_REASONS[finishReason];
    this.#usages.push(usage);
    this.#calls = toolCalls.map((call) => ({
      key: this.#keyOf(call.id),
      name: call.name,
      input: readInput(call),
      isBegun: false,
      hasEnded: false,
      isAsked: false,
    }));
  }

  #beginCallAt(place: string): ToolPart | undefined {
    const call = this.#calls[Number(place.slice(place.indexOf('.') + 1))];
    if (call !== undefined) this.#beginCall(call);
    return call;
  }

  #beginCall(call: ToolPart): void {
    if (call.isBegun || call.hasEnded) return;
    call.isBegun = true;
    const { key: toolCallId, name: toolName, input } = call;
    this.#push({ type: 'tool-input-available', toolCallId, toolName, input, ...this.#dynamic });
  }

  #writeOutcome({ call: place, outcome, message, opened }: ShownEntry<'outcome'>): void {
    const call = this.#beginCallAt(place);
    if (call === undefined || call.hasEnded) return;
    call.hasEnded = true;
    const { key: toolCallId } = call;
    const { content, parts = [] } = message;
    if (outcome === 'denied' && call.isAsked) this.#push({ type: 'tool-output-denied', toolCallId });
    else if (message.failed)
      this.#push({ type: 'tool-output-error', toolCallId, errorText: content, ...this.#dynamic });
    else this.#push({ type: 'tool-output-available', toolCallId, output: readOutput(content), ...this.#dynamic });
    for (const part of parts) this.#writeFile(part);
    for (const path of opened ?? []) this.#push({ type: 'data-section', id: path, data: { path, call: toolCallId } });
  }

  #writeProgress({ call: place, name: tool, value }: ChatEvent & { readonly kind: 'progress' }): void {
    const call = this.#calls[Number(place.slice(place.indexOf('.') + 1))]?.key;
    if (call !== undefined)
      this.#push({ type: 'data-progress', id: call, data: { call, tool, ...value }, transient: true });
  }

  #writeFile(part: ContentPart): void {
    if (part.kind === 'text') return;
    const { mediaType, url, data } = part;
    this.#push({ type: 'file', url: url ?? `data:${mediaType};base64,${data}`, mediaType });
  }

  #writeQuestion({ id, call: place }: ShownEntry<'question'>, approval: ApprovalView | undefined): void {
    const call = this.#beginCallAt(place);
    if (call === undefined) return;
    call.isAsked = true;
    const { descriptor, seen } = approval ?? {};
    this.#push({
      type: 'tool-approval-request',
      approvalId: id,
      toolCallId: call.key,
      ...(descriptor === undefined ? {} : { approvalDescriptor: descriptor }),
      ...(seen === undefined ? {} : { signature: seen }),
    });
  }

  #writeReply({ question, reply }: ShownEntry<'reply'>): void {
    if (this.#options.version === 6) return;
    const approved = reply.kind !== 'denied';
    const reason = reply.kind === 'denied' ? { reason: reply.reason } : {};
    this.#push({ type: 'tool-approval-response', approvalId: question, approved, ...reason });
  }

  #writeSteering({ id, message }: ShownEntry<'steering'>): void {
    this.#closeStep();
    const { content: text } = message;
    if (this.#options.version === 7) this.#push({ type: 'steering-message', id, parts: [{ type: 'text', text }] });
    else this.#push({ type: 'data-steering', id, data: { text } });
  }

  #writeEnd({ turn, how, problem, messages }: ShownEntry<'end'>): void {
    this.#closePart();
    for (const message of messages) {
      if (message.role === 'assistant') this.#writeUnfinished(turn + 1, message.content);
      const key = message.role === 'tool' ? this.#keyOf(message.toolCallId) : undefined;
      const call = this.#calls.find((each) => each.key === key && !each.hasEnded);
      if (call === undefined || message.role !== 'tool') continue;
      this.#beginCall(call);
      call.hasEnded = true;
      this.#push({ type: 'tool-output-error', toolCallId: call.key, errorText: message.content, ...this.#dynamic });
    }
    if (how === 'answered') {
      this.#finish(this.#finishReason);
      return;
    }
    this.#closeStep();
    if (how === 'failed') this.#push({ type: 'error', errorText: `An error occurred (run ${this.#options.run}).` });
    else this.#push({ type: 'abort', ...(problem === undefined ? {} : { reason: problem }) });
  }

  /** Shows the text of an answer that was stopped to a client that has not seen its pieces. */
  #writeUnfinished(turn: number, text: string | null): void {
    if (this.#turn < turn) this.#enterTurn(turn);
    if (!this.#hasText && text !== null) this.#writePiece('text', text);
    this.#closePart();
  }

  #finish(finishReason: UiFinishReason): void {
    this.#closeStep();
    const usage = sumUsage(this.#usages);
    const messageMetadata = { run: this.#options.run, ...(usage === undefined ? {} : { usage }) };
    this.#push({ type: 'finish', finishReason, messageMetadata });
  }

  /** Ids of providers are unique within one turn. */
  #keyOf(id: string): string {
    return `${String(this.#turn)}:${id}`;
  }

  #push(chunk: UiChunk): void {
    this.#chunks.push(chunk);
  }

  #take(): readonly UiChunk[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
}

const FINISH_REASONS: Readonly<Record<ShownEntry<'answer'>['finishReason'], UiFinishReason>> = {
  stop: 'stop',
  tool_calls: 'tool-calls',
  length: 'length',
  content_filter: 'content-filter',
  refusal: 'content-filter',
  other: 'other',
};

/** Returns the arguments of a call as a value; a text that is not JSON stays a text. */
function readInput({ arguments: given }: ToolCall): unknown {
  if (given === null || given === '') return {};
  return typeof given === 'string' ? (parseJson(given) ?? given) : given;
}

/** Returns an object or a list that the model reads as JSON as a value, and every other text unchanged. */
function readOutput(content: string): unknown {
  const isData = content.startsWith('{') || content.startsWith('[');
  return isData ? (parseJson(content) ?? content) : content;
}

function parseJson(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
