import { createHash } from 'node:crypto';

/** Writes JSON with sorted keys and without white space, so that equal values have equal bytes. */
export function canonicalJson(value: unknown): string {
  if (typeof value === 'number') return canonicalNumber(value);
  // As JSON.stringify writes it in a list.
  if (value === undefined) return 'null';
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .filter(([, field]) => field !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${canonicalJson(field)}`).join(',')}}`;
}

/** Returns the hash of a record. */
export function hashOf(value: unknown): string {
  return createHash('sha256').update(canonicalJson(value)).digest('hex');
}

/** Returns the hash of a tool's result: a string that is not itself JSON counts as it is. */
export function hashOfResult(value: unknown): string {
  if (typeof value !== 'string') return hashOf(value);
  try {
    return hashOf(JSON.parse(value) as unknown);
  } catch {
    return createHash('sha256').update(value).digest('hex');
  }
}

// JSON.stringify writes whole numbers from 1e21 on with an exponent.
function canonicalNumber(value: number): string {
  return Number.isInteger(value) ? BigInt(value).toString() : JSON.stringify(value);
}
