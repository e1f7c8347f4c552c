import { MAX_NAMED_MEMBERS } from '../../common/limits.js';
import { getOrCreate } from '../../common/memoize.js';
import { joinBounded } from '../../common/text.js';
import type { TypeShape } from '../../metadata/ClassShape.js';

/** Sets for long lists that have been searched. */
const known = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();
/** Up to this length, searching a list is faster than a look-up. */
const SHORT = 16;

/**
 * Checks whether a declared list has a value. Called for each item of a list that a model sends, so the declared list must be
 * fast to search even if it is long.
 */
export function isAmong(values: readonly unknown[], value: unknown): boolean {
  if (values.length <= SHORT) return values.includes(value);
  let set = known.get(values);
  if (set === undefined) known.set(values, (set = new Set(values)));
  return set.has(value);
}

/** Checks a value of a type without parts; false for any other type, and for dates. */
export function isScalarOf(type: TypeShape, value: unknown): boolean {
  switch (type.kind) {
    case 'string':
    case 'boolean':
      return typeof value === type.kind;
    case 'number':
      return Number.isFinite(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'enum':
      return isAmong(type.values, value);
    default:
      return false;
  }
}

const texts = new WeakMap<readonly unknown[], string>();

/** The values of a declared list for a message. */
export function describeMembers(values: readonly unknown[]): string {
  return getOrCreate(texts, values, () => {
    // Only the members that are named are written: a list may have tens of thousands.
    const written = values.map((entry, index) => (index < MAX_NAMED_MEMBERS ? JSON.stringify(entry) : ''));
    return joinBounded(written, MAX_NAMED_MEMBERS);
  });
}
