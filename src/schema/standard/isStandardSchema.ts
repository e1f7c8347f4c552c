import type { StandardSchema } from '../../interface/StandardSchema.js';

/** True for a schema of any library that follows Standard Schema, with or without a JSON Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is Pick<StandardSchema, '~standard'> {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  const standard = (value as { readonly '~standard'?: unknown })['~standard'];
  return (
    typeof standard === 'object' &&
    standard !== null &&
    (standard as { version?: unknown }).version === 1 &&
    typeof (standard as { validate?: unknown }).validate === 'function'
  );
}
