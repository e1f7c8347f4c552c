import { ThrottleError } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { type Fields, isRecord } from 'toolwright/internal/light';
import { BETWEEN_MESSAGES } from './readResponse.js';

/** An item that is streamed in parts. */
interface StreamedItem {
  item: Fields;
  /** True once the provider has sent the whole item. */
  isWhole: boolean;
  text: string;
  refusal: string;
  arguments: string;
}

/** Events that add to an item, and the field that they add to. */
const DELTAS: ReadonlyMap<unknown, 'text' | 'refusal' | 'arguments'> = new Map([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'arguments'],
]);

/** Events with the model's reasoning, in full or as a summary, and the field that numbers its paragraphs. */
const REASONING: ReadonlyMap<unknown, string> = new Map([
  ['response.reasoning_text.delta', 'content_index'],
  ['response.reasoning_summary_text.delta', 'summary_index'],
]);

/** Events that end a response, successful or not. */
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * Assembles the events of a streamed response into the response that a request without streaming returns. Proxies leave out items
 * at the end, and send many ids for one item, so everything is checked (docs/contract.md, 16).
 */
export class StreamedResponse {
  readonly #adapter: string;
  readonly #items = new Map<unknown, StreamedItem>();
  #end: Fields | undefined;
  #failure: unknown;
  /** The item that the last text belongs to. */
  #speaker: unknown;
  /** The paragraph that the last part of the reasoning belongs to. */
  #thought: string | undefined;
  /** True once a part of the answer was returned. */
  #isBegun = false;

  /** @param adapter the name that errors show */
  constructor(adapter: string) {
    this.#adapter = adapter;
  }

  /**
   * Adds one event, and returns the new parts of the answer.
   *
   * @throws ThrottleError if the answer restarts after a part of it was returned
   */
  add(event: unknown): readonly ModelPart[] {
    if (!isRecord(event)) return [];
    const { type, response } = event;
    if (ENDS.has(type) && isRecord(response)) this.#end = response;
    else if (type === 'response.created') this.#begin();
    else if (type === 'response.output_item.added') this.#place(event, false);
    else if (type === 'response.output_item.done') this.#place(event, true);
    else if (type === 'error') this.#failure = event;
    // A wrapper around a client may still answer in one piece.
    else if (type === undefined) this.#end = event;
    else return this.#extend(event);
    return [];
  }

  /** Returns false if the answer broke off: a complete answer ends with one of the final events. */
  get isWhole(): boolean {
    return this.#end !== undefined || this.#failure !== undefined;
  }

  /** Returns the response as a request without streaming would return it. */
  get response(): unknown {
    if (this.#failure !== undefined) return { error: this.#failure };
    const given: unknown = this.#end?.['output'];
    if (!Array.isArray(given) && this.#items.size === 0) return this.#end;
    const streamed = [...this.#items].sort(compareIndexes).map(([, item]) => writeItem(item));
    // Some servers do not repeat the items at the end.
    const isAllThere = Array.isArray(given) && given.length >= streamed.length;
    return { ...this.#end, output: isAllThere ? given : streamed };
  }

  /** Starts the response. Some proxies send the start twice, or the start of another attempt: everything before it is dropped. */
  #begin(): void {
    if (this.#isBegun) {
      throw new ThrottleError(`${this.#adapter} restarted its answer in the middle of it.`, {
        kind: 'connection',
        failure: 'cut_off',
      });
    }
    this.#items.clear();
  }

  #place(event: Fields, isWhole: boolean): void {
    const { item } = event;
    if (!isRecord(item)) return;
    const known = this.#itemOf(event, item['id']);
    known.item = item;
    known.isWhole ||= isWhole;
  }

  #extend(event: Fields): readonly ModelPart[] {
    const { type, delta } = event;
    if (typeof delta !== 'string' || delta === '') return [];
    const parts = REASONING.has(type) ? this.#think(event, delta) : this.#say(event, delta);
    this.#isBegun ||= parts.length > 0;
    return parts;
  }

  #say(event: Fields, delta: string): readonly ModelPart[] {
    const part = DELTAS.get(event['type']);
    if (part === undefined) return [];
    const known = this.#itemOf(event, event['item_id']);
    known[part] += delta;
    if (part === 'arguments') return inputOf(known.item, delta);
    const speaker = placeOf(event, event['item_id']);
    const isNext = this.#speaker !== undefined && this.#speaker !== speaker;
    this.#speaker = speaker;
    return [{ kind: 'text', text: isNext ? BETWEEN_MESSAGES + delta : delta }];
  }

  #think(event: Fields, delta: string): readonly ModelPart[] {
    const thought = JSON.stringify([placeOf(event, event['item_id']), event[REASONING.get(event['type']) ?? '']]);
    const isNext = this.#thought !== undefined && this.#thought !== thought;
    this.#thought = thought;
    return [{ kind: 'reasoning', text: isNext ? BETWEEN_MESSAGES + delta : delta }];
  }

  #itemOf(event: Fields, id: unknown): StreamedItem {
    const place = placeOf(event, id);
    const known = this.#items.get(place);
    if (known !== undefined) return known;
    const begun: StreamedItem = { item: {}, isWhole: false, text: '', refusal: '', arguments: '' };
    this.#items.set(place, begun);
    return begun;
  }
}

/** Returns a part of a call's arguments; nothing until the server has named the call. */
function inputOf({ call_id: id, name }: Fields, text: string): readonly ModelPart[] {
  if (typeof id !== 'string' || id === '' || typeof name !== 'string') return [];
  return [{ kind: 'tool_input', id, name, text }];
}

/** Identifies an item by its index, since some proxies send another id of the item in each event. */
function placeOf({ output_index: index }: Fields, id: unknown): unknown {
  return index ?? id ?? 0;
}

/** Compares items by their indexes; without indexes, keeps the order of the events. */
function compareIndexes([one]: readonly [unknown, unknown], [other]: readonly [unknown, unknown]): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
}

function writeItem({ item, isWhole, text, refusal, arguments: args }: StreamedItem): Fields {
  if (isWhole) return item;
  const parts = [
    ...(text === '' ? [] : [{ type: 'output_text', text }]),
    ...(refusal === '' ? [] : [{ type: 'refusal', refusal }]),
  ];
  if (parts.length > 0) return { type: 'message', ...item, content: parts };
  return args === '' ? item : { ...item, arguments: args, input: args };
}
