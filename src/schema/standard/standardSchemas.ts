import { isRecord } from '../../common/guards.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';

/** Checks for a Standard Schema of any library, with or without a JSON Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const standard = (value as { readonly '~standard'?: unknown })['~standard'];
  return isRecord(standard) && standard['version'] === 1 && typeof standard['validate'] === 'function';
}

/**
 * Kept by identity, because any library may use our vendor name. Schemas of a second copy of this package are checked with a time
 * limit.
 */
const complete = new WeakSet();

/**
 * Marks a Standard Schema as fully described by its JSON Schema: it runs no foreign code, and matches patterns in linear time, so
 * the JSON Schema determines how long a check takes.
 */
export function markComplete<S extends object>(schema: S): S {
  complete.add(schema);
  return schema;
}

/** Checks whether `markComplete` has marked a Standard Schema. */
export function isComplete(schema: object): boolean {
  return complete.has(schema);
}
