import { util } from '../../common/builtins.js';
import { deepCopy } from '../../session/state/deepCopy.js';
import { canJoinCalls } from '../canJoinCalls.js';
import { stateRefusals } from './stateRefusals.js';

/** The value that each overlay copies, and its state when the overlay began. */
const begun = new WeakMap<object, { readonly base: object; readonly origin: object }>();

/** The methods that `copied` adds to an object. */
export interface Copied<T> {
  begin(): T;
  commit(overlay: T): void;
  conflicts(overlay: T): boolean;
  changed(overlay: T): boolean;
}

/** The methods work on `this`, so that a copy has them as well. */
const methods: Copied<object> & ThisType<object> = {
  begin() {
    const overlay = copyValue(this);
    begun.set(overlay, { base: this, origin: copyValue(this) });
    return overlay;
  },

  commit(overlay) {
    if (!isSame(overlay, getOrigin(this, overlay))) replace(this, copyValue(overlay));
    begun.delete(overlay);
    // Otherwise, writes of a handler that outlives its call would be lost silently.
    Object.freeze(overlay);
  },

  conflicts(overlay) {
    return !isSame(this, getOrigin(this, overlay));
  },

  changed(overlay) {
    return !isSame(overlay, getOrigin(this, overlay));
  },
};

/**
 * Makes a small object transactional. Each tool call works on a copy, and the properties of the copy replace those of
 * the object when the call succeeds. A call that uses it conflicts if any part has changed since. Beginning, checking
 * and committing copy or compare the whole object; use `TransactionalTable` for records by key.
 *
 * @param value data in properties at any depth: objects, arrays, dates, maps, sets and instances without `#private`
 * state
 * @returns the same object, with `begin`, `commit`, `conflicts` and `changed`, which are not enumerable
 * @throws ResourceError E916 for a value that cannot be copied, is frozen, or already supports rollback
 * @example
 * bind(Till, { value: copied(new Till()) });
 */
export function copied<T extends object>(value: T): T & Copied<T> {
  if (!isRecord(value) || !Object.isExtensible(value) || canJoinCalls(value)) throw stateRefusals.uncopied(value);
  copyValue(value);
  const properties = Object.entries(methods).map(
    ([name, method]) => [name, { value: method as unknown, configurable: true }] as const,
  );
  return Object.defineProperties(value, Object.fromEntries(properties)) as T & Copied<T>;
}

/** Returns true for an object with its data in its properties. */
function isRecord(value: unknown): boolean {
  return Object.prototype.toString.call(value) === '[object Object]';
}

function copyValue(value: object): object {
  const made = deepCopy(value);
  if (made === undefined) throw stateRefusals.uncopied(value);
  return made.copy as object;
}

function getOrigin(base: object, overlay: object): object {
  const known = begun.get(overlay);
  if (known?.base !== base) throw stateRefusals.foreignOverlay(base.constructor);
  return known.origin;
}

function isSame(one: object, other: object): boolean {
  return util().isDeepStrictEqual(one, other);
}

function replace(target: object, content: object): void {
  for (const key of Object.keys(target)) if (!Object.hasOwn(content, key)) Reflect.deleteProperty(target, key);
  for (const [key, property] of Object.entries(Object.getOwnPropertyDescriptors(content)))
    if (property.enumerable === true) Object.defineProperty(target, key, property);
}
