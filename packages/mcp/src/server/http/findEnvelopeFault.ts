import { walkValue } from 'toolwright/internal';
import { isRecord } from 'toolwright/internal/light';
import { ENVELOPE_EXTENT, MAX_ENVELOPE_NAME_CHARS, MAX_ENVELOPE_TEXT_CHARS } from '../../limits.js';

/**
 * Says which bound a message exceeds beside its arguments, before anything else is done with it: the protocol's schemas copy it
 * several times. Returns undefined for a message within the bounds.
 *
 * @param message within the bounds of a body
 */
export function findEnvelopeFault(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { method, params } = message;
  const withoutArguments = isRecord(params) ? { ...message, params: { ...params, arguments: undefined } } : message;
  // Those of a prompt are as few as its params; schemas copy all but those of a tool.
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
  // What answers a question of the server may be an image.
  if (!('method' in message) || countChars(withoutArguments) <= MAX_ENVELOPE_TEXT_CHARS) return undefined;
  return `A message has ${String(MAX_ENVELOPE_TEXT_CHARS)} characters at most, its arguments not counted.`;
}

/** Counts the characters of the texts and keys in a value of JSON. */
function countChars(value: unknown): number {
  let characters = 0;
  walkValue(value, {}, (each, key = '') => {
    characters += key.length + (typeof each === 'string' ? each.length : 0);
    return false;
  });
  return characters;
}
