import { isClass } from '../../common/classes.js';
import { isObject } from '../../common/guards.js';
import type { Constructor, JsonValue } from '../../common/types.js';
import { Serialiser, type DumpOptions } from './createSerialiser.js';

// A serialiser caches the metadata of classes; keyed weakly by class, it is collected with the class.
const serialisers = new WeakMap<Constructor, Serialiser>();

/**
 * Writes any value as plain JSON data, in the form that models receive: instances by their wire names without `@Exclude`d
 * properties; cycles, dates, maps and errors in defined forms (docs/contract.md, 5). Never throws.
 *
 * @returns undefined only for undefined
 * @example
 * JSON.stringify(dump(order, { excludeNone: true }));
 */
export function dump(value: unknown, { excludeNone }: Pick<DumpOptions, 'excludeNone'> = {}): JsonValue | undefined {
  return getSerialiser(value).toPlain(value, { excludeNone }) as JsonValue | undefined;
}

function getSerialiser(value: unknown): Serialiser {
  const type = getClass(value);
  if (type === undefined) return new Serialiser();
  const known = serialisers.get(type);
  if (known !== undefined) return known;
  const serialiser = new Serialiser();
  serialisers.set(type, serialiser);
  return serialiser;
}

/** Returns the class of an instance; undefined for plain data, and if the constructor cannot be read. */
function getClass(value: unknown): Constructor | undefined {
  if (!isObject(value)) return undefined;
  try {
    const { constructor: type } = value as { readonly constructor?: unknown };
    return isClass(type) && type !== Object && type !== Array ? type : undefined;
  } catch {
    return undefined;
  }
}
