import { isISO8601 } from 'class-validator';

/** The date that an ISO 8601 text stands for, or a copy of a valid date; undefined for anything else. */
export function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : new Date(value);
  // Date.parse also takes "foo 1", and moves 30 February on to March.
  if (typeof value !== 'string' || !isISO8601(value, { strict: true })) return undefined;
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
