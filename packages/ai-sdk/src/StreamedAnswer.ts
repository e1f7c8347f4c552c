import type { ModelPart } from 'toolwright/adapters';
import { createStreamError } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';

interface OpenPart {
  readonly type: 'text' | 'reasoning';
  text: string;
  providerMetadata?: Fields;
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
  'tool-approval-request',
]);

/** The other types of the specification, which carry no content. */
const SIGNALS: ReadonlySet<unknown> = new Set(['stream-start', 'response-metadata', 'raw', 'ping', 'tool-input-end']);

/**
 * Assembles the parts of a streamed answer into the result that a request without streaming returns. Inputs of calls are shown
 * while they are written, but only complete ones are used (docs/contract.md, 16).
 */
export class StreamedAnswer {
  readonly #adapter: string;
  readonly #bridge: string | undefined;
  /** The names of the calls with shown inputs, by id. */
  readonly #inputs = new Map<unknown, string>();
  readonly #content: (OpenPart | Fields)[] = [];
  readonly #open = new Map<string, OpenPart>();
  #end: Fields | undefined;

  /**
   * @param adapter the name that errors show
   * @param bridge the name of the bridge tool. Its inputs are not shown: the tool that they are for is known only at their end
   */
  constructor(adapter: string, bridge?: string) {
    this.#adapter = adapter;
    this.#bridge = bridge;
  }

  /**
   * Adds one part, and returns the new parts of the answer.
   *
   * @throws ThrottleError or PromptEvaluationError for an error in the stream
   */
  add(part: unknown): readonly ModelPart[] {
    if (!isRecord(part)) return [];
    const { type } = part;
    const [, kind, step] = PIECES.exec(String(type)) ?? [];
    if (kind === 'text' || kind === 'reasoning') return this.#addPiece(kind, step, part);
    if (type === 'tool-input-start') this.#beginInput(part);
    else if (type === 'tool-input-delta') return this.#addInput(part);
    else if (type === 'finish') this.#end = part;
    else if (type === 'error') throw this.#toError(part['error']);
    // A later specification may add types: a part is content if the provider gave it metadata to be sent back with.
    else if (
      WHOLE_PARTS.has(type) ||
      (!SIGNALS.has(type) && typeof type === 'string' && isRecord(part['providerMetadata']))
    )
      this.#content.push(part);
    return [];
  }

  /** Returns false if the answer broke off: a complete answer has a finish reason. */
  get isWhole(): boolean {
    return this.#end !== undefined;
  }

  /** Returns the answer as a request without streaming would return it. */
  get result(): unknown {
    return { content: this.#content, finishReason: this.#end?.['finishReason'], usage: this.#end?.['usage'] };
  }

  /** Adds a piece to its part. A piece without a part begins one; a new part replaces an open one with the same id. */
  #addPiece(
    type: OpenPart['type'],
    step: string | undefined,
    { id, delta, providerMetadata }: Fields,
  ): readonly ModelPart[] {
    const key = `${type} ${String(id)}`;
    let part = step === 'start' ? undefined : this.#open.get(key);
    if (part === undefined) {
      part = { type, text: '' };
      this.#open.set(key, part);
      this.#content.push(part);
    }
    if (isRecord(providerMetadata)) part.providerMetadata = mergePartOptions(part.providerMetadata, providerMetadata);
    if (step === 'end') this.#open.delete(key);
    if (step !== 'delta' || typeof delta !== 'string' || delta === '') return [];
    part.text += delta;
    return [{ kind: type, text: delta }];
  }

  #beginInput({ id, toolName, providerExecuted, inputEncoding }: Fields): void {
    const isShown = providerExecuted !== true && inputEncoding !== 'text' && toolName !== this.#bridge;
    if (isShown && typeof toolName === 'string') this.#inputs.set(id, toolName);
  }

  #addInput({ id, delta }: Fields): readonly ModelPart[] {
    const name = this.#inputs.get(id);
    if (name === undefined || typeof id !== 'string' || typeof delta !== 'string' || delta === '') return [];
    return [{ kind: 'tool_input', id, name, text: delta }];
  }

  /** Converts an error in the stream: an error of the provider's package, or the provider's own error object. */
  #toError(error: unknown): Error {
    const isError = !isRecord(error) || typeof error['name'] === 'string' || error['error'] !== undefined;
    return createStreamError(this.#adapter, isError ? error : { error }, undefined);
  }
}

/** Merges the provider options of a part: the first piece may hold its kind, and the last one its signature. */
function mergePartOptions(before: Fields | undefined, given: Fields): Fields {
  if (before === undefined) return given;
  const providers = Object.entries(given).map(([provider, fields]) => {
    const known = before[provider];
    return [provider, isRecord(known) && isRecord(fields) ? { ...known, ...fields } : fields] as const;
  });
  return { ...before, ...Object.fromEntries(providers) };
}

/** Returns the answer of a model without streaming: no part of it is shown before its end. */
export async function* streamWithoutParts(result: Promise<unknown>): AsyncGenerator<never, unknown> {
  return result;
}
