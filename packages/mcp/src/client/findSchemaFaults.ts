import type { JsonSchema } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import { isOfFormat } from './isOfFormat.js';

/** True for a text that a pattern matches. */
export type PatternTest = (pattern: string, text: string) => boolean;

/** What keywords for numbers find; false for those that a value fits. */
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

/** What keywords for texts find; false for those that a value fits. */
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

/** Counts characters, of which some are two units of UTF-16. */
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
