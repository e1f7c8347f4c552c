import { isFields, type Fields } from '../../provider/fields.js';
import { readText } from './chatResponse.js';

/** A tool call that is streamed in parts. */
interface ChunkedCall {
  /** Its position among the calls of the answer. */
  readonly index: number;
  id: string | undefined;
  type: string | undefined;
  name: string | undefined;
  arguments: unknown;
}

/**
 * Assembles the chunks of a streamed chat completion into the completion of a request without streaming. Compatible servers
 * differ in what they repeat or leave out, so everything is checked (docs/contract.md, 16).
 */
export class ChunkedCompletion {
  readonly #calls: ChunkedCall[] = [];
  #first: unknown;
  #content: string | undefined;
  #refusal = '';
  #hasMessage = false;
  #finishReason: unknown;
  #usage: unknown;

  /** Adds one chunk, and returns the text that it adds to the answer. */
  add(chunk: unknown): string {
    this.#first ??= chunk;
    if (!isFields(chunk)) return '';
    const { usage, choices } = chunk;
    // Sent once at the end, or in every chunk with the current values.
    if (isFields(usage)) this.#usage = usage;
    const choice = Array.isArray(choices) ? (choices as readonly unknown[]).find(isFirstChoice) : undefined;
    if (choice === undefined) return '';
    this.#finishReason = choice['finish_reason'] ?? this.#finishReason;
    const { delta } = choice;
    return isFields(delta) ? this.#addDelta(delta) : '';
  }

  /** False if the answer broke off: a complete one has a finish reason. */
  get isWhole(): boolean {
    return !this.#hasMessage || typeof this.#finishReason === 'string';
  }

  /** The completion as a request without streaming would return it; other values that were received instead, unchanged. */
  get completion(): unknown {
    if (!this.#hasMessage) return this.#first;
    const calls = [...this.#calls].sort((one, other) => one.index - other.index);
    const message = {
      content: this.#content ?? null,
      refusal: this.#refusal,
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(writtenCall) }),
    };
    return { choices: [{ message, finish_reason: this.#finishReason }], usage: this.#usage };
  }

  #addDelta({ content, refusal, tool_calls: calls, function_call: single }: Fields): string {
    this.#hasMessage = true;
    const text = readText(content) ?? '';
    if (content !== null && content !== undefined) this.#content = (this.#content ?? '') + text;
    const declined = typeof refusal === 'string' ? refusal : '';
    this.#refusal += declined;
    if (Array.isArray(calls)) for (const call of calls as readonly unknown[]) this.#addCall(call);
    // Older servers send the older form, with one call and no id.
    if (isFields(single)) this.#addCall({ index: 0, function: single });
    return text + declined;
  }

  #addCall(part: unknown): void {
    if (!isFields(part)) return;
    const { name, arguments: piece } = isFields(part['function']) ? part['function'] : {};
    const call = this.#callOf(part, said(name));
    call.id ??= said(part['id']);
    call.type ??= said(part['type']);
    call.name ??= said(name);
    if (typeof piece === 'string' && typeof call.arguments === 'string') call.arguments += piece;
    else call.arguments = piece ?? call.arguments;
  }

  /** Returns the call that a part belongs to: by its index, and without one by its id, or else the last call. */
  #callOf(part: Fields, name: string | undefined): ChunkedCall {
    const { index: given } = part;
    const id = said(part['id']);
    const known = typeof given === 'number' ? this.#calls.filter(({ index }) => index === given) : this.#calls;
    const last = known.at(-1);
    // Some servers number every call 0, some send another id of a call in each part, and some send neither number nor id: a
    // name begins another call, unless number or id are those of the last one.
    const isSame = id === undefined ? typeof given === 'number' : id === last?.id;
    if (last !== undefined && (name === undefined || last.name === undefined || isSame)) return last;
    const index = typeof given === 'number' ? given : this.#calls.length;
    const call: ChunkedCall = { index, id: undefined, type: undefined, name: undefined, arguments: undefined };
    this.#calls.push(call);
    return call;
  }
}

function isFirstChoice(choice: unknown): choice is Fields {
  return isFields(choice) && (choice['index'] ?? 0) === 0;
}

/** Returns a text that is not empty. */
function said(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function writtenCall({ id, type, name, arguments: args }: ChunkedCall): unknown {
  return { id, type, function: { name, arguments: args } };
}
