import { isText } from '../../common/guards.js';
import { describeValue } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import type { StringFormat } from '../../metadata/args/ParamMetadataArgs.js';
import { classValidator } from '../read/libraries.js';
import { isAmong } from './isAmong.js';
import { isIsoDate } from './isIsoDate.js';
import { text, type Rule, type RuleRow } from './Rule.js';
import { textRules } from './textRules.js';

export function formatRule({ expected }: Rule, value: unknown): string {
  return `expected ${expected}, got ${describeValue(value)}`;
}

type Scalar = string | number | boolean | null;

const isNumber = (value: unknown): value is number => typeof value === 'number';
const isScalar = (value: unknown): value is Scalar =>
  value === null || ['string', 'number', 'boolean'].includes(typeof value);
const list = (values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join(', ');

/** Lists the values of an enum object, without the reverse mapping of numeric enums, or the items of an array. */
export function listEnumValues(reference: unknown): readonly Scalar[] {
  if (Array.isArray(reference)) return [...(reference as readonly Scalar[])];
  const entries = Object.entries(reference as Readonly<Record<string, string | number>>);
  return entries.filter(([key]) => !/^-?\d+$/.test(key)).map(([, value]) => value);
}

// As in JSON Schema; class-validator's isUUID also requires a known version and variant.
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Formats of strings, and the descriptions of their values. */
export const formats: Readonly<Record<StringFormat, string>> = {
  'date-time': 'an ISO 8601 date and time',
  date: 'a date as YYYY-MM-DD',
  email: 'an e-mail address',
  uri: 'a URL',
  uuid: 'a UUID',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
};

/** Creates the test of each format. class-validator is loaded, if it is needed, while a class is read and not in a call. */
const formatTests: Readonly<Record<StringFormat, () => (text: string) => boolean>> = {
  'date-time': () => (v) => isIsoDate(v) && v.length > 10,
  date: () => (v) => v.length === 10 && isIsoDate(v),
  uuid: () => (v) => UUID.test(v),
  email: () => classValidator.get().isEmail,
  uri: () => {
    const { isURL } = classValidator.get();
    return (v) => isURL(v, { require_tld: false, require_protocol: true });
  },
  ipv4: () => createIpTest(4),
  ipv6: () => createIpTest(6),
};

function createIpTest(version: 4 | 6): (text: string) => boolean {
  const { isIP } = classValidator.get();
  return (v) => isIP(v, version);
}

export function createFormatRule(format: StringFormat): Rule {
  const test = formatTests[format]();
  return { type: text, schema: { format }, expected: formats[format], test: (v) => isText(v) && test(v) };
}

function containsAll(items: readonly unknown[], values: readonly unknown[]): boolean {
  const sent = new Set(items);
  return values.every((value) => sent.has(value));
}

/** Creates the schema of a comparison with values; returns undefined unless all are JSON scalars. */
function createComparison(values: unknown, schema: (values: readonly Scalar[]) => JsonSchema): JsonSchema | undefined {
  return Array.isArray(values) && values.length > 0 && values.every(isScalar) ? schema(values) : undefined;
}

const comparisons: Readonly<Record<string, RuleRow>> = {
  equals: ([other]) => ({
    schema: createComparison([other], ([value]) => ({ const: value })),
    expected: `exactly ${list([other])}`,
  }),
  notEquals: ([other]) => ({
    schema: createComparison([other], ([value]) => ({ not: { const: value } })),
    expected: `anything but ${list([other])}`,
  }),
  isIn: ([values]) => ({
    schema:
      Array.isArray(values) && values.length === 0
        ? { enum: [] }
        : createComparison(values, (all) => ({ enum: [...all] })),
    expected: `one of ${list(values as readonly unknown[])}`,
    test: (v) => isAmong(values as readonly unknown[], v),
  }),
  isNotIn: ([values]) => ({
    schema: createComparison(values, (all) => ({ not: { enum: [...all] } })),
    expected: `none of ${list(values as readonly unknown[])}`,
    test: (v) => !isAmong(values as readonly unknown[], v),
  }),
  isEnum: ([reference]) => {
    const values = listEnumValues(reference);
    return { type: { kind: 'enum', values }, schema: { enum: [...values] }, expected: `one of ${list(values)}` };
  },
  isEmpty: () => ({ schema: { maxLength: 0 }, expected: 'an empty value' }),
  isNotEmpty: () => ({
    schema: { minLength: 1 },
    expected: 'a value that is not empty',
    test: (v) => v !== '' && v !== null && v !== undefined,
  }),
  isDefined: () => ({ expected: 'a value' }),
};

const numbers: Readonly<Record<string, RuleRow>> = {
  isNumber: ([options]) => {
    const { maxDecimalPlaces: places } = (options ?? {}) as { readonly maxDecimalPlaces?: number };
    return {
      type: { kind: places === 0 ? 'integer' : 'number' },
      // Binary fractions are rarely exact multiples of 0.01.
      unsaid: places === undefined || places === 0 ? undefined : 'decimal places',
      expected: places === undefined ? 'a number' : `a number with at most ${String(places)} decimal places`,
    };
  },
  isInt: () => ({
    type: { kind: 'integer' },
    schema: { multipleOf: 1 },
    expected: 'a whole number',
    test: Number.isInteger,
  }),
  min: ([least]) => ({
    schema: { minimum: least },
    expected: `at least ${String(least)}`,
    test: (v) => isNumber(v) && v >= Number(least),
  }),
  max: ([most]) => ({
    schema: { maximum: most },
    expected: `at most ${String(most)}`,
    test: (v) => isNumber(v) && v <= Number(most),
  }),
  isPositive: () => ({
    schema: { exclusiveMinimum: 0 },
    expected: 'a positive number',
    test: (v) => isNumber(v) && v > 0,
  }),
  isNegative: () => ({
    schema: { exclusiveMaximum: 0 },
    expected: 'a negative number',
    test: (v) => isNumber(v) && v < 0,
  }),
  isDivisibleBy: ([given]) => {
    // class-validator parses the divisor as a whole number.
    const divisor = Math.abs(parseInt(String(given), 10));
    return { schema: divisor > 0 ? { multipleOf: divisor } : undefined, expected: `a multiple of ${String(divisor)}` };
  },
  isLatitude: () => ({
    schema: { minimum: -90, maximum: 90, pattern: '^\\(?[+-]?[0-9]{1,2}(?:\\.[0-9]+)?(?:,|$)' },
    unsaid: 'as a text: its bounds',
    expected: 'a latitude from -90 to 90',
  }),
  isLongitude: () => ({
    schema: { minimum: -180, maximum: 180, pattern: '^\\s?[+-]?[0-9]{1,3}(?:\\.[0-9]+)?\\)?(?:,|$)' },
    unsaid: 'as a text: its bounds',
    expected: 'a longitude from -180 to 180',
  }),
};

const lists: Readonly<Record<string, RuleRow>> = {
  isArray: () => ({ expected: 'an array', test: Array.isArray }),
  arrayMinSize: ([least]) => ({
    schema: { minItems: least },
    expected: `at least ${String(least)} items`,
    test: (v) => Array.isArray(v) && v.length >= Number(least),
  }),
  arrayMaxSize: ([most]) => ({
    schema: { maxItems: most },
    expected: `at most ${String(most)} items`,
    test: (v) => Array.isArray(v) && v.length <= Number(most),
  }),
  arrayNotEmpty: () => ({
    schema: { minItems: 1 },
    expected: 'at least 1 item',
    test: (v) => Array.isArray(v) && v.length > 0,
  }),
  arrayUnique: ([identifier]) => ({
    schema: identifier === undefined ? { uniqueItems: true } : undefined,
    unsaid: identifier === undefined ? undefined : 'when items are equal: the rule is code',
    expected: 'no item twice',
  }),
  arrayContains: ([values]) => ({
    schema: createComparison(values, (all) => ({ allOf: all.map((value) => ({ contains: { const: value } })) })),
    expected: `a list that contains ${list(values as readonly unknown[])}`,
    test: (v) => Array.isArray(v) && containsAll(v, values as readonly unknown[]),
  }),
  arrayNotContains: ([values]) => ({
    schema: createComparison(values, (all) => ({ not: { contains: { enum: [...all] } } })),
    expected: `a list without ${list(values as readonly unknown[])}`,
    test: (v) => Array.isArray(v) && !v.some((item) => isAmong(values as readonly unknown[], item)),
  }),
};

const NO_ORDER = 'JSON Schema cannot compare dates';

const others: Readonly<Record<string, RuleRow>> = {
  isBoolean: () => ({ type: { kind: 'boolean' }, expected: 'true or false', test: (v) => typeof v === 'boolean' }),
  isDate: () => ({ type: { kind: 'date' }, expected: 'a date' }),
  minDate: ([least]) => ({
    unsaid: NO_ORDER,
    expected: least instanceof Date ? `a date not before ${JSON.stringify(least)}` : 'a later date',
  }),
  maxDate: ([most]) => ({
    unsaid: NO_ORDER,
    expected: most instanceof Date ? `a date not after ${JSON.stringify(most)}` : 'an earlier date',
  }),
  isObject: () => ({ expected: 'an object' }),
  isNotEmptyObject: () => ({ schema: { minProperties: 1 }, expected: 'an object that is not empty' }),
  isInstance: () => ({ unsaid: 'JSON has no classes', expected: 'an instance of its class' }),
};

/** Rules by class-validator's names; our own (`@Param` options) use the same rows. */
export const rules: ReadonlyMap<string, RuleRow> = new Map(
  Object.entries({ ...comparisons, ...numbers, ...lists, ...others, ...textRules }),
);
