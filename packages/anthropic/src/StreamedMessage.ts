import { ThrottleError } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { type Fields, isRecord } from 'toolwright/internal/light';

/** A content block that is streamed in parts. */
interface StreamedBlock {
  readonly start: Fields;
  /** The texts that deltas added, by field. */
  readonly added: Map<string, string>;
  readonly citations: unknown[];
  /** The text of the input of a call. */
  input: string;
}

/** Deltas with text, by type: the field of the delta, which has the same name in the block. */
const TEXT_DELTAS: ReadonlyMap<unknown, string> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'thinking'],
  ['signature_delta', 'signature'],
]);

/** Deltas that are shown as they arrive. */
const PARTS: ReadonlyMap<unknown, 'text' | 'reasoning'> = new Map([
  ['text_delta', 'text'],
  ['thinking_delta', 'reasoning'],
] as const);

/**
 * Assembles the events of a streamed answer into the message that a request without streaming returns. Proxies repeat events and
 * leave some out, so everything is checked (docs/contract.md, 16).
 */
export class StreamedMessage {
  readonly #adapter: string;
  readonly #blocks = new Map<unknown, StreamedBlock>();
  #whole: Fields | undefined;
  #start: Fields = {};
  #stop: Fields = {};
  #usage: Fields = {};
  #hasSpoken = false;
  #hasEnded = false;

  /** @param adapter the name that errors show */
  constructor(adapter: string) {
    this.#adapter = adapter;
  }

  /**
   * Adds one event, and returns the new part of the answer: text, thinking, or the arguments of a call.
   *
   * @throws ThrottleError if the answer restarts after a part of its text was returned
   */
  add(event: unknown): readonly ModelPart[] {
    if (!isRecord(event)) return [];
    switch (event['type']) {
      case 'message':
        this.#whole = event;
        return [];
      case 'message_start':
        this.#begin(event['message']);
        return [];
      case 'content_block_start':
        return this.#open(event);
      case 'content_block_delta':
        return this.#extend(event);
      case 'message_delta':
        this.#end(event);
        return [];
      case 'message_stop':
        this.#hasEnded = true;
        return [];
      default:
        return [];
    }
  }

  /** Returns false if the answer broke off: a complete answer has a stop reason. */
  get isWhole(): boolean {
    return this.#whole !== undefined || this.#hasEnded || typeof this.#stop['stop_reason'] === 'string';
  }

  /** Returns the message as a request without streaming would return it. */
  get message(): unknown {
    if (this.#whole !== undefined) return this.#whole;
    const content = [...this.#blocks.values()].map(writeBlock);
    return { ...this.#start, ...this.#stop, content, usage: this.#usage };
  }

  /** Starts the message. Some proxies send the start twice, or the start of another attempt: everything before it is dropped. */
  #begin(message: unknown): void {
    if (this.#hasSpoken) {
      throw new ThrottleError(`${this.#adapter} restarted its answer in the middle of it.`, {
        kind: 'connection',
        failure: 'cut_off',
      });
    }
    this.#blocks.clear();
    if (!isRecord(message)) return;
    this.#start = message;
    this.#addUsage(message['usage']);
  }

  #open({ index, content_block: start }: Fields): readonly ModelPart[] {
    if (!isRecord(start)) return [];
    this.#blocks.set(index, { start, added: new Map(), citations: [], input: '' });
    if (start['type'] === 'text') return this.#partsOf('text', start['text']);
    return start['type'] === 'thinking' ? this.#partsOf('reasoning', start['thinking']) : [];
  }

  #extend({ index, delta }: Fields): readonly ModelPart[] {
    const block = this.#blocks.get(index);
    if (block === undefined || !isRecord(delta)) return [];
    const { type, partial_json: piece, citation } = delta;
    if (type === 'citations_delta') block.citations.push(citation);
    if (type === 'input_json_delta' && typeof piece === 'string') {
      block.input += piece;
      return toInputPart(block.start, piece);
    }
    const field = TEXT_DELTAS.get(type);
    const text = field === undefined ? undefined : delta[field];
    if (field === undefined || typeof text !== 'string') return [];
    block.added.set(field, (block.added.get(field) ?? '') + text);
    const kind = PARTS.get(type);
    return kind === undefined ? [] : this.#partsOf(kind, text);
  }

  #end({ delta, usage, input_transformations: transformations }: Fields): void {
    if (isRecord(delta)) this.#stop = { ...this.#stop, ...delta };
    // Another model took over in the middle. Its report of omitted thinking replaces the one from the start.
    if (Array.isArray(transformations)) this.#stop = { ...this.#stop, input_transformations: transformations };
    this.#addUsage(usage);
  }

  /** Adds usage. Counts are cumulative: each replaces the one before. */
  #addUsage(usage: unknown): void {
    if (!isRecord(usage)) return;
    const counts = Object.entries(usage).filter(([, value]) => typeof value === 'number');
    this.#usage = { ...this.#usage, ...Object.fromEntries(counts) };
  }

  #partsOf(kind: 'text' | 'reasoning', text: unknown): readonly ModelPart[] {
    if (typeof text !== 'string' || text === '') return [];
    // Another attempt may repeat thinking, so thinking does not count as a beginning of the answer.
    this.#hasSpoken ||= kind === 'text';
    return [{ kind, text }];
  }
}

/** Returns a part of a call's arguments; nothing for calls of the provider's own tools. */
function toInputPart({ type, id, name }: Fields, text: string): readonly ModelPart[] {
  if (type !== 'tool_use' || typeof id !== 'string' || typeof name !== 'string' || text === '') return [];
  return [{ kind: 'tool_input', id, name, text }];
}

function writeBlock({ start, added, citations, input }: StreamedBlock): Fields {
  const block: Record<string, unknown> = { ...start };
  for (const [field, text] of added) block[field] = `${typeof start[field] === 'string' ? start[field] : ''}${text}`;
  if (citations.length > 0) block['citations'] = [...toList(start['citations']), ...citations];
  return input === '' ? block : { ...block, input: readInput(input) };
}

function toList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [];
}

/** Parses the input of a call; malformed input stays text, which the dispatcher reports to the model. */
function readInput(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
