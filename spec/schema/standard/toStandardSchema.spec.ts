import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { Expose } from 'class-transformer';
import { Min } from 'class-validator';
import { Param, PromptValidationError, ToolwrightError } from 'toolwright';
import { schemaOf, toStandardSchema } from 'toolwright/schema';

class Line {
  @Param('Item') item!: string;
  @Param({ description: 'Pieces', integer: true }) @Min(1) qty = 1;
}

class Order {
  @Param('Order id') @Expose({ name: 'order_id' }) orderId!: string;
  @Param({ type: () => [Line] }) lines: readonly Line[] = [];
  @Param({ record: Number, optional: true }) prices?: Readonly<Record<string, number>>;
}

describe('toStandardSchema', () => {
  test('toStandardSchema returns a StandardSchemaV1 and a StandardJSONSchemaV1, and its output is the instance', () => {
    const schema = toStandardSchema(Order) satisfies StandardSchemaV1 & StandardJSONSchemaV1;
    const output: StandardSchemaV1.InferOutput<typeof schema> = new Order();
    const wider: StandardSchemaV1<unknown, Order> = schema;
    // @ts-expect-error -- an instance of Order is no text
    const other: string = output;
    expect([output, wider, other]).toHaveLength(3);
    expect(schema['~standard']).toMatchObject({ version: 1, vendor: 'toolwright' });
    expect([Object.isFrozen(schema), Object.isFrozen(schema['~standard'])]).toEqual([true, true]);
  });

  test('validate returns the instance, synchronously', () => {
    const result = toStandardSchema(Order)['~standard'].validate({ order_id: '#W1', lines: [{ item: 'lamp' }] });
    if (result.issues !== undefined) throw new Error('it was refused');
    expect(result.value).toBeInstanceOf(Order);
    expect(result.value.lines[0]).toBeInstanceOf(Line);
  });

  test('validate returns every issue with its path as keys', () => {
    const { validate } = toStandardSchema(Order)['~standard'];
    const { issues } = validate({ lines: [{ item: 'a' }, { item: 5 }], prices: { 'a.b': 'x', 7: 'y' }, order: 1 });
    expect(issues?.map(({ path }) => path)).toEqual([
      ['order_id'],
      ['order'],
      ['lines', 1, 'item'],
      ['prices', '7'],
      ['prices', 'a.b'],
    ]);
    expect(issues?.[0]?.message).toBe('is required: a string');
    expect(validate(null).issues).toMatchObject([{ path: [] }]);
  });

  test('toStandardSchema parses with the given options', () => {
    const value = { order_id: 7, by: 'me' };
    expect(toStandardSchema(Order)['~standard'].validate(value).issues).toHaveLength(2);
    const { validate } = toStandardSchema(Order, { extra: 'ignore', coerce: true })['~standard'];
    expect(validate(value)).toMatchObject({ value: { orderId: '7' } });
  });

  test('the input is what schemaOf says', () => {
    const { jsonSchema } = toStandardSchema(Order)['~standard'];
    expect(jsonSchema.input({ target: 'draft-2020-12' })).toEqual(schemaOf(Order));
  });

  test('the output has property names, and defaults are always there', () => {
    const { jsonSchema } = toStandardSchema(Order)['~standard'];
    const output = jsonSchema.output({ target: 'draft-2020-12' });
    expect(Object.keys(output['properties'] as object)).toEqual(['orderId', 'lines', 'prices']);
    expect(output['required']).toEqual(['orderId', 'lines']);
    expect(output).toMatchObject({ properties: { lines: { items: { required: ['item', 'qty'] } } } });
    expect(JSON.stringify(output)).not.toContain('default');
  });

  test('a schema that was handed out may be changed', () => {
    const { jsonSchema } = toStandardSchema(Order)['~standard'];
    const first = jsonSchema.input({ target: 'draft-07' });
    (first['properties'] as Record<string, unknown>)['more'] = {};
    expect(jsonSchema.input({ target: 'draft-07' })['properties']).not.toHaveProperty('more');
  });

  test.each([['openapi-3.0'], ['constructor'], [undefined]])('the target %p is refused: E215', (target) => {
    const { jsonSchema } = toStandardSchema(Order)['~standard'];
    for (const write of [jsonSchema.input, jsonSchema.output]) {
      const attempt = (): unknown => write({ target } as never);
      expect(attempt).toThrow(ToolwrightError);
      expect(attempt).toThrow(/^E215 Order: /);
    }
    expect(() => jsonSchema.input(undefined as never)).toThrow(/^E215 Order: /);
  });

  test('a class at fault is reported when the schema is created', () => {
    class Faulty {
      @Param('A') a!: unknown;
    }
    expect(() => toStandardSchema(Faulty)).toThrow(PromptValidationError);
  });
});
