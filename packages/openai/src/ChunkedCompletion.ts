import type { ModelPart } from 'toolwright/adapters';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { REASONING_FIELDS } from './writeChatMessages.js';
import { readText } from './readCompletion.js';

/** A tool call that is streamed in parts. */
interface PartialToolUse {
  /** Its position among the calls of the answer. */
  readonly index: number;
  id: string | undefined;
  type: string | undefined;
  name: string | undefined;
  arguments: unknown;
}

/**
 * Assembles the chunks of a streamed chat completion into the completion that a request without streaming returns. Compatible
 * servers differ in what they repeat or leave out, so everything is checked (docs/contract.md, 16).
 */
export class ChunkedCompletion {
  readonly #calls: PartialToolUse[] = [];
  #first: unknown;
  #content: string | undefined;
  #refusal = '';
  readonly #reasoning = new Map<string, unknown>();
  #hasMessage = false;
  #finishReason: unknown;
  #usage: unknown;

  /** Adds one chunk, and returns the new parts of the answer. */
  add(chunk: unknown): readonly ModelPart[] {
    this.#first ??= chunk;
    if (!isRecord(chunk)) return [];
    const { usage, choices } = chunk;
    // Sent once at the end, or in every chunk with the current values.
    if (isRecord(usage)) this.#usage = usage;
    const choice = Array.isArray(choices) ? (choices as readonly unknown[]).find(isFirstChoice) : undefined;
    if (choice === undefined) return [];
    this.#finishReason = choice['finish_reason'] ?? this.#finishReason;
    const { delta } = choice;
    return isRecord(delta) ? this.#addDelta(delta) : [];
  }

  /** Returns false if the answer broke off: a complete answer has a finish reason. */
  get isWhole(): boolean {
    return !this.#hasMessage || typeof this.#finishReason === 'string';
  }

  /** Returns the completion as a request without streaming would return it. Any other received value is returned unchanged. */
  get completion(): unknown {
    if (!this.#hasMessage) return this.#first;
    const calls = [...this.#calls].sort((one, other) => one.index - other.index);
    const message = {
      content: this.#content ?? null,
      refusal: this.#refusal,
      ...Object.fromEntries(this.#reasoning),
      ...(calls.length === 0 ? {} : { tool_calls: calls.map(writeCall) }),
    };
    return { choices: [{ message, finish_reason: this.#finishReason }], usage: this.#usage };
  }

  #addDelta(delta: Fields): readonly ModelPart[] {
    const { content, refusal, tool_calls: calls, function_call: single } = delta;
    this.#hasMessage = true;
    const thought = this.#addReasoning(delta);
    const text = readText(content) ?? '';
    if (content !== null && content !== undefined) this.#content = (this.#content ?? '') + text;
    const declined = typeof refusal === 'string' ? refusal : '';
    this.#refusal += declined;
    // Older servers send the older form, with one call and without an id.
    const pieces = [
      ...(Array.isArray(calls) ? (calls as readonly unknown[]) : []),
      ...(isRecord(single) ? [{ index: 0, function: single }] : []),
    ];
    return [
      ...(thought === '' ? [] : [{ kind: 'reasoning', text: thought } as const]),
      ...(text + declined === '' ? [] : [{ kind: 'text', text: text + declined } as const]),
      ...pieces.flatMap((piece) => this.#addCall(piece)),
    ];
  }

  /** Adds a piece of the reasoning that compatible servers show, and returns its text. */
  #addReasoning(delta: Fields): string {
    let text = '';
    for (const field of REASONING_FIELDS) {
      const { [field]: piece } = delta;
      const before = this.#reasoning.get(field);
      if (typeof piece === 'string' && piece !== '') {
        this.#reasoning.set(field, (typeof before === 'string' ? before : '') + piece);
        // Some servers send the same text in two fields.
        text ||= piece;
      } else if (Array.isArray(piece) && piece.length > 0) {
        this.#reasoning.set(field, [
          ...(Array.isArray(before) ? (before as readonly unknown[]) : []),
          ...(piece as readonly unknown[]),
        ]);
      }
    }
    return text;
  }

  #addCall(part: unknown): readonly ModelPart[] {
    if (!isRecord(part)) return [];
    const { name, arguments: piece } = isRecord(part['function']) ? part['function'] : {};
    const call = this.#callOf(part, toText(name));
    call.id ??= toText(part['id']);
    call.type ??= toText(part['type']);
    call.name ??= toText(name);
    if (typeof piece === 'string' && typeof call.arguments === 'string') call.arguments += piece;
    else call.arguments = piece ?? call.arguments;
    // Without an id, the part could belong to another call.
    const isKnown = call.id !== undefined && call.name !== undefined && typeof piece === 'string' && piece !== '';
    return isKnown ? [{ kind: 'tool_input', id: call.id, name: call.name, text: piece } as ModelPart] : [];
  }

  /** Returns the call that a part belongs to: found by its index, else by its id, else the last call. */
  #callOf(part: Fields, name: string | undefined): PartialToolUse {
    const { index: given } = part;
    const id = toText(part['id']);
    const known = typeof given === 'number' ? this.#calls.filter(({ index }) => index === given) : this.#calls;
    const last = known.at(-1);
    // Some servers number every call 0, some send a new id in each part of a call, and some send neither number nor id. A name
    // therefore begins another call, unless number or id match the last one.
    const isSame = id === undefined ? typeof given === 'number' : id === last?.id;
    if (last !== undefined && (name === undefined || last.name === undefined || isSame)) return last;
    const index = typeof given === 'number' ? given : this.#calls.length;
    const call: PartialToolUse = { index, id: undefined, type: undefined, name: undefined, arguments: undefined };
    this.#calls.push(call);
    return call;
  }
}

function isFirstChoice(choice: unknown): choice is Fields {
  return isRecord(choice) && (choice['index'] ?? 0) === 0;
}

/** Returns a text unless it is empty. */
function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function writeCall({ id, type, name, arguments: args }: PartialToolUse): unknown {
  return { id, type, function: { name, arguments: args } };
}
