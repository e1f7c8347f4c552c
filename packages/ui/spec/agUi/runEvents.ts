import type { ToolCall, Usage } from 'toolwright';
import type { HistoryEntry } from 'toolwright/conversations';
import type { ChatEvent } from '../../src/chats/readRun';

/** Writes the log of one conversation by hand, with places as a store gives them. */
export class Script {
  readonly events: ChatEvent[] = [];
  readonly history: HistoryEntry[] = [];
  #turn = 0;
  #calls: readonly ToolCall[] = [];

  /** Begins a run. @returns the number of events before it */
  run(run: string, content: string): number {
    this.#turn = 0;
    const messages = [{ role: 'user', content }] as const;
    this.history.push({ kind: 'run', turn: 0, seq: this.history.length + 1, run, messages });
    return this.events.length;
  }

  /** Adds a piece of the answer that comes. */
  piece(piece: { readonly kind: 'text' | 'reasoning'; readonly text: string }): this {
    this.events.push({ ...piece, turn: this.#turn + 1 });
    return this;
  }

  input(id: string, name: string, text: string): this {
    this.events.push({ kind: 'tool_input', turn: this.#turn + 1, id, name, text });
    return this;
  }

  retry(): this {
    this.events.push({ kind: 'retry', turn: this.#turn + 1, waitMs: 1, problem: 'busy' });
    return this;
  }

  answer(text: string | null, toolCalls: readonly ToolCall[] = [], usage?: Usage): this {
    this.#turn++;
    this.#calls = toolCalls;
    const finishReason = toolCalls.length > 0 ? 'tool_calls' : 'stop';
    return this.#add({ kind: 'answer', ...this.#place, text, toolCalls, finishReason, usage });
  }

  progress(position: number, fraction: number): this {
    const { id, name } = this.#callAt(position);
    const call = this.#placeOf(position);
    this.events.push({ kind: 'progress', turn: this.#turn, call, id, name, value: { fraction } });
    return this;
  }

  outcome(position: number, content: string, more: Partial<HistoryEntry & { readonly kind: 'outcome' }> = {}): this {
    const { id, name } = this.#callAt(position);
    const { outcome = 'succeeded' } = more;
    const message = { role: 'tool', toolCallId: id, name, content, failed: outcome !== 'succeeded' } as const;
    const call = this.#placeOf(position);
    return this.#add({ kind: 'outcome', ...this.#place, call, name, outcome, message, ...more });
  }

  ask(position: number, id: string, about: 'approval' | 'unknown' = 'approval'): this {
    const { name, arguments: given } = this.#callAt(position);
    const call = this.#placeOf(position);
    return this.#add({ kind: 'question', ...this.#place, id, call, name, arguments: given, about, askedAt: 1 });
  }

  approve(position: number, question: string): this {
    return this.#add({
      kind: 'reply',
      ...this.#place,
      question,
      call: this.#placeOf(position),
      reply: { kind: 'approved' },
    });
  }

  steer(id: string, content: string): this {
    return this.#add({ kind: 'steering', ...this.#place, id, message: { role: 'user', content } });
  }

  /** Ends the run. @param said the beginning of an answer that was stopped @param open positions of calls without an outcome */
  end(
    run: string,
    how: 'answered' | 'failed' | 'cancelled' = 'answered',
    { said, open = [] }: { readonly said?: string; readonly open?: readonly number[] } = {},
  ): this {
    const answers = open.map((position) => {
      const { id: toolCallId, name } = this.#callAt(position);
      return { role: 'tool', toolCallId, name, content: 'It did not run.', failed: true } as const;
    });
    const messages = [...(said === undefined ? [] : [{ role: 'assistant', content: said } as const]), ...answers];
    const problem = how === 'answered' ? {} : { problem: 'a secret reason' };
    return this.#add({ kind: 'end', ...this.#place, run, how, messages, ...problem });
  }

  get #place(): { readonly turn: number; readonly seq: number } {
    return { turn: this.#turn, seq: this.history.length + 1 };
  }

  #add(entry: Exclude<HistoryEntry, { readonly kind: 'run' }>): this {
    this.history.push(entry);
    this.events.push(entry);
    return this;
  }

  #callAt(position: number): ToolCall {
    const call = this.#calls[position];
    if (call === undefined) throw new RangeError(`The answer has no call ${String(position)}.`);
    return call;
  }

  #placeOf(position: number): string {
    return `${String(this.#turn)}.${String(position)}`;
  }
}

export function makeCall(id: string, name = 'ship', given: ToolCall['arguments'] = '{"to":"Ada"}'): ToolCall {
  return { id, name, arguments: given };
}
