import { Ctx } from 'toolwright';
import { findArgs } from '../../src/metadata/args/MetadataArgsStorage.js';

describe('Ctx', () => {
  test('Ctx writes down which parameter of which method gets the context', () => {
    const secret = Symbol('secret');
    class OrdersSection {
      getOrder(id: string, @Ctx() context: unknown) {}
    }
    Ctx()(OrdersSection.prototype, secret, 0);
    expect(findArgs(OrdersSection)?.contexts).toEqual([
      { member: 'getOrder', index: 1 },
      { member: secret, index: 0 },
    ]);
  });
});
