import { isFields, type Fields } from '../../provider/fields.js';
import { streamFailure } from '../../provider/requestFailure.js';

/** A part of which the text comes piece by piece. */
interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: unknown;
}

const PIECES = /^(text|reasoning)-(start|delta|end)$/;

/** What a part of a stream is that stands in the answer as it is. */
const WHOLE_PARTS: ReadonlySet<unknown> = new Set([
  'tool-call',
  'tool-result',
  'file',
  'source',
  'custom',
  'reasoning-file',
]);

/**
 * Puts the parts of a streamed answer together, as the result that would have come in one piece. Whatever else a stream tells,
 * such as a call's input while it is written, is left: nothing half-said is done (docs/contract.md, 16).
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
   * Takes one part, and gives the text that it adds to the answer.
   *
   * @throws ThrottleError or PromptEvaluationError for an error that stands in the stream
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

  /** False for an answer that broke off: a model says how it finished when it has. */
  get isWhole(): boolean {
    return this.#end !== undefined;
  }

  /** The answer as it would have come in one piece. */
  get result(): unknown {
    return { content: this.#content, finishReason: this.#end?.['finishReason'], usage: this.#end?.['usage'] };
  }

  /** A piece of a part that was never begun begins it; one that begins under the id of another takes its place. */
  #piece(type: OpenPart['type'], step: string | undefined, { id, delta, providerMetadata }: Fields): string {
    const key = `${type} ${String(id)}`;
    let part = step === 'start' ? undefined : this.#open.get(key);
    if (part === undefined) {
      part = { type, text: '' };
      this.#open.set(key, part);
      this.#content.push(part);
    }
    // The last one that is told holds the signature.
    if (isFields(providerMetadata)) part.providerMetadata = providerMetadata;
    if (step === 'end') this.#open.delete(key);
    if (step !== 'delta' || typeof delta !== 'string') return '';
    part.text += delta;
    return type === 'text' ? delta : '';
  }

  /** What providers put into a stream is an error of their package, or what the provider said is wrong. */
  #failure(error: unknown): Error {
    const isError = !isFields(error) || typeof error['name'] === 'string' || error['error'] !== undefined;
    return streamFailure(this.#adapter, isError ? error : { error }, undefined);
  }
}
