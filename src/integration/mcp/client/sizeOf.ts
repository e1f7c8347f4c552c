/** Deepest nesting of an answer; writing it as JSON is recursive. */
const MOST_DEPTH = 200;

/**
 * Estimates the bytes of an answer as JSON, and stops at a limit.
 *
 * @param most the limit at which counting stops
 * @returns undefined for an answer that is larger than `most`, or too deep
 */
export function sizeOf(answer: unknown, most: number): number | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: answer, depth: 0 }];
  let bytes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    bytes += typeof value === 'string' ? Buffer.byteLength(value) + 2 : 4;
    if (bytes > most || depth > MOST_DEPTH) return undefined;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (!Array.isArray(value)) bytes += key.length + 3;
      open.push({ value: inner, depth: depth + 1 });
    }
  }
  return bytes;
}
