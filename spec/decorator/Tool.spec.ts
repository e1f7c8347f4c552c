import { Tool } from 'toolwright';
import { findArgs } from '../../src/metadata/args/MetadataArgsStorage.js';

describe('Tool', () => {
  test('a text is the description', () => {
    class OrdersSection {
      @Tool('Fetch one order.') getOrder() {}
    }
    expect(findArgs(OrdersSection)?.tools).toEqual([
      { place: 'method', member: 'getOrder', options: { description: 'Fetch one order.' } },
    ]);
  });

  test('options are kept as they are, methods in the order of the class', () => {
    const options = { name: 'orders', description: 'Fetch all orders.', hints: { readOnly: true }, timeoutMs: 50 };
    const cancel = Symbol('cancel');
    class OrdersSection {
      @Tool('Fetch one order.') getOrder() {}
      @Tool(options) listOrders() {}
      @Tool('Cancel.') [cancel]() {}
    }
    const tools = findArgs(OrdersSection)?.tools ?? [];
    expect(tools.map(({ member }) => member)).toEqual(['getOrder', 'listOrders', cancel]);
    expect(tools[1]?.options).toBe(options);
  });

  test('a class is a tool of its own', () => {
    @Tool({ name: 'transfer', description: 'Hand over.' })
    class TransferTool {
      handle() {}
    }
    expect(findArgs(TransferTool)?.tools).toMatchObject([{ place: 'class', member: undefined }]);
  });

  test('@Tool does not change the method itself', () => {
    class OrdersSection {
      getOrder(): string {
        return 'found';
      }
    }
    const before = Object.getOwnPropertyDescriptor(OrdersSection.prototype, 'getOrder')!;
    Tool('Fetch one order.')(OrdersSection.prototype, 'getOrder', before as TypedPropertyDescriptor<() => string>);
    expect(Object.getOwnPropertyDescriptor(OrdersSection.prototype, 'getOrder')).toEqual(before);
  });
});
