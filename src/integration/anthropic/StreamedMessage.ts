import { ThrottleError } from '../../error/ThrottleError.js';
import { isFields, type Fields } from '../../provider/fields.js';

/** A content block that is streamed in parts. */
interface StreamedBlock {
  readonly start: Fields;
  /** The texts that deltas added, by the field that they add to. */
  readonly added: Map<string, string>;
  /** The text of the input of a call. */
  input: string;
}

/** Deltas of text, by type: the field of the delta, which is also that of the block. */
const TEXT_DELTAS: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
]);

/**
 * Assembles the events of a streamed answer into the message of a request without streaming. Proxies repeat events and leave
 * some out, so everything is checked (docs/contract.md, 16).
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
   * Adds one event, and returns the text that it adds to the answer.
   *
   * @throws ThrottleError if the answer restarts after a part of it was returned
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

  /** False if the answer broke off: a complete one has a stop reason. */
  get isWhole(): boolean {
    return this.#whole !== undefined || this.#hasEnded || typeof this.#stop['stop_reason'] === 'string';
  }

  /** The message as a request without streaming would return it. */
  get message(): unknown {
    if (this.#whole !== undefined) return this.#whole;
    return { ...this.#stop, content: [...this.#blocks.values()].map(writtenBlock), usage: this.#usage };
  }

  /** Starts the message. Some proxies send the start twice, or that of another attempt: everything before it is dropped. */
  #begin(message: unknown): void {
    if (this.#hasSpoken) {
      throw new ThrottleError(`${this.#adapter} restarted its answer in the middle of it.`, { kind: 'connection' });
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

  /** Adds usage. Counts are cumulative: each replaces the one before. */
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

/** Parses the input of a call; malformed input stays text, which the dispatcher reports to the model. */
function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
