import { isObject } from '../common/guards.js';
import { MAX_ERROR_LEVELS, MIN_REDACTED_KEY_CHARS } from '../common/limits.js';
import { emptyCopy } from '../common/walkValue.js';

const HIDDEN = '[redacted]';

const KEY_SHAPES: readonly (readonly [RegExp, string])[] = [
  // In an address. Bounded, so that a long text without one takes linear time.
  [/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s/@"'<>]{1,512}@/gi, `$1${HIDDEN}@`],
  [/\b(Bearer|Basic)\s+[^\s"',;)]+/gi, `$1 ${HIDDEN}`],
  [/\b(?:sk|rk|gsk|xai|sess)[-_][\w*.-]{6,}/g, HIDDEN],
  [/\b(api[-_ ]?key(?: provided)?["']?\s*[:=]\s*["']?)[^\s"',;&]+/gi, `$1${HIDDEN}`],
];

/** Removes the key in use, if it is known, and everything that looks like a key from a text. */
export function redactText(text: string, key?: unknown): string {
  const known = typeof key === 'string' && key.length >= MIN_REDACTED_KEY_CHARS ? text.replaceAll(key, HIDDEN) : text;
  return KEY_SHAPES.reduce((result, [shape, replacement]) => result.replace(shape, replacement), known);
}

/**
 * Returns the same value if it contains no key, and otherwise a copy without keys. The copy of an error keeps its
 * prototype, so that it is still recognised. Providers repeat the key in their answers, and logs of an error include
 * its causes.
 */
export function redactValue(value: unknown, key?: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redactText(value, key);
  if (!isObject(value) || depth > MAX_ERROR_LEVELS || !isCopyable(value)) return value;
  const copy = emptyCopy(value);
  let changed = false;
  for (const name of Reflect.ownKeys(value)) {
    const descriptor = Object.getOwnPropertyDescriptor(value, name);
    if (descriptor === undefined) continue;
    const own: unknown = (value as Record<PropertyKey, unknown>)[name];
    const redacted = redactValue(own, key, depth + 1);
    changed ||= redacted !== own;
    // Written as a value even if it was a getter: in some engines `stack` is a getter that works only on real errors.
    Object.defineProperty(copy, name, {
      value: redacted,
      enumerable: descriptor.enumerable ?? false,
      writable: true,
      configurable: name !== 'length' || !Array.isArray(value),
    });
  }
  return changed ? copy : value;
}

/** Returns true for plain data and errors. Other objects, such as the headers of an answer, have hidden state. */
function isCopyable(value: object): boolean {
  // Errors of another realm, such as a test runner's, are instances of another Error.
  const isError = value instanceof Error || Object.prototype.toString.call(value) === '[object Error]';
  if (Array.isArray(value) || isError) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
