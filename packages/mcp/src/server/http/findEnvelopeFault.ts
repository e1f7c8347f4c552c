import { findValueExcess, type JsonExtent } from 'toolwright/internal';

/** The most values and levels of a message, its arguments not counted. */
const MOST_BESIDE: JsonExtent = { values: 1_000, depth: 1_000 };
/** The most characters of an id, a method or a progress token. These are stored, compared and sent back. */
export const MOST_NAME_CHARS = 1_000;
/** The most characters of all texts and keys, the arguments not counted. A client's icon is one of these texts. */
const MOST_TEXT_CHARS = 100_000;

/**
 * Returns the limit that a message exceeds, its arguments not counted; undefined for a message within the limits. Call it first,
 * because the protocol's schemas copy a message several times.
 *
 * @param message a message within the limits of a body
 */
export function findEnvelopeFault(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined;
  const { method, params } = message;
  const withoutArguments = isRecord(params) ? { ...message, params: { ...params, arguments: undefined } } : message;
  // Only the arguments of tool calls are left out: arguments of prompts are few, and the schemas copy them.
  if (findValueExcess(method === 'tools/call' ? withoutArguments : message, MOST_BESIDE) !== undefined)
    return `A message holds ${String(MOST_BESIDE.values)} values at most, the arguments of a tool not counted.`;
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  const names = {
    id: message['id'],
    method,
    progressToken: isRecord(params) ? (meta['progressToken'] ?? params['progressToken']) : undefined,
    requestId: isRecord(params) ? params['requestId'] : undefined,
  };
  for (const [name, value] of Object.entries(names))
    if (typeof value === 'string' && value.length > MOST_NAME_CHARS)
      return `${name} has ${String(value.length)} characters; ${String(MOST_NAME_CHARS)} are accepted.`;
  // An answer to a question of the server may be an image.
  if (!('method' in message) || countChars(withoutArguments) <= MOST_TEXT_CHARS) return undefined;
  return `A message has ${String(MOST_TEXT_CHARS)} characters at most, its arguments not counted.`;
}

/** Counts the characters of all texts and keys in a JSON value. */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + countChars(each), 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
