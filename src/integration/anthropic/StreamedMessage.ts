import { ThrottleError } from '../../error/ThrottleError.js';
import { isFields, type Fields } from '../../provider/fields.js';

/** A content block of which the parts come one after the other. */
interface StreamedBlock {
  readonly start: Fields;
  /** What deltas added, by the field that they add to. */
  readonly added: Map<string, string>;
  /** Text of the input, of a block that calls something. */
  input: string;
}

/** Deltas of text, by type: the field of the delta, which is that of the block as well. */
const TEXT_DELTAS: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
]);

/**
 * Puts the events of a streamed answer together, as the message that would have come in one piece. Proxies repeat events and
 * leave some out, so nothing is taken for granted (docs/contract.md, 16).
 */
export class StreamedMessage {
  readonly #adapter: string;
  readonly #blocks = new Map<unknown, StreamedBlock>();
  #whole: Fields | undefined;
  #stop: Fields = {};
  #usage: Fields = {};
  #hasSpoken = false;
  #hasEnded = false;

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
    switch (event['type']) {
      case 'message':
        this.#whole = event;
        return '';
      case 'message_start':
        this.#begin(event['message']);
        return '';
      case 'content_block_start':
        return this.#start(event);
      case 'content_block_delta':
        return this.#extend(event);
      case 'message_delta':
        this.#end(event);
        return '';
      case 'message_stop':
        this.#hasEnded = true;
        return '';
      default:
        return '';
    }
  }

  /** False for an answer that broke off: the provider says why it stopped when it has. */
  get isWhole(): boolean {
    return this.#whole !== undefined || this.#hasEnded || typeof this.#stop['stop_reason'] === 'string';
  }

  /** The message as it would have come in one piece. */
  get message(): unknown {
    if (this.#whole !== undefined) return this.#whole;
    return { ...this.#stop, content: [...this.#blocks.values()].map(writtenBlock), usage: this.#usage };
  }

  /** Some proxies send the beginning twice, or that of another attempt: what came before it counts no longer. */
  #begin(message: unknown): void {
    if (this.#hasSpoken) {
      throw new ThrottleError(`${this.#adapter} began its answer anew in the middle of it.`, { kind: 'connection' });
    }
    this.#blocks.clear();
    this.#addUsage(isFields(message) ? message['usage'] : undefined);
  }

  #start({ index, content_block: start }: Fields): string {
    if (!isFields(start)) return '';
    this.#blocks.set(index, { start, added: new Map(), input: '' });
    return this.#told(start['type'] === 'text' ? start['text'] : '');
  }

  #extend({ index, delta }: Fields): string {
    const block = this.#blocks.get(index);
    if (block === undefined || !isFields(delta)) return '';
    const { type, partial_json: piece } = delta;
    if (type === 'input_json_delta' && typeof piece === 'string') block.input += piece;
    const field = TEXT_DELTAS.get(type);
    const text = field === undefined ? undefined : delta[field];
    if (field === undefined || typeof text !== 'string') return '';
    block.added.set(field, (block.added.get(field) ?? '') + text);
    return type === 'text_delta' ? this.#told(text) : '';
  }

  #end({ delta, usage }: Fields): void {
    if (isFields(delta)) this.#stop = { ...this.#stop, ...delta };
    this.#addUsage(usage);
  }

  /** Figures are cumulative: each that is told replaces the one before. */
  #addUsage(usage: unknown): void {
    if (!isFields(usage)) return;
    const told = Object.entries(usage).filter(([, value]) => typeof value === 'number');
    this.#usage = { ...this.#usage, ...Object.fromEntries(told) };
  }

  #told(text: unknown): string {
    if (typeof text !== 'string') return '';
    this.#hasSpoken ||= text !== '';
    return text;
  }
}

function writtenBlock({ start, added, input }: StreamedBlock): Fields {
  const block: Record<string, unknown> = { ...start };
  for (const [field, text] of added) block[field] = `${typeof start[field] === 'string' ? start[field] : ''}${text}`;
  return input === '' ? block : { ...block, input: readInput(input) };
}

/** Malformed input stays text, for the dispatcher to tell the model of. */
function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
