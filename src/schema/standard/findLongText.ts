import { MAX_MATCHED_CHARS } from '../../common/limits.js';
import type { JsonSchema } from '../../common/types.js';
import { findPart } from '../../common/walkValue.js';
import type { ParamIssue } from '../../error/toolErrors.js';
import { locateValue, type Place } from './locateValue.js';

/** Keywords that make the library match a pattern. */
const MATCHED = ['pattern', 'format', 'contentEncoding'];

/**
 * Finds the first text that is too long for the pattern or format in its schema, or the first key that is too long.
 *
 * @param value plain data of limited depth
 */
export function findLongText(schema: JsonSchema, value: unknown): ParamIssue | undefined {
  return findPart(value, (part, keys) => {
    const key = keys[keys.length - 1] ?? '';
    if (key.length > MAX_MATCHED_CHARS) return tooLong('in a key', key, locateValue(schema, value, keys));
    if (typeof part !== 'string' || part.length <= MAX_MATCHED_CHARS) return undefined;
    const place = locateValue(schema, value, keys);
    const isMatched = place.schemas.some((each) => MATCHED.some((keyword) => keyword in each));
    return isMatched ? tooLong('for its pattern or format', part, place) : undefined;
  });
}

function tooLong(place: string, { length }: string, { path }: Place): ParamIssue {
  const message = `expected at most ${String(MAX_MATCHED_CHARS)} characters ${place}, got ${String(length)}`;
  return { kind: 'constraint', path, message };
}
