import { freezePlain } from '../common/objects.js';
import { isArray, isObject, isRecord, type Fields } from '../common/guards.js';
import { MAX_NAMED_LOSSES } from '../common/limits.js';
import { describeValue, keyText, messageOf, quote } from '../common/text.js';
import type { ContentPart } from './ContentPart.js';
import type { Message, NativeContent, ToolChanges } from './Message.js';
import { findPartsProblem } from './findPartsProblem.js';
import type { ToolCall } from './ToolCall.js';

export interface ReaderOptions {
  readonly partLimit: number;
  /** True if messages may have the fields that only Toolwright writes. */
  readonly recorded: boolean;
  /** Throws the error for a fault at a path. */
  readonly fail: (path: string, problem: string, remedy?: string) => never;
}

const IN_PARTS = 'Pass the text as content; images, files and audio follow it as parts: { kind, mediaType, data }.';
const SYSTEM =
  'Put instructions into a section of the prompt, and text for only this conversation into a message of the user. The first message of a transcript is the rendered prompt: leave it out.';
const BLANK = 'Leave the message out; a run may begin without messages.';
const OWN =
  'Leave the field out: the message is then an ordinary one. A continued conversation keeps its notes by itself.';

/** Reads one message of unknown type, and copies only the fields of a message. */
export class MessageReader {
  readonly #options: ReaderOptions;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  /** @throws the error of `fail` */
  read(given: unknown, path: string): Message {
    if (given === undefined) return this.#fail(path, 'a message', given, 'Leave empty places out of the list.');
    if (!isRecord(given)) return this.#fail(path, 'a message such as { role, content }', given);
    const { role } = given;
    switch (role) {
      case 'user':
        return Object.freeze({
          role,
          ...this.#readUserContent(given, path),
          ...this.#readNote(given, path),
          ...this.#readTools(given, path),
        });
      case 'assistant':
        return Object.freeze({
          role,
          content: given['content'] === null ? null : this.#readContent(given, path, 'a text or null'),
          ...this.#readToolCalls(given, path),
          ...this.#readNative(given, path),
        });
      case 'tool':
        return Object.freeze({
          role,
          toolCallId: this.#readName(given, 'toolCallId', path, 'tool_call_id'),
          name: this.#readName(given, 'name', path),
          content: this.#readContent(given, path),
          ...this.#readParts(given, path),
          failed: this.#readFailed(given, path),
          ...this.#readTools(given, path),
        });
      case 'system':
        return this.#fail(`${path}.role`, 'user, assistant or tool', role, SYSTEM);
      default:
        return this.#fail(`${path}.role`, 'user, assistant or tool', role);
    }
  }

  #readContent({ content }: Fields, path: string, expected = 'a text'): string {
    return typeof content === 'string' ? content : this.#fail(`${path}.content`, expected, content, IN_PARTS);
  }

  /** Reads the content of a user's message. Providers refuse a blank one, but a record may hold it. */
  #readUserContent(fields: Fields, path: string): Pick<Extract<Message, { role: 'user' }>, 'content' | 'parts'> {
    const said = { content: this.#readContent(fields, path), ...this.#readParts(fields, path) };
    const isBlank = [
      said.content,
      ...(said.parts ?? []).map((part) => (part.kind === 'text' ? part.text : part.kind)),
    ].every((text) => text.trim() === '');
    if (!isBlank || this.#options.recorded) return said;
    return this.#fail(`${path}.content`, 'a text that is not blank, or parts', said.content, BLANK);
  }

  #readParts({ parts }: Fields, path: string): { readonly parts?: readonly ContentPart[] } {
    if (parts === undefined) return {};
    const found = findPartsProblem(parts, this.#options.partLimit);
    if (found !== undefined) {
      const remedy =
        "Parts are { kind: 'text', text } or { kind: 'image' | 'audio' | 'file', mediaType, data | url }; limits.partBytes limits their size.";
      return this.#options.fail(`${path}.${found.path}`, found.problem, remedy);
    }
    const copies = (parts as readonly ContentPart[]).map((part) => Object.freeze({ ...part }));
    return copies.length === 0 ? {} : { parts: Object.freeze(copies) };
  }

  #readToolCalls(fields: Fields, path: string): { readonly toolCalls?: readonly ToolCall[] } {
    const { toolCalls } = fields;
    if (toolCalls === undefined && fields['tool_calls'] !== undefined)
      this.#fail(
        `${path}.tool_calls`,
        'calls under toolCalls',
        fields['tool_calls'],
        'Write toolCalls: [{ id, name, arguments }].',
      );
    if (toolCalls === undefined) return {};
    if (!isArray(toolCalls)) return this.#fail(`${path}.toolCalls`, 'a list of calls', toolCalls);
    const ids = new Set<string>();
    const calls = Array.from(toolCalls, (given, index) => {
      const place = `${path}.toolCalls[${String(index)}]`;
      const call = this.#readToolCall(given, place);
      if (ids.has(call.id))
        this.#options.fail(
          `${place}.id`,
          `expected an id that no other call of the message has, got ${quote(call.id)} again`,
          'Give each call of a message its own id.',
        );
      ids.add(call.id);
      return call;
    });
    return calls.length === 0 ? {} : { toolCalls: Object.freeze(calls) };
  }

  #readToolCall(given: unknown, path: string): ToolCall {
    if (!isRecord(given)) return this.#fail(path, 'a call such as { id, name, arguments }', given);
    return Object.freeze({
      id: this.#readName(given, 'id', path),
      name: this.#readName(given, 'name', path),
      arguments: this.#readArguments(given, `${path}.arguments`),
      ...(given['wireName'] === undefined ? {} : { wireName: this.#readName(given, 'wireName', path) }),
    });
  }

  #readArguments({ arguments: given }: Fields, path: string): ToolCall['arguments'] {
    if (given === null || typeof given === 'string') return given;
    const expected = 'JSON as text, an object or null';
    if (typeof given !== 'object' || isArray(given)) return this.#fail(path, expected, given);
    const copy = this.#copyJson(given, path);
    return isRecord(copy) ? copy : this.#fail(path, expected, copy);
  }

  #readNative({ native }: Fields, path: string): { readonly native?: NativeContent } {
    if (native === undefined) return {};
    const place = `${path}.native`;
    const remedy = 'Pass the native of an earlier answer unchanged, or leave it out.';
    if (!isRecord(native))
      return this.#fail(place, 'the value that an adapter returned, { provider, content }', native, remedy);
    const { provider, content, pauses } = native;
    if (typeof provider !== 'string' || provider === '')
      return this.#fail(`${place}.provider`, 'the name of a provider', provider, remedy);
    if (!isArray(content)) return this.#fail(`${place}.content`, "a list in the provider's form", content, remedy);
    const copy = this.#copyJson(content, `${place}.content`) as NativeContent['content'];
    if (pauses === undefined) return { native: Object.freeze({ provider, content: copy }) };
    if (!isArray(pauses) || !pauses.every(Number.isInteger))
      return this.#fail(`${place}.pauses`, 'a list of positions', pauses, remedy);
    return { native: Object.freeze({ provider, content: copy, pauses: Object.freeze([...(pauses as number[])]) }) };
  }

  #readNote({ note }: Fields, path: string): { readonly note?: 'operator' | 'application' } {
    // Only a record says who wrote a note. In the messages of a caller, such as a transcript, a note is an ordinary
    // message.
    if (note === undefined || !this.#options.recorded) return {};
    return note === 'operator' || note === 'application'
      ? { note }
      : this.#fail(`${path}.note`, 'operator or application', note, OWN);
  }

  #readTools({ tools }: Fields, path: string): { readonly tools?: ToolChanges } {
    if (tools === undefined || !this.#options.recorded) return {};
    if (!isObject(tools)) return this.#fail(`${path}.tools`, '{ added, removed }', tools, OWN);
    const { added, removed } = tools as Fields;
    const names = (given: unknown, field: string): readonly string[] =>
      isArray(given) && given.every((name) => typeof name === 'string')
        ? Object.freeze([...given])
        : this.#fail(`${path}.tools.${field}`, 'a list of names of tools', given, OWN);
    return { tools: Object.freeze({ added: names(added, 'added'), removed: names(removed, 'removed') }) };
  }

  #readFailed({ failed }: Fields, path: string): boolean {
    return typeof failed === 'boolean'
      ? failed
      : this.#fail(`${path}.failed`, 'true or false', failed, 'Set failed: true if the content reports a failure.');
  }

  /** @param foreign the name of the field in another API */
  #readName(fields: Fields, field: string, path: string, foreign?: string): string {
    const given = fields[field];
    if (typeof given === 'string' && given !== '') return given;
    const isForeign = foreign !== undefined && fields[foreign] !== undefined;
    return this.#fail(
      `${path}.${field}`,
      'a text that is not empty',
      given,
      isForeign ? `Write ${field} instead of ${foreign}.` : undefined,
    );
  }

  /** Copies a value by way of JSON, as a provider gets it. JSON would silently leave out functions and symbols. */
  #copyJson(value: unknown, path: string): unknown {
    const seen = { leftOut: false };
    let copy: unknown;
    try {
      const text = JSON.stringify(value, (_key, held: unknown) => {
        seen.leftOut ||= isLeftOut(held);
        return held;
      });
      copy = freezePlain(JSON.parse(text) as unknown);
    } catch (thrown) {
      return this.#options.fail(path, `expected plain JSON, and it cannot be written: ${getFirstLine(thrown)}`);
    }
    // Paths are searched in a second pass: answers of a provider hold a hundred thousand values.
    const [first, ...others] = seen.leftOut ? describeLost(value, path) : [];
    if (first === undefined) return copy;
    const also = others.map(({ place, problem }) => `; ${place}: ${problem}`).join('');
    return this.#options.fail(first.place, first.problem + also);
  }

  #fail(path: string, expected: string, given: unknown, remedy?: string): never {
    return this.#options.fail(path, `expected ${expected}, got ${describeValue(given)}`, remedy);
  }
}

/** Returns true for a meaningful value that `JSON.stringify` silently leaves out. */
function isLeftOut(value: unknown): boolean {
  return typeof value === 'function' || typeof value === 'symbol';
}

/** Lists the parts of a value that `JSON.stringify` leaves out, with their paths. */
function describeLost(root: unknown, path: string): readonly { readonly place: string; readonly problem: string }[] {
  const found: { readonly place: string; readonly problem: string }[] = [];
  const places = new Map<unknown, string>();
  JSON.stringify(root, function (this: unknown, key: string, value: unknown) {
    const before = places.get(this);
    const step = isArray(this) ? `[${key}]` : `.${keyText(key)}`;
    const place = before === undefined ? path : `${before}${step}`;
    if (isObject(value)) places.set(value, place);
    if (isLeftOut(value) && found.length < MAX_NAMED_LOSSES)
      found.push({ place, problem: `expected plain JSON, got ${describeValue(value)}` });
    return value;
  });
  return found;
}

/** Returns the first line of an error's message. Engines explain cycles in several lines. */
export function getFirstLine(thrown: unknown): string {
  return messageOf(thrown).split('\n', 1).join('').slice(0, 200);
}
