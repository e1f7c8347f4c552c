import { isDeepStrictEqual } from 'node:util';

/**
 * `expect(actual).toEqual(expected)` for loops that ask it many thousand times: making the matchers costs far more than
 * comparing. What is strictly equal is equal; anything else is judged, and reported, by `toEqual`. For plain data:
 * causes of errors and what is private to a class are not compared.
 */
export function expectEqual(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}
