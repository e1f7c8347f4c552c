import { Max, Min } from 'class-validator';
import { defineSection, defineTool, Param, PromptValidationError } from 'toolwright';
import { schemaOf } from 'toolwright/schema';
import { toolsOf } from '../../builder/toolsOf.js';

class Line {
  @Param('Item') item!: string;
}

class Order {
  @Param('Order id') orderId!: string;
  @Param({ description: 'Pieces', integer: true }) @Min(1) @Max(9) qty = 1;
  @Param({ type: () => [Line], optional: true }) lines?: readonly Line[];
}

describe('schemaOf', () => {
  test('schemaOf returns the schema that a tool with these params is advertised by', async () => {
    expect(schemaOf(Order)).toEqual({
      type: 'object',
      properties: {
        orderId: { type: 'string', description: 'Order id' },
        qty: { type: 'integer', minimum: 1, maximum: 9, description: 'Pieces', default: 1 },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { item: { type: 'string', description: 'Item' } },
            required: ['item'],
            additionalProperties: false,
          },
        },
      },
      required: ['orderId'],
      additionalProperties: false,
    });
    const tool = defineTool({ name: 'order', description: 'Orders.', params: Order, handler: null });
    const [advertised] = await toolsOf(defineSection({ key: 'a', title: 'A', tools: [tool] }));
    expect(schemaOf(Order)).toEqual(advertised?.schema);
    expect(schemaOf(Order, { target: 'openai', strict: true })).toEqual(
      advertised?.schemaFor('openai', { strict: true }).parameters,
    );
  });

  test('schemaOf differs by target and mode, is frozen, and the same each time', () => {
    expect(schemaOf(Order)).toBe(schemaOf(Order, { target: 'json-schema' }));
    const strict = schemaOf(Order, { target: 'openai', strict: true });
    expect(strict['required']).toEqual(['orderId', 'qty', 'lines']);
    expect(schemaOf(Order, { target: 'openai', strict: true })).toBe(strict);
    expect(schemaOf(Order)['required']).toEqual(['orderId']);
    for (const schema of [strict, schemaOf(Order)]) {
      expect(() => {
        (schema['properties'] as Record<string, unknown>)['more'] = {};
      }).toThrow(TypeError);
    }
  });

  test('a class at fault is reported', () => {
    class Faulty {
      @Param('A') a!: unknown;
    }
    expect(() => schemaOf(Faulty)).toThrow(PromptValidationError);
  });
});
