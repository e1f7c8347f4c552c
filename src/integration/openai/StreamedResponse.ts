import { ThrottleError } from '../../error/ThrottleError.js';
import { isFields, type Fields } from '../../provider/fields.js';
import { BETWEEN_MESSAGES } from './readResponse.js';

/** An item of which the parts come one after the other. */
interface StreamedItem {
  item: Fields;
  /** True once the provider has given it whole. */
  isWhole: boolean;
  text: string;
  refusal: string;
  arguments: string;
}

/** Events that add to an item: the part of it that they add to. */
const DELTAS: ReadonlyMap<unknown, 'text' | 'refusal' | 'arguments'> = new Map([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'refusal'],
  ['response.function_call_arguments.delta', 'arguments'],
  ['response.custom_tool_call_input.delta', 'arguments'],
]);

/** Events with which a response is at its end, well or not. */
const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed']);

/**
 * Puts the events of a streamed response together, as the response that would have come in one piece. Proxies leave out items
 * at the end, and give one item many ids, so nothing is taken for granted (docs/contract.md, 16).
 */
export class StreamedResponse {
  readonly #adapter: string;
  readonly #items = new Map<unknown, StreamedItem>();
  #end: Fields | undefined;
  #failure: unknown;
  /** The item that spoke last. */
  #speaker: unknown;

  /** @param adapter the name that errors show */
  constructor(adapter: string) {
    this.#adapter = adapter;
  }

  /**
   * Takes one event, and gives the text that it adds to the answer.
   *
   * @throws ThrottleError when the answer begins anew after a part of it was told
   */
  add(event: unknown): string {
    if (!isFields(event)) return '';
    const { type, response } = event;
    if (ENDS.has(type) && isFields(response)) this.#end = response;
    else if (type === 'response.created') this.#begin();
    else if (type === 'response.output_item.added') this.#place(event, false);
    else if (type === 'response.output_item.done') this.#place(event, true);
    else if (type === 'error') this.#failure = event;
    // What wraps a client may answer in one piece all the same.
    else if (type === undefined) this.#end = event;
    else return this.#extend(event);
    return '';
  }

  /** False for an answer that broke off: the provider says when it is at its end. */
  get isWhole(): boolean {
    return this.#end !== undefined || this.#failure !== undefined;
  }

  /** The response as it would have come in one piece. */
  get response(): unknown {
    if (this.#failure !== undefined) return { error: this.#failure };
    const given: unknown = this.#end?.['output'];
    if (!Array.isArray(given) && this.#items.size === 0) return this.#end;
    const streamed = [...this.#items].sort(byIndex).map(([, item]) => writtenItem(item));
    // Some servers give no items once more at the end.
    const isAllThere = Array.isArray(given) && given.length >= streamed.length;
    return { ...this.#end, output: isAllThere ? given : streamed };
  }

  /** Some proxies send the beginning twice, or that of another attempt: what came before it counts no longer. */
  #begin(): void {
    if (this.#speaker !== undefined) {
      throw new ThrottleError(`${this.#adapter} began its answer anew in the middle of it.`, { kind: 'connection' });
    }
    this.#items.clear();
  }

  #place(event: Fields, isWhole: boolean): void {
    const { item } = event;
    if (!isFields(item)) return;
    const known = this.#itemOf(event, item['id']);
    known.item = item;
    known.isWhole ||= isWhole;
  }

  #extend(event: Fields): string {
    const part = DELTAS.get(event['type']);
    const { delta } = event;
    if (part === undefined || typeof delta !== 'string' || delta === '') return '';
    this.#itemOf(event, event['item_id'])[part] += delta;
    if (part === 'arguments') return '';
    const speaker = placeOf(event, event['item_id']);
    const isNext = this.#speaker !== undefined && this.#speaker !== speaker;
    this.#speaker = speaker;
    return isNext ? BETWEEN_MESSAGES + delta : delta;
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

/** By its index, since some proxies give an item another id in each event. */
function placeOf({ output_index: index }: Fields, id: unknown): unknown {
  return index ?? id ?? 0;
}

/** In the order of their indexes; where there are none, as they came. */
function byIndex([one]: readonly [unknown, unknown], [other]: readonly [unknown, unknown]): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : 0;
}

function writtenItem({ item, isWhole, text, refusal, arguments: args }: StreamedItem): Fields {
  if (isWhole) return item;
  const parts = [
    ...(text === '' ? [] : [{ type: 'output_text', text }]),
    ...(refusal === '' ? [] : [{ type: 'refusal', refusal }]),
  ];
  if (parts.length > 0) return { type: 'message', ...item, content: parts };
  return args === '' ? item : { ...item, arguments: args, input: args };
}
