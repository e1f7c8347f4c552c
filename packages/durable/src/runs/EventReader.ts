import type { RenderedTool, ToolCall } from 'toolwright';
import type { LogEntry, ModelAnswered } from 'toolwright/conversations';
import type { Redaction } from 'toolwright/internal';
import type { RunStreamEvent } from './RunStreamEvent.js';

/** Converts the entries of a conversation to the events of one run, in order and without secrets. */
export class EventReader {
  readonly #run: string;
  readonly #redaction: Redaction;
  readonly #tools: ReadonlyMap<string, RenderedTool>;
  #seq = 0;
  #isInRun = false;
  #answer: ModelAnswered | undefined;

  constructor(run: string, redaction: Redaction, tools: ReadonlyMap<string, RenderedTool>) {
    this.#run = run;
    this.#redaction = redaction;
    this.#tools = tools;
  }

  /** The number of entries read so far. */
  get seq(): number {
    return this.#seq;
  }

  /** Returns the event of the next entry; undefined for an entry without an event. */
  next(entry: LogEntry): RunStreamEvent | undefined {
    const seq = ++this.#seq;
    if (entry.kind === 'run') this.#isInRun = entry.run === this.#run;
    return this.#isInRun ? this.#toEvent(entry, seq) : undefined;
  }

  #toEvent(entry: LogEntry, seq: number): RunStreamEvent | undefined {
    const recorded = <T>(value: T): T => this.#redaction.redact(value);
    switch (entry.kind) {
      case 'answer': {
        this.#answer = entry;
        const { turn, text, toolCalls, finishReason, usage } = entry;
        return { kind: 'answer', turn, text, toolCalls: toolCalls.map(this.#shown), finishReason, usage, seq };
      }
      case 'outcome': {
        const call = this.#answer?.toolCalls[Number(entry.call.split('.')[1])];
        if (call === undefined) return undefined;
        const { outcome, message } = entry;
        const ended = { outcome, success: !message.failed, text: recorded(message.content) };
        return { kind: 'tool_ended', turn: this.#answer?.turn ?? 0, call: this.#shown(call), ...ended, seq };
      }
      case 'note':
        return { kind: 'note', turn: entry.turn, text: recorded(entry.message.content), seq };
      case 'question': {
        const { kind: _kind, ...asked } = entry;
        const shown = this.#shown({ id: asked.call, name: asked.name, arguments: asked.arguments });
        return { kind: 'question', seq, question: { ...asked, arguments: shown.arguments } };
      }
      case 'reply':
        return { kind: 'reply', seq, call: entry.call, reply: recorded(entry.reply) };
      case 'end': {
        this.#isInRun = false;
        const status = entry.how === 'abandoned' ? 'cancelled' : entry.how;
        return { kind: 'ended', seq, status, problem: recorded(entry.problem ?? null) };
      }
      default:
        return undefined;
    }
  }

  readonly #shown = (call: ToolCall): ToolCall => this.#redaction.call(call, this.#tools);
}
