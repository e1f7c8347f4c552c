import type { JsonSchema } from '../../common/types.js';
import type { StringFormat } from '../../metadata/args/ParamMetadataArgs.js';
import { formats } from '../rules/ruleTable.js';

/** Phrases the value of a keyword; returns undefined if there is nothing to say. */
type Phrase = (value: unknown, keywords: JsonSchema) => string | undefined;

/** Creates the phrase for a bound, combined with its opposite (`other`); `one` and `many` name the counted things. */
const range =
  (other: string, end: 'least' | 'most', one = '', many = `${one}s`): Phrase =>
  (value, keywords) => {
    const counted = (count: unknown): string => (one === '' ? '' : ` ${count === 1 ? one : many}`);
    const opposite = other in keywords ? Number(keywords[other]) : undefined;
    if (opposite === undefined) return `at ${end} ${String(value)}${counted(value)}`;
    if (end === 'most') return undefined;
    if (opposite === value) return `exactly ${String(value)}${counted(value)}`;
    return `${String(value)} to ${String(opposite)}${counted(opposite)}`;
  };

/** Rules in plain English, in output order. A model overlooks raw JSON, or copies it into its arguments. */
const phrases: Readonly<Record<string, Phrase>> = {
  $ref: (ref) => `as defined by ${String(ref)}`,
  format: (format) => describeFormat(String(format)),
  enum: (values) => `one of ${(values as readonly unknown[]).map(quoteJson).join(', ')}`,
  const: (value) => `exactly ${quoteJson(value)}`,
  pattern: (pattern) => `matching the regular expression ${String(pattern)}`,
  minLength: range('maxLength', 'least', 'character'),
  maxLength: range('minLength', 'most', 'character'),
  minimum: range('maximum', 'least'),
  maximum: range('minimum', 'most'),
  exclusiveMinimum: (least) => `more than ${String(least)}`,
  exclusiveMaximum: (most) => `less than ${String(most)}`,
  multipleOf: (step) => `a multiple of ${String(step)}`,
  minItems: range('maxItems', 'least', 'item'),
  maxItems: range('minItems', 'most', 'item'),
  prefixItems: (items) => {
    const types = (items as readonly unknown[]).map(describeType);
    return types.length === 0 ? undefined : `in this order: ${types.join(', ')}`;
  },
  uniqueItems: (value) => (value === true ? 'no item twice' : undefined),
  minProperties: range('maxProperties', 'least', 'property', 'properties'),
  maxProperties: range('minProperties', 'most', 'property', 'properties'),
  propertyNames: (names) => `names of properties ${describeRules(names as JsonSchema).join(', ')}`,
  dependentRequired: (others) =>
    Object.entries(others as Readonly<Record<string, readonly string[]>>)
      .map(([name, needed]) => `${name} only together with ${needed.join(' and ')}`)
      .join(', ') || undefined,
  contentEncoding: (encoding) => `encoded as ${String(encoding)}`,
  required: () => 'required',
  allOf: (parts) => (parts as readonly JsonSchema[]).flatMap(describeRules).join(', ') || undefined,
  // Examples are not checked, and a server may send any value.
  examples: (values) => (Array.isArray(values) ? `for example ${values.map(quoteIfNeeded).join(' or ')}` : undefined),
  default: (value) => `default: ${quoteIfNeeded(value)}`,
};

const order = new Map(Object.keys(phrases).map((keyword, index) => [keyword, index]));

/** Adds phrases to a description: "Name (2 to 4 characters, default: Ann)". Returns undefined if both are empty. */
export function describeSchema(description: unknown, texts: readonly string[]): string | undefined {
  const rules = texts.join(', ');
  const before = typeof description === 'string' ? description.trim() : '';
  if (rules === '') return before === '' ? undefined : before;
  if (before !== '' && !/[.!?]$/.test(before)) return `${before} (${rules})`;
  const sentence = rules.charAt(0).toUpperCase() + rules.slice(1);
  return before === '' ? sentence : `${before} ${sentence}.`;
}

/** Adds keywords that the dialect cannot express to the description of a schema. */
export function addDescription(schema: JsonSchema, keywords: JsonSchema): JsonSchema {
  if (Object.keys(keywords).length === 0) return schema;
  const description = describeSchema(schema['description'], describeRules(keywords));
  if (description === undefined || description === schema['description']) return schema;
  return '$ref' in schema ? { anyOf: [schema], description } : { ...schema, description };
}

/** Describes the keywords of a schema as phrases, in the order of `phrases`. */
export function describeRules(keywords: JsonSchema): readonly string[] {
  const known = Object.keys(keywords).filter((keyword) => order.has(keyword));
  known.sort((one, other) => (order.get(one) ?? 0) - (order.get(other) ?? 0));
  const others = Object.keys(keywords).filter((keyword) => !order.has(keyword));
  return [
    ...known.flatMap((keyword) => phrases[keyword]?.(keywords[keyword], keywords) ?? []),
    // A keyword without a phrase is rare enough to be shown as JSON.
    ...others.map((keyword) => `${keyword}: ${JSON.stringify(keywords[keyword])}`),
  ];
}

// Maps, because a foreign schema may name a format like a property of Object.prototype.
const formatTexts = new Map([
  ['time', 'a time as HH:MM:SS with its offset'],
  ['duration', 'an ISO 8601 duration'],
  ['hostname', 'a host name'],
  ['regex', 'a regular expression'],
]);

function describeFormat(format: string): string {
  const known = Object.hasOwn(formats, format) ? formats[format as StringFormat] : formatTexts.get(format);
  return known ?? `in the format ${format}`;
}

const typeTexts = new Map([
  ['string', 'a string'],
  ['number', 'a number'],
  ['integer', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['null', 'null'],
]);

function describeType(schema: unknown): string {
  const { type, format, enum: values, const: only, anyOf, $ref } = Object(schema) as JsonSchema;
  if (Array.isArray(values)) return `one of ${values.map(quoteJson).join(', ')}`;
  if (only !== undefined) return quoteJson(only);
  if (typeof $ref === 'string') return `an object (${$ref.split('/').at(-1) ?? ''})`;
  if (Array.isArray(anyOf)) return anyOf.map(describeType).join(' or ');
  if (typeof format === 'string') return describeFormat(format);
  const types = (Array.isArray(type) ? type : [type]) as readonly unknown[];
  return types.map((name) => typeTexts.get(String(name)) ?? 'any value').join(' or ');
}

function quoteJson(value: unknown): string {
  return JSON.stringify(value);
}

/** Quotes a string only if it could be mistaken for something else. */
function quoteIfNeeded(value: unknown): string {
  return typeof value === 'string' && /^[^\W\d][\w-]*( [\w-]+)*$/.test(value) && !/^(true|false|null)$/.test(value)
    ? value
    : quoteJson(value);
}
