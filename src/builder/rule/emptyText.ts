import { describeValue } from '../../common/text.js';

/** The fault of a required text; code without types may pass anything, or leave it out. */
export function emptyText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? 'empty' : undefined;
  return value === undefined || value === null ? 'missing' : `${describeValue(value)}, not a text`;
}
