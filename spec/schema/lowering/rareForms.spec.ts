import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { listChildren } from '../../../src/schema/lowering/listChildren';
import { addType } from '../../../src/schema/lowering/keywords';
import { measureSchema } from '../../../src/schema/lowering/findExceeded';
import { mergeAllOf } from '../../../src/schema/lowering/mergeAllOf';
import { References } from '../../../src/schema/lowering/References';

const text = { type: 'string' };
const object = (properties: object): Readonly<Record<string, unknown>> => ({ type: 'object', properties });

describe('keywords that hold no schema', () => {
  test('keywords that hold no schema have no children, whatever their values look like', () => {
    const value = { a: text, list: [text] };
    expect(listChildren({ default: value, const: value, examples: [text], items: text })).toEqual([
      { keyword: 'items', schema: text },
    ]);
  });
});

describe('a schema whose patterns are described', () => {
  test('a schema whose patterns are described keeps its plain values as they are, whatever these look like', () => {
    const rule = { pattern: '^(?=a)' };
    const filter = { type: 'object', default: { rule }, examples: [{ rule }], const: { rule } };
    expect(lowerSchema(object({ name: { ...text, pattern: '^(?=b)' }, filter }), 'openai')).toEqual({
      schema: object({ name: { ...text, description: 'Matching the regular expression ^(?=b)' }, filter }),
      strict: false,
      losses: [{ path: '/properties/name', keyword: 'pattern', value: '^(?=b)', became: 'description' }],
    });
  });
});

describe('losses in definitions', () => {
  test.each(['$defs', 'definitions'])('a loss in a definition is told with its place in %s', (keyword) => {
    const schema = {
      ...object({ name: { $ref: `#/${keyword}/Name` } }),
      required: ['name'],
      additionalProperties: false,
      [keyword]: { Name: { ...text, maxLength: 5 } },
    };
    expect(lowerSchema(schema, 'openai', { strict: true }).losses).toEqual([
      { path: `/${keyword}/Name`, keyword: 'maxLength', value: 5, became: 'description' },
    ]);
  });
});

describe('a schema without a type', () => {
  test('a schema without a type gets that of its keywords', () => {
    expect(addType({ additionalProperties: text })).toMatchObject({ type: 'object' });
    expect(addType({ prefixItems: [text] })).toMatchObject({ type: 'array' });
    expect(addType({ description: 'Any' })).toEqual({ description: 'Any' });
  });

  test('a schema without a type stays as it is at a root that may be anything', () => {
    const either = { anyOf: [text, { type: 'number' }] };
    expect(lowerSchema(either, 'json-schema').schema).toEqual(either);
    expect(lowerSchema(either, 'mcp').schema).toEqual({ type: 'object', ...either });
  });
});

describe('a tuple', () => {
  const tuple = (more: object): Readonly<Record<string, unknown>> =>
    object({ pair: { type: 'array', prefixItems: [text, text], ...more } });
  const pairOf = (more: object): unknown =>
    (lowerSchema(tuple(more), 'gemini').schema['properties'] as { readonly pair: unknown }).pair;

  test('a tuple keeps the schema of further items', () => {
    expect(pairOf({ items: { type: 'number' } })).toEqual({
      type: 'array',
      prefixItems: [text, text],
      items: { type: 'number' },
    });
  });

  test('a tuple without further items has a length', () => {
    expect(pairOf({ items: false })).toEqual({ type: 'array', prefixItems: [text, text], maxItems: 2 });
    expect(pairOf({ items: false, maxItems: 1 })).toEqual({ type: 'array', prefixItems: [text, text], maxItems: 1 });
  });
});

describe('a keyword beside a reference', () => {
  test('a keyword beside a reference is described', () => {
    const schema = {
      ...object({ name: { $ref: '#/$defs/Name', minLength: 3, description: 'A name' } }),
      $defs: { Name: text },
    };
    expect(JSON.stringify(lowerSchema(schema, 'openai', { strict: true }).schema)).toMatch(
      /A name.*minLength.*3|A name.*at least 3/,
    );
  });
});

describe('allOf', () => {
  const merged = (...parts: readonly object[]): unknown => mergeAllOf({ allOf: parts }, new References({}));

  test('allOf is closed if one of its parts is', () => {
    const [open, closed] = [{ additionalProperties: text }, { additionalProperties: false }];
    expect(merged(open, closed)).toEqual(closed);
    expect(merged(closed, open)).toEqual(closed);
    const other = { additionalProperties: { type: 'number' } };
    expect(merged(open, other)).toEqual({ ...open, allOf: [other] });
  });
});

describe('a union at the root', () => {
  test('a union at the root is merged only if all of its alternatives are objects with properties', () => {
    const known = object({ a: text });
    const propertiesOf = (alternatives: readonly object[]): unknown =>
      lowerSchema({ anyOf: alternatives }, 'openai').schema['properties'];
    expect(propertiesOf([known, object({ b: text })])).toEqual({ a: text, b: text });
    expect(propertiesOf([known, { type: 'object' }])).toEqual({});
    expect(propertiesOf([known, { type: ['object', 'null'], properties: { b: text } }])).toEqual({});
  });
});

describe('levels', () => {
  test('levels of a definition count wherever it is referred to', () => {
    const deep = object({ a: object({ a: object({}) }) });
    const reference = { $ref: '#/$defs/Deep' };
    const schema = {
      ...object({ near: reference, far: object({ further: object({ at: reference }) }) }),
      $defs: { Deep: deep },
    };
    expect(measureSchema(schema).levels).toBe(6);
  });
});
