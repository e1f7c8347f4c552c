import { jsonSchema } from '@toolwright/json-schema';
import { toRemoteParams } from '../../src/client/readRemoteSchema';
import { point, times, type HostileValue, type Json } from '../../../../spec/support/attacks/hostileValue';

const named = <T>(count: number, make: (index: number) => T): Record<string, T> =>
  Object.fromEntries(times(count, (n) => [`n${String(n)}`, make(n)]));
const object = (properties: Json, more: Json = {}): Json => ({ type: 'object', properties, ...more });
const listOf = (items: Json, more: Json = {}): Json => object({ a: { type: 'array', items, ...more } });

/** A choice of two choices, so many levels deep. */
const choices = (levels: number): Json =>
  levels === 0 ? { type: 'number' } : { anyOf: [choices(levels - 1), choices(levels - 1)] };
/** The same by references: each definition refers to the next one twice. */
const doubling = (levels: number, twice: (next: Json) => Json): Json => ({
  ...named(levels, (n) => twice({ $ref: `#/$defs/n${String(n + 1)}` })),
  [`n${String(levels)}`]: { type: 'number' },
});
const nested = (levels: number, innermost: unknown): unknown =>
  levels === 0 ? innermost : { a: nested(levels - 1, innermost) };
const lists = (levels: number, innermost: unknown): unknown =>
  levels === 0 ? innermost : [lists(levels - 1, innermost)];

const own = (schema: Json, value: Json): HostileValue => ({ params: () => jsonSchema(schema), value });
const endless = (schema: Json, value: Json): HostileValue => ({ ...own(schema, value), isEndless: true });
const bridged = (schema: Json, value: Json): HostileValue => ({
  params: () => {
    const params = toRemoteParams(schema);
    if ('problem' in params) throw new TypeError(params.problem);
    return params;
  },
  value,
});

const MEGABYTE = 'ab'.repeat(500_000);

/** Values by the JSON Schema that takes long for them. */
export const hostileJsonSchemas: Readonly<Record<string, HostileValue>> = {
  'enum of 3,000 objects, 3,000 items': own(listOf({ enum: times(3_000, point) }), { a: times(3_000, point) }),
  'enum of 3,000 objects, 3,000 items that are none of them': own(listOf({ enum: times(3_000, point) }), {
    a: times(3_000, (n) => point(-n - 1)),
  }),
  'const of 2,900 values, 4 items': own(listOf({ const: times(2_900, (n) => n) }), {
    a: times(4, () => times(2_900, (n) => n)),
  }),
  'uniqueItems, 3,900 objects': own(listOf({}, { uniqueItems: true }), { a: times(3_900, point) }),
  'uniqueItems, one text of a megabyte and its twin': own(listOf({}, { uniqueItems: true }), {
    a: [MEGABYTE.slice(0, 500_000), MEGABYTE.slice(0, 500_000)],
  }),
  'uniqueItems in each of 50 levels': own(
    object(
      { a: { $ref: '#/$defs/l' } },
      { $defs: { l: { type: 'array', uniqueItems: true, items: { $ref: '#/$defs/l' } } } },
    ),
    {
      a: lists(
        50,
        times(11_000, () => []),
      ),
    },
  ),
  'anyOf in anyOf, 10 levels, one value': own(object({ a: choices(10) }), { a: 'x' }),
  'anyOf in anyOf by references, 10 levels, 1,000 values': endless(
    { ...listOf({ $ref: '#/$defs/n0' }), $defs: doubling(10, (next) => ({ anyOf: [next, next] })) },
    { a: times(1_000, () => 'x') },
  ),
  'oneOf in oneOf by references, 20 levels, one value': endless(
    object({ a: { $ref: '#/$defs/n0' } }, { $defs: doubling(20, (next) => ({ oneOf: [next, next] })) }),
    { a: 'x' },
  ),
  'oneOf of 300 objects, 300 items': own(listOf({ oneOf: times(300, (n) => object({ id: { const: n } })) }), {
    a: times(300, point),
  }),
  'allOf, 60 levels, 10,000 items': own(
    listOf(times(60, () => 0).reduce<Json>((inner) => ({ allOf: [inner], minimum: 0 }), { type: 'number' })),
    { a: times(10_000, (n) => -n) },
  ),
  'recursive anyOf, 30 levels of the value': endless(
    object(
      { a: { $ref: '#/$defs/n' } },
      {
        $defs: { n: { anyOf: [object({ a: { $ref: '#/$defs/n' } }), object({ a: { $ref: '#/$defs/n' } })] } },
      },
    ),
    { a: nested(30, 1) },
  ),
  'contains of 200 objects in a oneOf, 2,000 items': own(
    object({ a: { type: 'array', contains: { oneOf: times(200, (n) => ({ const: point(n) })) }, minContains: 2_000 } }),
    { a: times(2_000, point) },
  ),
  'dependentSchemas by references, 18 levels': own(
    object(
      { a: { $ref: '#/$defs/n0' } },
      {
        $defs: doubling(18, (next) => ({ dependentSchemas: { x: { allOf: [next, next] } } })),
      },
    ),
    { a: { x: 1 } },
  ),
  'if, then and else by references, 18 levels': own(
    object({ a: { $ref: '#/$defs/n0' } }, { $defs: doubling(18, (next) => ({ if: next, then: next, else: next })) }),
    { a: 'x' },
  ),
  'propertyNames with a pattern, 5,000 keys': own(
    object({ a: { type: 'object', propertyNames: { pattern: '^(?:ab|a|b)*(?:c|d)(?:ab|ba)*$' } } }),
    { a: Object.fromEntries(times(5_000, (n) => [`${'ab'.repeat(80)}${String(n)}`, 1])) },
  ),
  'patternProperties, 60 patterns, 3,000 keys': own(
    object({
      a: {
        type: 'object',
        patternProperties: Object.fromEntries(times(60, (n) => [`^(?:a|b|ab)*c{${String(n)}}$`, {}])),
      },
    }),
    { a: Object.fromEntries(times(3_000, (n) => [`${'ab'.repeat(100)}${String(n)}`, 1])) },
  ),
  'a linear pattern, 125 texts of 8,000 characters': own(
    listOf({ type: 'string', pattern: '^(?:ab|a|b)*(?:c|d)?(?:ab|ba)*$' }),
    { a: times(125, () => 'ab'.repeat(4_000)) },
  ),
  ...Object.fromEntries(
    [
      'email',
      'uri',
      'uri-template',
      'uri-reference',
      'hostname',
      'date-time',
      'duration',
      'json-pointer',
      'regex',
      'ipv6',
      'byte',
    ].map((format) => [
      `format ${format}, a megabyte`,
      own(object({ a: { type: 'string', format } }), { a: format === 'regex' ? '('.repeat(1_000_000) : MEGABYTE }),
    ]),
  ),
  'format email, 5,000 texts': own(listOf({ type: 'string', format: 'email' }), {
    a: times(5_000, () => `${'a.'.repeat(80)}@${'a-'.repeat(15)}`),
  }),
  'unevaluatedProperties and 100 choices, 4,000 keys': own(
    object({ a: { anyOf: times(100, (n) => object({ [`n${String(n)}`]: {} })), unevaluatedProperties: false } }),
    { a: named(4_000, (n) => n) },
  ),
  'unevaluatedItems and contains, 100 choices, 4,000 items': own(
    object({ a: { type: 'array', anyOf: times(100, (n) => ({ contains: { const: n } })), unevaluatedItems: false } }),
    { a: times(4_000, (n) => n) },
  ),
  'additionalProperties false beside 1,000 properties, 8,000 keys': own(
    object({
      a: object(
        named(1_000, () => ({})),
        { additionalProperties: false },
      ),
    }),
    { a: named(8_000, (n) => n) },
  ),
  'required, 3,000 names, 1,000 items without them': own(listOf({ required: times(3_000, (n) => `n${String(n)}`) }), {
    a: times(1_000, () => ({})),
  }),
  'null in each of 5,500 items with 1,000 choices': own(
    listOf({ anyOf: times(1_000, (n) => object({ a: { const: n } })) }),
    { a: times(5_500, () => ({ a: null })) },
  ),
  'a declared key constructor in 5,000 items': own(listOf(object({ constructor: { type: 'string' } })), {
    a: times(5_000, () => JSON.parse('{"constructor":1}') as Json),
  }),
  'minLength and maxLength in 300 choices, a megabyte': own(
    object({ a: { anyOf: times(300, (n) => ({ minLength: n, maxLength: 1_000 + n })) } }),
    { a: MEGABYTE },
  ),
  'defaults in 10,000 items': own(listOf(object({ b: { default: times(200, (n) => n) } })), {
    a: times(10_000, () => ({})),
  }),
  'bridged: 900 choices of an enum, a megabyte': bridged(
    object({ a: { anyOf: times(900, (n) => ({ enum: [`v${String(n)}`] })) } }),
    { a: MEGABYTE },
  ),
  'bridged: null in each of 5,500 items with 1,000 choices': bridged(
    listOf({ anyOf: times(1_000, (n) => object({ a: { const: n } })) }),
    { a: times(5_500, () => ({ a: null })) },
  ),
  'bridged: a declared key constructor in 60 levels': bridged(
    object(
      { a: { $ref: '#/$defs/n' } },
      {
        $defs: {
          n: { anyOf: times(100, () => object({ constructor: { $ref: '#/$defs/n' }, a: { $ref: '#/$defs/n' } })) },
        },
      },
    ),
    { a: times(60, () => 0).reduce<Json>((inner) => ({ constructor: 1, a: inner }), {}) },
  ),
};
