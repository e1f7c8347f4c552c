import type { JsonSchema } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import { isOfFormat } from './isOfFormat.js';

/** Checks whether a pattern matches a text. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** Lists the faults that number keywords find in a value; false for a keyword that it satisfies. */
export function findNumberFaults(schema: JsonSchema, value: number): readonly (string | false)[] {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema;
  return [
    typeof minimum === 'number' && value < minimum && `must be >= ${String(minimum)}`,
    typeof maximum === 'number' && value > maximum && `must be <= ${String(maximum)}`,
    typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum && `must be > ${String(exclusiveMinimum)}`,
    typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum && `must be < ${String(exclusiveMaximum)}`,
    typeof multipleOf === 'number' && !isMultiple(value, multipleOf) && `must be multiple of ${String(multipleOf)}`,
  ];
}

/** Lists the faults that text keywords find in a value; false for a keyword that it satisfies. */
export function findTextFaults(schema: JsonSchema, value: string, matches: PatternTest): readonly (string | false)[] {
  const { minLength, maxLength, pattern, format } = schema;
  const length = minLength === undefined && maxLength === undefined ? 0 : lengthOf(value);
  return [
    typeof minLength === 'number' && length < minLength && `must NOT have fewer than ${String(minLength)} characters`,
    typeof maxLength === 'number' && length > maxLength && `must NOT have more than ${String(maxLength)} characters`,
    typeof format === 'string' && !isOfFormat(format, value) && `must match format "${format}"`,
    typeof pattern === 'string' && !matches(pattern, value) && `must match pattern "${pattern}"`,
  ];
}

/** Counts characters. Some characters are two UTF-16 units. */
function lengthOf(text: string): number {
  let length = 0;
  for (let index = 0; index < text.length; index++) {
    const isFirstOfTwo =
      (text.charCodeAt(index) & 0xfc00) === 0xd800 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00;
    if (isFirstOfTwo) index++;
    length++;
  }
  return length;
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : [];
}

export function isOfType(type: string, value: unknown): boolean {
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type && (type !== 'number' || Number.isFinite(value));
}

function isMultiple(value: number, of: number): boolean {
  const quotient = value / of;
  return Math.abs(quotient - Math.round(quotient)) <= 1e-9 * Math.max(1, Math.abs(quotient));
}
