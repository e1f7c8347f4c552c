import { isISO8601 } from 'class-validator';

/** The date of an ISO 8601 text, in UTC if it names no zone, or a copy of a valid date; undefined for anything else. */
export function dateOf(value: unknown): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : new Date(value);
  // Date.parse also accepts "foo 1", and turns 30 February into a day in March.
  if (typeof value !== 'string' || !isISO8601(value, { strict: true })) return undefined;
  // Without a zone, JavaScript would read a time in the zone of the host.
  const [, time = 'Z'] = value.split(/[T ]/i);
  const date = new Date(/[Z+-]/i.test(time) ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
