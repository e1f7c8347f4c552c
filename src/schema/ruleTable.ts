import { isEmail, isISO8601, isIP, isURL, maxLength, minLength } from 'class-validator';
import { describeValue } from '../common/text.js';
import type { JsonSchema } from '../common/types.js';
import type { StringFormat } from '../metadata/args/ParamMetadataArgs.js';
import type { TypeShape } from '../metadata/ClassShape.js';

/** What is known of a rule: the type it implies, what it says in JSON Schema, how it reads, and a direct test. */
export interface Rule {
  readonly type?: TypeShape;
  readonly schema?: JsonSchema;
  readonly expected: string;
  /** The regular expression behind the rule, if there is one. */
  readonly pattern?: RegExp;
  /** Left out where class-validator's own check is used. */
  readonly test?: (value: unknown) => boolean;
}

/** Makes the rule from the decorator's arguments. */
export type RuleRow = (constraints: readonly unknown[]) => Rule;

/** What is wrong with a value that a rule refuses, as a sentence. */
export function ruleText({ expected }: Rule, value: unknown): string {
  return `expected ${expected}, got ${describeValue(value)}`;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isNumber = (value: unknown): value is number => typeof value === 'number';
const list = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');
const string: TypeShape = { kind: 'string' };

/** The numeric or string values of an enum object; the reverse mapping of numeric enums left out. */
export function enumValues(reference: unknown): readonly (string | number | boolean | null)[] {
  if (Array.isArray(reference)) return [...(reference as readonly (string | number | boolean | null)[])];
  const entries = Object.entries(reference as Readonly<Record<string, string | number>>);
  return entries.filter(([key]) => !/^-?\d+$/.test(key)).map(([, value]) => value);
}

/** Tells whether a text holds a match; `test` keeps state for /g and /y, and is faster otherwise. */
function matcher(pattern: RegExp): (value: unknown) => boolean {
  return pattern.global || pattern.sticky
    ? (value) => isText(value) && value.search(pattern) !== -1
    : (value) => isText(value) && pattern.test(value);
}

/**
 * As class-validator counts: surrogate pairs once, variation selectors not at all. At most three units make one character,
 * and in a text of plain units each is one, so most texts need no counting.
 */
function hasAtLeast(value: unknown, least: number): boolean {
  if (!isText(value) || value.length < least) return false;
  return value.length >= least * 3 || !/[\ud800-\udfff\ufe0e\ufe0f]/.test(value) || minLength(value, least);
}

// As JSON Schema has it; class-validator's isUUID also wants a known version and variant.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Formats of strings, with class-validator's checks behind them. */
export const formats: Readonly<Record<StringFormat, Rule>> = {
  'date-time': {
    type: string,
    schema: { format: 'date-time' },
    expected: 'an ISO 8601 date and time',
    test: (v) => isText(v) && isISO8601(v, { strict: true }) && v.length > 10,
  },
  date: {
    type: string,
    schema: { format: 'date' },
    expected: 'a date as YYYY-MM-DD',
    test: (v) => isText(v) && v.length === 10 && isISO8601(v, { strict: true }),
  },
  email: { type: string, schema: { format: 'email' }, expected: 'an e-mail address', test: (v) => isEmail(v) },
  uri: {
    type: string,
    schema: { format: 'uri' },
    expected: 'a URL',
    test: (v) => isURL(v as string, { require_tld: false, require_protocol: true }),
  },
  uuid: { type: string, schema: { format: 'uuid' }, expected: 'a UUID', test: (v) => isText(v) && UUID.test(v) },
  ipv4: { type: string, schema: { format: 'ipv4' }, expected: 'an IPv4 address', test: (v) => isIP(v, 4) },
  ipv6: { type: string, schema: { format: 'ipv6' }, expected: 'an IPv6 address', test: (v) => isIP(v, 6) },
};

/** Rules by class-validator's name for them; ours (`@Param` options) use the same rows. */
export const rules = new Map<string, RuleRow>([
  ['isString', () => ({ type: string, expected: 'a string', test: isText })],
  ['isNumber', () => ({ type: { kind: 'number' }, expected: 'a number' })],
  ['isInt', () => ({ type: { kind: 'integer' }, expected: 'a whole number', test: Number.isInteger })],
  ['isBoolean', () => ({ type: { kind: 'boolean' }, expected: 'true or false', test: (v) => typeof v === 'boolean' })],
  ['isDate', () => ({ type: { kind: 'date' }, expected: 'a date' })],
  ['isArray', () => ({ expected: 'an array', test: Array.isArray })],
  ['isObject', () => ({ expected: 'an object' })],
  [
    'isIn',
    ([values]) => ({
      schema: { enum: [...(values as readonly unknown[])] },
      expected: `one of ${list(values as readonly unknown[])}`,
      test: (v) => (values as readonly unknown[]).includes(v),
    }),
  ],
  [
    'isEnum',
    ([reference]) => {
      const values = enumValues(reference);
      return { type: { kind: 'enum', values }, expected: `one of ${list(values)}` };
    },
  ],
  [
    'min',
    ([least]) => ({
      schema: { minimum: least },
      expected: `at least ${String(least)}`,
      test: (v) => isNumber(v) && v >= Number(least),
    }),
  ],
  [
    'max',
    ([most]) => ({
      schema: { maximum: most },
      expected: `at most ${String(most)}`,
      test: (v) => isNumber(v) && v <= Number(most),
    }),
  ],
  [
    'isPositive',
    () => ({ schema: { exclusiveMinimum: 0 }, expected: 'a positive number', test: (v) => isNumber(v) && v > 0 }),
  ],
  [
    'isNegative',
    () => ({ schema: { exclusiveMaximum: 0 }, expected: 'a negative number', test: (v) => isNumber(v) && v < 0 }),
  ],
  [
    'minLength',
    ([least]) => ({
      type: string,
      schema: { minLength: least },
      expected: `at least ${String(least)} characters`,
      test: (v) => hasAtLeast(v, Number(least)),
    }),
  ],
  [
    'maxLength',
    ([most]) => ({
      type: string,
      schema: { maxLength: most },
      expected: `at most ${String(most)} characters`,
      test: (v) => isText(v) && (v.length <= Number(most) || maxLength(v, Number(most))),
    }),
  ],
  [
    'isLength',
    ([least, most]) => ({
      type: string,
      schema: { minLength: least, ...(most === undefined ? {} : { maxLength: most }) },
      expected: `${String(least)} to ${typeof most === 'number' ? String(most) : 'any number of'} characters`,
    }),
  ],
  [
    'isNotEmpty',
    () => ({
      schema: { minLength: 1 },
      expected: 'a value that is not empty',
      test: (v) => v !== '' && v !== null && v !== undefined,
    }),
  ],
  [
    'matches',
    ([pattern, modifiers]) => {
      const regex = pattern instanceof RegExp ? pattern : new RegExp(String(pattern), modifiers as string | undefined);
      return {
        type: string,
        pattern: regex,
        // JSON Schema knows no flags; a pattern that means less without them would refuse what is right.
        ...(/[ims]/.test(regex.flags) ? {} : { schema: { pattern: regex.source } }),
        expected: `text that matches ${String(regex)}`,
        test: matcher(regex),
      };
    },
  ],
  ['isEmail', () => ({ type: string, schema: { format: 'email' }, expected: 'an e-mail address' })],
  ['isUrl', () => ({ type: string, schema: { format: 'uri' }, expected: 'a URL' })],
  ['isUuid', () => ({ type: string, schema: { format: 'uuid' }, expected: 'a UUID' })],
  ['isIso8601', () => ({ type: string, expected: 'an ISO 8601 date' })],
  ['isDateString', () => ({ type: string, expected: 'an ISO 8601 date' })],
  [
    'arrayMinSize',
    ([least]) => ({
      schema: { minItems: least },
      expected: `at least ${String(least)} items`,
      test: (v) => Array.isArray(v) && v.length >= Number(least),
    }),
  ],
  [
    'arrayMaxSize',
    ([most]) => ({
      schema: { maxItems: most },
      expected: `at most ${String(most)} items`,
      test: (v) => Array.isArray(v) && v.length <= Number(most),
    }),
  ],
  [
    'arrayNotEmpty',
    () => ({ schema: { minItems: 1 }, expected: 'at least 1 item', test: (v) => Array.isArray(v) && v.length > 0 }),
  ],
]);
