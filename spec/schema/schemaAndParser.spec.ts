import fc from 'fast-check';
import type { Constructor } from 'toolwright';
import { writeClassSchema } from '../../src/schema/emit/writeClassSchema';
import { lowerSchema } from '../../src/schema/lowering/lowerSchema';
import { createParser } from '../../src/schema/parse/parser';
import type { ClassShape, TypeShape } from '../../src/metadata/ClassShape';
import { expectEqual } from '../support/expectEqual';
import { schemaCompiler } from '../support/schemaCompiler';
import { classWithValues } from './generated';
import { shapeOf } from './reading';

const DATE_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const compile = schemaCompiler({
  strict: true,
  allowUnionTypes: true,
  ownProperties: true,
  strictTuples: true,
  formats: { 'date-time': DATE_TIME, email: /^[a-z]+@[a-z]+\.[a-z]+$/ },
});

/** As JSON carries it: what a model can send. */
const overTheWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) as unknown;

/** The value with `null` for every optional property that is absent, as OpenAI's strict mode sends it. */
function withNulls(type: TypeShape, value: unknown): unknown {
  if (type.kind === 'array' && Array.isArray(value)) return value.map((item) => withNulls(type.items, item));
  if (type.kind === 'tuple' && Array.isArray(value)) return type.items.map((item, at) => withNulls(item, value[at]));
  if (type.kind !== 'object' || typeof value !== 'object' || value === null) return value;
  const given = new Map(Object.entries(value));
  return Object.fromEntries(
    type.shape.fields.map((field) => {
      const { wireName } = field;
      return [wireName, given.has(wireName) ? withNulls(field.type, given.get(wireName)) : null];
    }),
  );
}

/** Calls `check` for thousands of generated pairs, and returns for how many it was true. */
function countPairs(check: (shape: ClassShape, values: readonly unknown[]) => number): number {
  let count = 0;
  fc.assert(
    fc.property(classWithValues, ([type, values]: readonly [Constructor, readonly unknown[]]) => {
      count += check(shapeOf(type), values.map(overTheWire));
    }),
    { numRuns: 150 },
  );
  return count;
}

describe('schema and parser', () => {
  test('the parser accepts every value that the schema accepts', () => {
    const accepted = countPairs((shape, values) => {
      const schema = writeClassSchema(shape);
      const valid = compile(schema);
      const parse = createParser(shape);
      return values.filter((value) => {
        if (!valid(value)) return false;
        const outcome = parse(value);
        if (outcome.ok) return true;
        throw new Error(`${JSON.stringify(schema)}\n${JSON.stringify(value)}\n${JSON.stringify(outcome.issues)}`);
      }).length;
    });
    expect(accepted).toBeGreaterThan(150);
  }, 60_000);

  test('the schema accepts every value that the parser accepts, except for null as absence and lenient dates', () => {
    const accepted = countPairs((shape, values) => {
      const schema = writeClassSchema(shape);
      const valid = compile(schema);
      const parse = createParser(shape);
      return values.filter((value) => {
        const text = JSON.stringify(value);
        if (text.includes('null') || JSON.stringify(schema).includes('date-time') || !parse(value).ok) return false;
        if (valid(value)) return true;
        throw new Error(`${JSON.stringify(schema)}\n${text}\n${JSON.stringify(valid.errors)}`);
      }).length;
    });
    expect(accepted).toBeGreaterThan(100);
  }, 60_000);

  test('a value in strict mode, with nulls for what is absent, parses into the same instance', () => {
    const same = countPairs((shape, values) => {
      const { schema, strict } = lowerSchema(writeClassSchema(shape), 'openai', { strict: true });
      // Which class of a union a value belongs to is not said.
      if (!strict || JSON.stringify(writeClassSchema(shape)).includes('anyOf')) return 0;
      const valid = compile(schema);
      const parse = createParser(shape);
      return values.filter((value) => {
        const plain = parse(value);
        // A nullable property that is absent and optional has a default; null would be a value of it.
        if (!plain.ok || JSON.stringify(shape.fields).includes('"nullable":true')) return false;
        const filled = withNulls({ kind: 'object', shape }, value);
        const told = `${JSON.stringify(schema)}\n${JSON.stringify(filled)}`;
        if (!valid(filled)) throw new Error(`${told}\n${JSON.stringify(valid.errors)}`);
        expectEqual(parse(filled), plain);
        return true;
      }).length;
    });
    expect(same).toBeGreaterThan(25);
  }, 60_000);
});
