import { isObject } from '../../common/guards.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';

/** True for a schema of any library that follows Standard Schema, with or without a JSON Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is Pick<StandardSchema, '~standard'> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const standard = (value as { readonly '~standard'?: unknown })['~standard'];
  return (
    isObject(standard) &&
    (standard as { version?: unknown }).version === 1 &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  );
}

/** Kept by identity: another library may use any vendor name. A schema of a second build of this package is only checked with a limit. */
const complete = new WeakSet();

/**
 * Marks a Standard Schema whose JSON Schema says everything that it checks: it runs no code of others, and its patterns are matched in
 * linear time. How long a check takes then follows from that schema.
 */
export function markComplete<S extends object>(schema: S): S {
  complete.add(schema);
  return schema;
}

/** True for a Standard Schema that `markComplete` has marked. */
export function isComplete(schema: object): boolean {
  return complete.has(schema);
}
