import { walkValue } from 'toolwright/internal';
import { MAX_ANSWER_LEVELS, MAX_ANSWER_VALUES } from '../limits.js';

/**
 * Estimates the size of an answer as JSON, in bytes, up to a limit.
 *
 * @param most the limit at which counting stops
 * @param values the most values; 20,000 when left out
 * @returns undefined for an answer that is larger than `most`, has more values, or is too deep
 */
export function measureAnswer(answer: unknown, most: number, values = MAX_ANSWER_VALUES): number | undefined {
  let bytes = 0;
  const end = walkValue(answer, { values, depth: MAX_ANSWER_LEVELS }, (value, key) => {
    bytes += typeof value === 'string' ? Buffer.byteLength(value) + 2 : 4;
    if (key !== undefined) bytes += key.length + 3;
    return bytes > most;
  });
  return end === undefined ? bytes : undefined;
}
