const HIDDEN = '[redacted]';

/** Shorter ones are placeholders like `mock`, which may stand in any text. */
const SHORTEST_KEY = 8;

const KEY_SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(Bearer|Basic)\s+[^\s"',;)]+/gi, `$1 ${HIDDEN}`],
  [/\b(?:sk|rk|gsk|xai|sess)[-_][\w*.-]{6,}/g, HIDDEN],
  [/\b(api[-_ ]?key(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, `$1${HIDDEN}`],
];

/**
 * Takes out of a text whatever looks like a key, and the key itself.
 *
 * @param key the key in use, if it is known
 */
export function redactText(text: string, key?: unknown): string {
  const known = typeof key === 'string' && key.length >= SHORTEST_KEY ? text.replaceAll(key, HIDDEN) : text;
  return KEY_SHAPES.reduce((result, [shape, replacement]) => result.replace(shape, replacement), known);
}

const DEEPEST = 6;

/**
 * The same value when no key stands in it, otherwise a copy without: of an error, with its prototype, so that it is still
 * recognised. Providers repeat the key in what they answer, and whoever logs an error logs its causes as well.
 *
 * @param key the key in use, if it is known
 */
export function redactValue(value: unknown, key?: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, key);
  if (typeof value !== 'object' || value === null || depth > DEEPEST || !isCopyable(value)) return value;
  const copy = (Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value) as object | null)) as object;
  let changed = false;
  for (const name of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    if (descriptor === undefined) continue;
    const own: unknown = (value as Record<PropertyKey, unknown>)[name];
    const redacted = redactValue(own, key, depth + 1);
    changed ||= redacted !== own;
    // Written as a value even where it was a getter: the stack of some engines is one, and works on true errors only.
    Object.defineProperty(copy, name, {
      value: redacted,
      enumerable: descriptor.enumerable ?? false,
      writable: true,
      configurable: name !== 'length' || !Array.isArray(value),
    });
  }
  return changed ? copy : value;
}

/** Plain data and errors; anything else, such as the headers of an answer, keeps its state out of sight. */
function isCopyable(value: object): boolean {
  // Errors of another realm, such as a test runner's, are instances of another Error.
  const isError = value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
  if (Array.isArray(value) || isError) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
