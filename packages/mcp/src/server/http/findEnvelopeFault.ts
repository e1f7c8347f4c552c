import { PROTOCOL_VERSION_META_KEY } from '@modelcontextprotocol/server';
import { walkValue } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { ENVELOPE_EXTENT, MAX_ENVELOPE_NAME_CHARS, MAX_ENVELOPE_TEXT_CHARS } from '../../limits.js';

/**
 * Returns the limit that a message exceeds, its arguments not counted; undefined for a message within the limits. Call it first,
 * because the protocol's schemas copy a message several times.
 *
 * @param message a message within the limits of a body
 */
export function findEnvelopeFault(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { method, params } = message;
  const withoutArguments = isRecord(params) ? { ...message, params: omitPayload(params) } : message;
  // Only the arguments of tool calls are left out: arguments of prompts are few, and the schemas copy them.
  if (walkValue(method === 'tools/call' ? withoutArguments : message, ENVELOPE_EXTENT) !== undefined)
    return `A message holds ${String(ENVELOPE_EXTENT.values)} values at most, the arguments of a tool not counted.`;
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  const names = {
    id: message['id'],
    method,
    progressToken: isRecord(params) ? (meta['progressToken'] ?? params['progressToken']) : undefined,
    requestId: isRecord(params) ? params['requestId'] : undefined,
  };
  for (const [name, value] of Object.entries(names))
    if (typeof value === 'string' && value.length > MAX_ENVELOPE_NAME_CHARS)
      return `${name} has ${String(value.length)} characters; ${String(MAX_ENVELOPE_NAME_CHARS)} are accepted.`;
  // An answer to a question of the server may be an image.
  if (!('method' in message) || countChars(withoutArguments) <= MAX_ENVELOPE_TEXT_CHARS) return undefined;
  return `A message has ${String(MAX_ENVELOPE_TEXT_CHARS)} characters at most, its arguments not counted.`;
}

/**
 * Leaves the arguments out of params; from 2026-07-28 on, also the answers of the client and their state, which no schema copies there.
 */
function omitPayload(params: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { _meta: meta } = params;
  const isStateless = isRecord(meta) && PROTOCOL_VERSION_META_KEY in meta;
  const answers = isStateless ? { inputResponses: undefined, requestState: undefined } : {};
  return { ...params, arguments: undefined, ...answers };
}

/** Counts the characters of all texts and keys in a JSON value. */
function countChars(value: unknown): number {
  let characters = 0;
  walkValue(value, {}, (each, key = '') => {
    characters += key.length + (typeof each === 'string' ? each.length : 0);
    return false;
  });
  return characters;
}
