import { describeValue } from '../../common/text.js';

/** What is wrong with a text that has to be there; code without types may give anything, or leave it out. */
export function emptyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? 'empty' : undefined;
  return value === undefined || value === null ? 'missing' : `${describeValue(value)}, not a text`;
}
