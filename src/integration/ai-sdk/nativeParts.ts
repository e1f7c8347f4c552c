import type { JsonValue } from '../../common/types.js';
import { isFields, type Fields } from '../../provider/fields.js';
import type { NativeContent } from '../../value/NativeContent.js';

/** Returns the name under which a conversation holds a provider's native parts: an adapter reads only those of its provider. */
export function nativeName(provider: string): string {
  return `ai-sdk:${provider}`;
}

/** True for a call of one of the application's tools, false for one that the provider runs itself. */
export function isOwnCall(part: Fields): boolean {
  return part['type'] === 'tool-call' && part['providerExecuted'] !== true;
}

/**
 * Returns the native parts of an answer, to be sent back to its provider: reasoning, calls and results of the provider's own
 * tools, files, and metadata of parts. Undefined if text and calls are all. A call of the application's tools is only a
 * placeholder: it is written from the conversation.
 */
export function nativeParts(provider: string, content: readonly Fields[]): NativeContent | undefined {
  const isPlain = content.every(
    (part) => (part['type'] === 'text' || isOwnCall(part)) && !isFields(part['providerMetadata']),
  );
  if (isPlain) return undefined;
  return { provider: nativeName(provider), content: content.flatMap(sentBack) };
}

/** Converts a part of an answer to a part of the next request; an empty list for parts that are not sent back. */
function sentBack(part: Fields): readonly JsonValue[] {
  const { providerMetadata } = part;
  const options = isFields(providerMetadata) ? { providerOptions: providerMetadata } : {};
  if (isOwnCall(part)) return [plain({ type: 'tool-call', ...options })];
  switch (part['type']) {
    case 'text':
    case 'reasoning':
      return [plain({ type: part['type'], text: part['text'], ...options })];
    case 'tool-call': {
      const { toolCallId, toolName, input } = part;
      return [
        plain({ type: 'tool-call', toolCallId, toolName, input: parsed(input), providerExecuted: true, ...options }),
      ];
    }
    case 'tool-result': {
      const { toolCallId, toolName, result, isError, preliminary } = part;
      if (preliminary === true) return [];
      const output = { type: isError === true ? 'error-json' : 'json', value: result ?? null };
      return [plain({ type: 'tool-result', toolCallId, toolName, output, ...options })];
    }
    case 'file':
    case 'reasoning-file':
    case 'custom': {
      const { providerMetadata: _metadata, ...rest } = part;
      return [plain({ ...rest, ...options })];
    }
    default:
      return [];
  }
}

function parsed(input: unknown): unknown {
  if (typeof input !== 'string') return input ?? {};
  try {
    return input.trim() === '' ? {} : (JSON.parse(input) as unknown);
  } catch {
    return {};
  }
}

/** Converts to plain JSON: bytes become base64, which is accepted wherever bytes are. */
function plain(part: object): JsonValue {
  const text = JSON.stringify(part, function (this: Fields, key, value: unknown) {
    const bytes = this[key];
    return ArrayBuffer.isView(bytes)
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
      : value;
  });
  return JSON.parse(text) as JsonValue;
}
