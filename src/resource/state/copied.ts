import { util } from '../../common/builtins.js';
import { deepCopy } from '../../session/state/deepCopy.js';
import { canJoinCalls } from '../canJoinCalls.js';
import { stateRefusals } from './stateRefusals.js';

/** The value that each overlay is a copy of, and what it was when the overlay began. */
const begun = new WeakMap<object, { readonly base: object; readonly origin: object }>();

/** What `copied` adds to an object. */
export interface Copied<T> {
  begin(): T;
  commit(overlay: T): void;
  conflicts(overlay: T): boolean;
  changed(overlay: T): boolean;
}

/** They work on `this`, so that a copy has them as well. */
const methods: Copied<object> & ThisType<object> = {
  begin() {
    const overlay = copyValue(this);
    begun.set(overlay, { base: this, origin: copyValue(this) });
    return overlay;
  },

  commit(overlay) {
    if (!isSame(overlay, getOrigin(this, overlay))) replace(this, copyValue(overlay));
    begun.delete(overlay);
    // A handler that outlives its call would write into the void.
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
 * Makes a small object transactional: each tool call works on a copy of it, and the properties of the copy replace its own when
 * the call succeeds. A call that uses it conflicts if any of it has changed since. Beginning, checking and committing cost a copy
 * or comparison of the whole; for records by key there is `TransactionalTable`.
 *
 * @param value data in properties, deep as it may be: objects, arrays, dates, maps, sets and instances without `#private` state
 * @returns the same object, with `begin`, `commit`, `conflicts` and `changed`, which are not enumerable
 * @throws ResourceError E916 for a value that cannot be copied, is frozen, or supports rollback already
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

/** True for an object whose data is in its properties. */
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
