import { toStandardJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import { z } from 'zod';
import { writeAdvertisedSchema } from '../../../src/schema/standard/writeAdvertisedSchema';

/** The result for a schema that returns this as its JSON Schema. */
const advertised = (written: unknown) =>
  writeAdvertisedSchema({ vendor: 'test', jsonSchema: { input: () => written, output: () => ({}) } });

const object = { type: 'object', properties: {} } as const;

describe('the JSON Schema of a library', () => {
  test('the JSON Schema of a library is requested in draft 2020-12, for input, and loses the name of its draft', () => {
    const asked: unknown[] = [];
    const schema = writeAdvertisedSchema({
      vendor: 'test',
      jsonSchema: {
        input: (request: unknown) => {
          asked.push(request);
          return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...object };
        },
      },
    });
    expect(asked).toEqual([{ target: 'draft-2020-12' }]);
    expect(schema).toEqual({ schema: object });
  });

  test('the JSON Schema of a library is copied', () => {
    const written = { ...object, properties: { a: { type: 'string' } } };
    const result = advertised(written);
    expect(result).toEqual({ schema: written });
    expect('schema' in result && result.schema['properties']).not.toBe(written.properties);
  });

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['no functions', {}],
    ['something else', { input: true }],
  ])('E209: a library without a JSON Schema is refused: %s', (_what, jsonSchema) => {
    expect(writeAdvertisedSchema({ vendor: 'zod', jsonSchema })).toEqual({
      code: 'E209',
      problem: 'the "zod" schema in params gives no JSON Schema',
    });
  });

  test('E209: the JSON Schema of a library is missing in valibot until it is wrapped', () => {
    expect(writeAdvertisedSchema(v.object({})['~standard'])).toMatchObject({ code: 'E209' });
    expect(writeAdvertisedSchema(toStandardJsonSchema(v.object({}))['~standard'])).toMatchObject({ schema: object });
  });

  test('E209: the JSON Schema of a library cannot be written', () => {
    const fault = writeAdvertisedSchema(z.object({ day: z.date() })['~standard']);
    expect(fault).toMatchObject({
      code: 'E209',
      problem: expect.stringContaining('Date cannot be represented') as string,
    });
    for (const written of [undefined, null, true, [], 'object', 5n])
      expect(advertised(written)).toMatchObject({ code: 'E209' });
    const circle: Record<string, unknown> = { ...object };
    circle['items'] = circle;
    expect(advertised(circle)).toMatchObject({ code: 'E209' });
  });

  test.each<[string, unknown, string]>([
    ['a scalar', { type: 'string' }, '"string"'],
    ['an array', { type: 'array', items: {} }, '"array"'],
    ['an object or null', { type: ['object', 'null'] }, '["object","null"]'],
    ['a union', { anyOf: [object, object] }, 'anyOf'],
    ['anything', {}, 'no type'],
  ])('E210: a schema whose root is %s is refused', (_what, written, seen) => {
    expect(advertised(written)).toEqual({
      code: 'E210',
      problem: `the root of the schema in params is not an object, but has ${seen}`,
    });
  });

  test('E210: a schema whose root is a union of zod is refused', () => {
    const union = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]);
    expect(writeAdvertisedSchema(union['~standard'])).toMatchObject({ code: 'E210' });
  });

  test.each<[string, string]>([
    ['an address', 'https://example.org/order.json'],
    ['a file', 'order.json#/$defs/A'],
    ['nothing', '#/$defs/Missing'],
    ['an anchor', '#order'],
  ])('E211: a reference that leads to %s is refused', (_what, $ref) => {
    const written = { ...object, properties: { a: { type: 'array', items: { anyOf: [{ $ref }] } } } };
    expect(advertised(written)).toEqual({
      code: 'E211',
      problem: `the schema in params refers to ${JSON.stringify($ref)}`,
    });
  });

  test('E211: a reference that is found only at run time is refused', () => {
    expect(advertised({ ...object, $defs: { a: { $dynamicRef: '#node' } } })).toMatchObject({ code: 'E211' });
  });

  test('references inside of it are fine, and names and data are no references', () => {
    const written = {
      type: 'object',
      properties: { next: { $ref: '#' }, a: { $ref: '#/$defs/A' }, $ref: { type: 'string' } },
      $defs: { A: { const: { $ref: 'https://example.org' } } },
    };
    expect(advertised(written)).toEqual({ schema: written });
  });

  test('a root that is a reference is put in its place', () => {
    const user = z.object({ name: z.string() }).meta({ id: 'User' });
    expect(writeAdvertisedSchema(user['~standard'])).toEqual({
      schema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
    });
    const A = { type: 'object', properties: { self: { $ref: '#/$defs/A' } } };
    const B = { $ref: '#/$defs/A' };
    expect(advertised({ $ref: '#/$defs/B', description: 'x', $defs: { A, B } })).toEqual({
      schema: { ...A, description: 'x', $defs: { A } },
    });
    expect(advertised({ $ref: '#' })).toMatchObject({ code: 'E210' });
  });
});
