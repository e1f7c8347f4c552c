import { findValueExcess } from 'toolwright/internal';

/** The deepest nesting of an answer, because writing it as JSON is recursive. */
export const MOST_DEPTH = 200;

/** The most values of an answer. Each value is checked, copied and written. */
export const MOST_VALUES = 20_000;

/**
 * Estimates the size of an answer as JSON, in bytes, up to a limit.
 *
 * @param most the limit at which counting stops
 * @param values the most values; 20,000 when left out
 * @returns undefined for an answer that is larger than `most`, has more values, or is too deep
 */
export function measureAnswer(answer: unknown, most: number, values = MOST_VALUES): number | undefined {
  if (findValueExcess(answer, { values, depth: MOST_DEPTH }) !== undefined) return undefined;
  const open: unknown[] = [answer];
  let bytes = 0;
  while (open.length > 0) {
    const value = open.pop();
    bytes += typeof value === 'string' ? Buffer.byteLength(value) + 2 : 4;
    if (bytes > most) return undefined;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += key.length + 3;
      open.push(inner);
    }
  }
  return bytes;
}
