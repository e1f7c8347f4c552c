import { findValueExcess, type JsonExtent } from 'toolwright/internal';

/** The most that a message holds beside its arguments. */
const MOST_BESIDE: JsonExtent = { values: 1_000, depth: 1_000 };
/** The most characters of an id, a method or a progress token, which are kept, compared and sent back. */
export const MOST_NAME_CHARS = 1_000;
/** The most characters of all other texts and keys beside the arguments; an icon of a client is one of these texts. */
const MOST_TEXT_CHARS = 100_000;

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
  // What answers a question of the server may be an image.
  if (!('method' in message) || countChars(withoutArguments) <= MOST_TEXT_CHARS) return undefined;
  return `A message has ${String(MOST_TEXT_CHARS)} characters at most, its arguments not counted.`;
}

/** Counts the characters of the texts and keys in a value of JSON. */
function countChars(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + countChars(each), 0);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
