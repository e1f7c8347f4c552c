import { isRecord } from '../../common/guards.js';
import { describeValue, keyText } from '../../common/text.js';
import { SessionError } from '../../error/infrastructureErrors.js';

/**
 * Returns the tags of a session as a frozen copy.
 *
 * @throws SessionError E804
 */
export function readTags(tags: unknown): Readonly<Record<string, string>> {
  if (tags === undefined) return Object.freeze({});
  if (!isRecord(tags)) throw createTagsError('tags', 'a record of strings', tags);
  for (const [tag, value] of Object.entries(tags)) {
    if (typeof value !== 'string') throw createTagsError(`tags.${keyText(tag)}`, 'a string', value);
  }
  return Object.freeze(Object.fromEntries(Object.entries(tags as Readonly<Record<string, string>>)));
}

function createTagsError(place: string, expected: string, value: unknown): SessionError {
  return new SessionError(`expected ${expected}, got ${describeValue(value)}`, { code: 'E804', place });
}
