import { createHash } from 'node:crypto';
import { isRecord } from 'toolwright/internal/light';

/** An answer of a client, with the digest of its question. */
export interface KeptAnswer {
  readonly question: string;
  readonly answer: unknown;
}

/** Hashes a value, whatever the order of its keys. */
export function digest(value: unknown): string {
  return createHash('sha256')
    .update(JSON.stringify(sortKeys(value)))
    .digest('base64url');
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  // JSON is read with Infinity for `1e999`, but writes null for it, and 0 for -0.
  if (Object.is(value, -0)) return { number: '-0' };
  if (typeof value === 'number' && !Number.isFinite(value)) return { number: String(value) };
  if (!isRecord(value)) return value;
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, sortKeys(value[key])]);
  // Wrapped, so that no array has the same form.
  return { entries };
}
