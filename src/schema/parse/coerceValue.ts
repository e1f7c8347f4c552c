import type { TypeShape } from '../../metadata/ClassShape.js';
import { isIsoDate } from '../rules/isIsoDate.js';

/** Converts the value to the wanted type if the conversion is lossless; otherwise returns the value unchanged. */
export function coerceValue(type: TypeShape, value: unknown): unknown {
  switch (type.kind) {
    case 'number':
    case 'integer':
      return coerceToNumber(value);
    case 'boolean':
      return coerceToBoolean(value);
    case 'string':
      return coerceToText(value);
    case 'enum': {
      const readings = [value, coerceToNumber(value), coerceToBoolean(value), coerceToText(value)];
      return readings.find((reading) => (type.values as readonly unknown[]).includes(reading)) ?? value;
    }
    case 'array':
      return typeof value === 'object' || value === undefined ? value : [value];
    default:
      return value;
  }
}

function coerceToBoolean(value: unknown): unknown {
  return value === 'true' ? true : value === 'false' ? false : value;
}

function coerceToText(value: unknown): unknown {
  // A larger integer may already have lost digits.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
}

/** Reads a text as a number, unless a double cannot hold it. */
function coerceToNumber(value: unknown): unknown {
  return typeof value === 'string' ? (parseExactNumber(value.trim()) ?? value) : value;
}

const NUMERIC = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,5}))?$/;

/** Reads a text that is a JSON number, if a double holds exactly the written value; returns undefined otherwise. */
export function parseExactNumber(text: string): number | undefined {
  const value = Number(text);
  const written = normaliseNumber(text);
  return written !== undefined && Number.isFinite(value) && written === normaliseNumber(String(value))
    ? value
    : undefined;
}

/** Writes sign, digits and exponent in one form for all spellings of a number; returns undefined unless the text is a JSON number. */
function normaliseNumber(text: string): string | undefined {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMERIC.exec(text) ?? [];
  if (whole === '') return undefined;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const power = Number(exponent) - fraction.length + digits.length - significant.length;
  return `${sign}${significant}e${String(power)}`;
}

/** Reads an ISO 8601 text as a date, in UTC if it has no zone, or copies a valid date; returns undefined for anything else. */
export function parseDate(value: unknown): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : new Date(value);
  // Date.parse also accepts "foo 1", and turns 30 February into a day in March.
  if (typeof value !== 'string' || !isIsoDate(value)) return undefined;
  // Without a zone, JavaScript would use the time zone of the host.
  const [, time = 'Z'] = value.split(/[T ]/i);
  const date = new Date(/[Z+-]/i.test(time) ? value : `${value}Z`);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
