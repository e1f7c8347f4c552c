import { isObject } from '../../common/guards.js';
import { defineProperty } from '../../common/walkValue.js';
import { hasPrivateState } from './stateValues.js';

// Read once: in a node:vm context, as in tests, each look-up of a global takes longer than the call.
const { getOwnPropertyDescriptor, getPrototypeOf, setPrototypeOf, prototype: plain } = Object;
const { isArray } = Array;
const { ownKeys } = Reflect;

class UncopiedError extends TypeError {}

/**
 * Copies a value: instances keep their classes, and the copy shares nothing that can be changed.
 *
 * @returns undefined if a part cannot be copied, such as an instance with `#private` state
 */
export function deepCopy(value: unknown): { readonly copy: unknown } | undefined {
  try {
    return { copy: copyNested(value, new Map()) };
  } catch (thrown) {
    if (thrown instanceof UncopiedError) return undefined;
    throw thrown;
  }
}

function copyNested(value: unknown, known: Map<object, object>): unknown {
  if (!isObject(value)) return value;
  const before = known.get(value);
  if (before !== undefined) return before;
  const copy = createEmptyCopy(value);
  known.set(value, copy);
  const isList = isArray(value);
  for (const key of ownKeys(value)) {
    const property = getOwnPropertyDescriptor(value, key);
    if (property === undefined || !('value' in property)) throw new UncopiedError();
    if (isList && key === 'length') continue;
    const inner = copyNested(property.value, known);
    property.value = inner;
    defineProperty(copy, key, property);
  }
  if (value instanceof Map && copy instanceof Map)
    for (const [key, entry] of value) copy.set(copyNested(key, known), copyNested(entry, known));
  if (value instanceof Set && copy instanceof Set) for (const entry of value) copy.add(copyNested(entry, known));
  return copy;
}

function createEmptyCopy(value: object): object {
  const prototype = getPrototypeOf(value) as object | null;
  if (isArray(value)) {
    const list = new Array<unknown>(value.length);
    if (!(prototype instanceof Array)) return list;
    if (hasPrivateState(value.constructor)) throw new UncopiedError();
    return setPrototypeOf(list, prototype) as object;
  }
  if (value instanceof Date && prototype === Date.prototype) return new Date(value);
  if (value instanceof Map && prototype === Map.prototype) return new Map();
  if (value instanceof Set && prototype === Set.prototype) return new Set();
  if (plain.toString.call(value) !== '[object Object]' || hasPrivateState(value.constructor)) throw new UncopiedError();
  return Object.create(prototype) as object;
}
