import { isFields, type Fields } from '../../provider/fields.js';
import { streamFailure } from '../../provider/requestFailure.js';

/** A part whose text is streamed in pieces. */
interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: unknown;
}

const PIECES = /^(text|reasoning)-(start|delta|end)$/;

/** The types of stream parts that belong to the answer unchanged. */
const WHOLE_PARTS: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'file',
  'source',
  'custom',
  'reasoning-file',
]);

/**
 * Assembles the parts of a streamed answer into the result of a request without streaming. Other parts of the stream, such as
 * a call's input while it is generated, are ignored: nothing incomplete is used (docs/contract.md, 16).
 */
export class StreamedAnswer {
  readonly #adapter: string;
  readonly #content: (OpenPart | Fields)[] = [];
  readonly #open = new Map<string, OpenPart>();
  #end: Fields | undefined;

  /** @param adapter the name that errors show */
  constructor(adapter: string) {
    this.#adapter = adapter;
  }

  /**
   * Adds one part, and returns the text that it adds to the answer.
   *
   * @throws ThrottleError or PromptEvaluationError for an error in the stream
   */
  add(part: unknown): string {
    if (!isFields(part)) return '';
    const { type } = part;
    const [, kind, step] = PIECES.exec(String(type)) ?? [];
    if (kind === 'text' || kind === 'reasoning') return this.#piece(kind, step, part);
    if (WHOLE_PARTS.has(type)) this.#content.push(part);
    else if (type === 'finish') this.#end = part;
    else if (type === 'error') throw this.#failure(part['error']);
    return '';
  }

  /** False if the answer broke off: a complete one has a finish reason. */
  get isWhole(): boolean {
    return this.#end !== undefined;
  }

  /** The answer as a request without streaming would return it. */
  get result(): unknown {
    return { content: this.#content, finishReason: this.#end?.['finishReason'], usage: this.#end?.['usage'] };
  }

  /** Adds a piece to its part. A piece without a part begins one; a new part replaces an open one with the same id. */
  #piece(type: OpenPart['type'], step: string | undefined, { id, delta, providerMetadata }: Fields): string {
    const key = `${type} ${String(id)}`;
    let part = step === 'start' ? undefined : this.#open.get(key);
    if (part === undefined) {
      part = { type, text: '' };
      this.#open.set(key, part);
      this.#content.push(part);
    }
    // The last one holds the signature.
    if (isFields(providerMetadata)) part.providerMetadata = providerMetadata;
    if (step === 'end') this.#open.delete(key);
    if (step !== 'delta' || typeof delta !== 'string') return '';
    part.text += delta;
    return type === 'text' ? delta : '';
  }

  /** Converts an error in the stream: an error of the provider's package, or the provider's own error object. */
  #failure(error: unknown): Error {
    const isError = !isFields(error) || typeof error['name'] === 'string' || error['error'] !== undefined;
    return streamFailure(this.#adapter, isError ? error : { error }, undefined);
  }
}
