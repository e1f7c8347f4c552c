import { className } from '../../common/classes.js';
import { getOrCreate } from '../../common/memoize.js';
import { isPlainObject, isRecord } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import { SessionError } from '../../error/infrastructureErrors.js';
import type { StatePath } from './StatePath.js';

/** Describes a value; names the class of an instance. */
export function describeKind(value: unknown): string {
  if (!isRecord(value) || isPlainObject(value)) return describeValue(value);
  return `an instance of ${className((value as { readonly constructor?: unknown }).constructor)}`;
}

/** Creates the error for JSON that is not the state of a session. @param place empty for all of the JSON */
export function createUnreadableError(place: string | StatePath, problem: string, remedy?: string): SessionError {
  const text = String(place);
  return new SessionError(problem, { code: 'E806', place: text === '' ? undefined : text, remedy });
}

/** Creates the same error for a value of another kind than expected. */
export function createMisfitError(
  place: string | StatePath,
  expected: string,
  given: unknown,
  remedy?: string,
): SessionError {
  return createUnreadableError(place, `expected ${expected}, got ${describeValue(given)}`, remedy);
}

/**
 * Converts a state to JSON, or back. Returns the result wrapped, since it may be undefined itself; undefined if the session refuses
 * the state.
 */
export function tryState<T>(convert: () => T): { readonly value: T } | undefined {
  try {
    return { value: convert() };
  } catch (error) {
    if (error instanceof SessionError) return undefined;
    throw error;
  }
}

/** Matches a declaration only: a method continues with `(`. Semicolons may be missing. */
const PRIVATE_FIELD = /(?:^|[{;}]|\*\/)\s*#[\p{ID_Continue}$]+\s*(?:[=;}]|\/[/*]|$)/mu;
const known = new WeakMap<object, boolean>();

/** Checks whether a class has private fields: they are invisible on an instance, but not in the class's source text. */
export function hasPrivateState(type: unknown): boolean {
  if (typeof type !== 'function' || type === Object || type === Array) return false;
  return getOrCreate(known, type, declaresPrivateState);
}

function declaresPrivateState(type: object): boolean {
  return PRIVATE_FIELD.test(Function.prototype.toString.call(type)) || hasPrivateState(Object.getPrototypeOf(type));
}
