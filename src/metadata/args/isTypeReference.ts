import type { TypeReference } from './TypeReference.js';

/**
 * True if a value has the form of a type reference. Missing inner types are accepted here: the reader of types reports them, and
 * explains circular files.
 */
export function isTypeReference(value: unknown): value is TypeReference {
  if (typeof value === 'function' || value === 'integer' || value === 'any') return true;
  if (Array.isArray(value)) return value.length === 1 && isInner(value[0]);
  if (typeof value !== 'object' || value === null) return false;
  const [[form, inner] = ['', undefined], ...others] = Object.entries(value) as [string, unknown][];
  if (others.length > 0) return false;
  if (form === 'array' || form === 'record') return isInner(inner);
  if (form === 'tuple' || form === 'oneOf') return Array.isArray(inner) && inner.every(isInner);
  return form === 'enum' && typeof inner === 'object' && inner !== null;
}

function isInner(value: unknown): boolean {
  return value === undefined || value === null || isTypeReference(value);
}
