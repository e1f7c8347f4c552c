import type { JsonValue } from 'toolwright';
import type { NativeContent } from 'toolwright/adapters';
import { recordPieces, removeParts } from 'toolwright/internal';
import { type Fields, isRecord } from 'toolwright/internal/light';

/** Returns the key of a provider's native parts in a conversation: an adapter reads only the parts of its own provider. */
export function readNativeName(provider: string): string {
  return `ai-sdk:${provider}`;
}

/** Returns true for a call of one of the application's tools, false for one that the provider runs itself. */
export function isOwnCall(part: Fields): boolean {
  return part['type'] === 'tool-call' && part['providerExecuted'] !== true;
}

/**
 * Returns all parts of an answer in order, to be sent back to its provider. Undefined if the answer is one text followed by calls:
 * those are written from the conversation. Calls of the application's tools always are, except calls of the bridge: the
 * conversation does not hold them as the model wrote them.
 *
 * @param pieces one list of parts, or several if the provider paused
 */
export function readNativeParts(
  provider: string,
  pieces: readonly (readonly Fields[])[],
  bridge?: string,
): NativeContent | undefined {
  const isPlain =
    pieces.length === 1 &&
    pieces
      .flat()
      .every(
        (part, index) =>
          !isRecord(part['providerMetadata']) &&
          (isOwnCall(part) || (index === 0 && part['type'] === 'text' && !isBlank(part['text']))),
      );
  if (isPlain) return undefined;
  const isFinal = ({ type, preliminary }: Fields): boolean => type !== 'tool-result' || preliminary !== true;
  return recordPieces(
    readNativeName(provider),
    pieces.map((content) => content.filter(isFinal).map((part) => toRecordedPart(part, bridge))),
  );
}

/**
 * Returns an answer without its reasoning, and without the ids of items that refer to it: the same object if it has none, undefined
 * if nothing is left.
 */
export function removeReasoning(native: NativeContent): NativeContent | undefined {
  const left = removeParts(native, (part) => isRecord(part) && REASONING.has(part['type']));
  return left === undefined || left === native ? left : { ...left, content: left.content.map(removeItemId) };
}

const REASONING: ReadonlySet<unknown> = new Set(['reasoning', 'reasoning-file']);

/** Removes the id of an item: by it, the Responses API would look up the reasoning. */
function removeItemId(part: JsonValue): JsonValue {
  const options = isRecord(part) ? part['providerOptions'] : undefined;
  if (!isRecord(part) || !isRecord(options)) return part;
  const left = Object.entries(options).map(([provider, fields]) => {
    if (!isRecord(fields)) return [provider, fields] as const;
    const { itemId: _id, ...rest } = fields;
    return [provider, rest] as const;
  });
  return { ...part, providerOptions: Object.fromEntries<unknown>(left) } as unknown as JsonValue;
}

/** Returns true for blank text, which several providers refuse. */
export function isBlank(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '';
}

/** Parts of an answer that prompts cannot contain. A source is repeated in the metadata of the text that it supports. */
const ANSWERS_ONLY: ReadonlySet<unknown> = new Set(['source', 'tool-approval-request']);

/**
 * Converts a recorded part to a part of the next request; undefined for parts that requests cannot contain. The caller writes calls
 * of the application's tools. Addresses become objects again, since JSON holds them as text.
 */
export function toRequestPart(part: Fields): Fields | undefined {
  const { type, data } = part;
  if (ANSWERS_ONLY.has(type)) return undefined;
  if (!isRecord(data) || data['type'] !== 'url' || typeof data['url'] !== 'string') return { ...part };
  return URL.canParse(data['url']) ? { ...part, data: { ...data, url: new URL(data['url']) } } : { ...part };
}

/** Converts a part of an answer to its recorded form: the form in requests, if there is one. */
function toRecordedPart(part: Fields, bridge: string | undefined): JsonValue {
  const { providerMetadata, ...rest } = part;
  const options = isRecord(providerMetadata) ? { providerOptions: providerMetadata } : {};
  if (isOwnCall(part)) {
    const input = part['toolName'] === bridge && bridge !== undefined ? parseInput(part['input']) : undefined;
    return toPlainJson({ type: 'tool-call', ...(isRecord(input) ? { input } : {}), ...options });
  }
  if (part['type'] === 'tool-call') {
    const { toolCallId, toolName, input } = part;
    return toPlainJson({
      type: 'tool-call',
      toolCallId,
      toolName,
      input: parseInput(input) ?? {},
      providerExecuted: true,
      ...options,
    });
  }
  if (part['type'] === 'tool-result') {
    const { toolCallId, toolName, result, isError } = part;
    const output = { type: isError === true ? 'error-json' : 'json', value: result ?? null };
    return toPlainJson({ type: 'tool-result', toolCallId, toolName, output, ...options });
  }
  return toPlainJson({ ...rest, ...options });
}

/** Parses the input of a call; returns undefined for text that is not JSON. */
function parseInput(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  try {
    return JSON.parse(input) as unknown;
  } catch {
    return undefined;
  }
}

/** Converts a part to plain JSON: bytes become base64, which is accepted wherever bytes are. */
function toPlainJson(part: object): JsonValue {
  const text = JSON.stringify(part, function (this: Fields, key, value: unknown) {
    const bytes = this[key];
    return ArrayBuffer.isView(bytes)
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
      : value;
  });
  return JSON.parse(text) as JsonValue;
}
