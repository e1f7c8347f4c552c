import { Param, Section, Tool } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { refusalOf } from '../refusalOf.js';
import { toolsOf } from '../toolsOf.js';

describe('toolResult', () => {
  test.each<[string, TypeReference]>([
    ['Object', Object],
    ['Array', Array],
    ['a list of Object', [Object]],
    ['a record of Array', { record: Array }],
    ['a tuple with Object inside', { tuple: [String, { array: Object }] }],
    ['a thunk of undefined', () => undefined as never],
    ['a list of undefined', [undefined as never]],
  ])('a result %s, which says nothing about the result, is refused', async (_case, result) => {
    class GetOrderParams {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', result: result as never }) getOrder(params: GetOrderParams) {}
    }
    const refusal = await refusalOf(OrdersSection);
    expect(refusal.findings).toHaveLength(1);
    expect(refusal).toMatchObject({
      code: 'E201',
      place: 'OrdersSection.getOrder',
      sectionPath: 'orders',
      toolName: 'get_order',
      paramsType: 'GetOrderParams',
      placeholder: 'result',
    });
    expect(refusal.findings[0]).toMatchObject({ className: 'OrdersSection', member: 'getOrder' });
  });

  test('a finding names the circular import where a class was undefined', async () => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', result: [undefined as never] as never }) getOrder() {}
    }
    expect((await refusalOf(OrdersSection)).findings[0]?.problem).toContain('circular import');
  });

  test.each<[string, TypeReference, string, string]>([
    ['String', String, 'string', 'object'],
    ['Boolean', Boolean, 'boolean', 'object'],
    ['a thunk', () => Number, 'number', 'object'],
    ['a list', [String], 'array', 'array'],
    ['a named list', { array: { array: Number } }, 'array', 'array'],
    ['a record', { record: [Number] }, 'record', 'object'],
    ['a tuple', { tuple: [String, Number] }, 'tuple', 'object'],
    ['a choice', { oneOf: [String, Number] }, 'oneOf', 'object'],
    ['an enum', { enum: ['pending', 'delivered'] }, 'enum', 'object'],
  ])('a tool may declare the result %s', async (_case, result, kind, container) => {
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', result: result as never }) getOrder() {}
    }
    const [tool] = await toolsOf(OrdersSection);
    expect(tool?.resultType?.kind).toBe(kind);
    expect(tool?.resultContainer).toBe(container);
  });

  test('a class is shared by tools, and a tool without a result has none', async () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    @Section({ title: 'Orders' })
    class OrdersSection {
      @Tool({ description: 'Fetch one order.', result: Order }) getOrder(): Order {
        return new Order();
      }
      @Tool({ description: 'Fetch all orders.', result: [Order] }) listOrders(): Order[] {
        return [];
      }
      @Tool('Answers.') ping() {}
    }
    const [one, list, none] = await toolsOf(OrdersSection);
    expect(one?.resultType).toMatchObject({ kind: 'object', shape: { type: Order } });
    expect(list?.resultType).toMatchObject({ kind: 'array', items: { shape: { type: Order } } });
    expect(none?.resultType).toBeNull();
  });
});
