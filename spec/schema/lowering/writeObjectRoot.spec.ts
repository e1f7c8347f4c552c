import type { JsonSchema } from 'toolwright';
import { z } from 'zod';
import { lowerSchema } from '../../../src/schema/lowering/lowerSchema';
import { writeObjectRoot } from '../../../src/schema/lowering/writeObjectRoot';
import { requestProblems } from '../../../packages/openai/spec/support/requestRules';
import { compiled } from './compiled';

const shape = (kind: string, properties: JsonSchema, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: { kind: { type: 'string', const: kind }, ...properties },
  required: ['kind', ...required],
  additionalProperties: false,
});
const number = { type: 'number' };

describe('ADPT-09: a union at the root', () => {
  const circle = shape('circle', { radius: number }, ['radius']);
  const square = shape('square', { side: number, name: { type: 'string' } }, ['side']);

  test('ADPT-09: a union at the root becomes one object with the properties of all, and a description of which belong together', () => {
    expect(writeObjectRoot({ oneOf: [circle, square], description: 'A shape.' })).toEqual({
      schema: {
        type: 'object',
        description: 'A shape. With one of these: kind "circle", radius; or kind "square", side.',
        properties: {
          kind: { type: 'string', enum: ['circle', 'square'] },
          radius: number,
          side: number,
          name: { type: 'string' },
        },
        required: ['kind'],
        additionalProperties: false,
      },
      losses: [{ path: '', keyword: 'oneOf', value: [circle, square], became: 'description' }],
    });
  });

  test('ADPT-09: a union at the root takes whatever the union took', () => {
    const fits = compiled(writeObjectRoot({ anyOf: [circle, square] }).schema);
    expect(
      [
        { kind: 'circle', radius: 1 },
        { kind: 'square', side: 1, name: 'a' },
      ].map((value) => fits(value)),
    ).toEqual([true, true]);
    expect([{ kind: 'oval' }, { radius: 1 }].map((value) => fits(value))).toEqual([false, false]);
  });

  test('a union of alternatives through references and intersections is one as well', () => {
    const { schema } = writeObjectRoot({
      $ref: '#/$defs/Shape',
      $defs: {
        Shape: { anyOf: [{ $ref: '#/$defs/Circle' }, { allOf: [square, { properties: { size: number } }] }] },
        Circle: circle,
      },
    });
    expect(schema).toMatchObject({ type: 'object', required: ['kind'] });
    expect(Object.keys(schema['properties'] as object)).toEqual(['kind', 'radius', 'side', 'name', 'size']);
  });

  test('different types for one name become a union', () => {
    const of = (value: JsonSchema): JsonSchema => ({ type: 'object', properties: { value } });
    const { schema } = writeObjectRoot({ anyOf: [of(number), of({ type: 'string' }), of(number)] });
    expect(schema['properties']).toEqual({ value: { anyOf: [number, { type: 'string' }] } });
  });

  test('a union that only lists required keys is described', () => {
    const given = {
      type: 'object',
      properties: { route: { type: 'string' }, file: { type: 'string' }, deep: { type: 'boolean' } },
      required: ['deep'],
      anyOf: [{ required: ['route'] }, { required: ['file'] }],
    };
    expect(writeObjectRoot(given).schema).toEqual({
      type: 'object',
      properties: given.properties,
      required: ['deep'],
      description: 'With one of these: route; or file',
    });
  });

  test('a union of something else than objects is described as it is', () => {
    expect(writeObjectRoot({ anyOf: [{ type: 'string' }, circle] })).toMatchObject({
      schema: { type: 'object', properties: {} },
      losses: [{ path: '', keyword: 'anyOf', became: 'description' }],
    });
  });

  test('ADPT-09 a union at the root becomes a schema that the provider takes, in either mode', () => {
    const union = z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('circle'), radius: z.number() }),
      z.object({ kind: z.literal('square'), side: z.number() }),
    ]);
    for (const strict of [true, false]) {
      const made = lowerSchema(z.toJSONSchema(union), 'openai', { strict });
      const tool = { type: 'function', function: { name: 'draw', parameters: made.schema, strict } };
      expect(made.strict).toBe(strict);
      expect(requestProblems({ model: 'm', messages: [{ role: 'user', content: 'x' }], tools: [tool] })).toEqual([]);
    }
  });
});

describe('any other root', () => {
  test('a root that is an object already is returned unchanged', () => {
    const schema = { type: 'object', properties: {} };
    expect(writeObjectRoot(schema).schema).toBe(schema);
  });

  test('a root that is a reference becomes its target, with the definitions', () => {
    const A = { type: 'object', properties: { next: { $ref: '#/$defs/A' } } };
    expect(writeObjectRoot({ $ref: '#/$defs/A', $defs: { A } })).toEqual({
      schema: { ...A, $defs: { A } },
      losses: [],
    });
  });

  test('a root that refers to itself, or to nothing, becomes an object with a description of it', () => {
    expect(writeObjectRoot({ $ref: '#' })).toMatchObject({ schema: { type: 'object' }, losses: [{ keyword: '$ref' }] });
    expect(writeObjectRoot({ $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/A' } } }).schema).toMatchObject({
      type: 'object',
      properties: {},
    });
  });

  test('a rule that a root may not express goes into its description', () => {
    expect(writeObjectRoot({ type: 'object', properties: {}, not: { required: ['a'] } })).toMatchObject({
      schema: { type: 'object', properties: {}, description: 'Not: {"required":["a"]}' },
      losses: [{ path: '', keyword: 'not', became: 'description' }],
    });
  });

  test('any other root is at least named an object for MCP', () => {
    expect(lowerSchema({ anyOf: [{ type: 'object' }] }, 'mcp').schema).toEqual({
      type: 'object',
      anyOf: [{ type: 'object' }],
    });
  });
});
