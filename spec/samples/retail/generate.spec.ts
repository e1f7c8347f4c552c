import 'reflect-metadata';
import { findScenario } from '../../../samples/20-retail-desk/demo/scenario.js';
import { generateRetailData } from '../../../samples/20-retail-desk/generate.js';
import { MoneyService } from '../../../samples/20-retail-desk/services/MoneyService.js';

const money = new MoneyService();

describe('generateRetailData', () => {
  test('the same seed generates the same bytes, another seed others', () => {
    const text = (seed: number) => JSON.stringify(generateRetailData(seed));
    expect(text(7)).toBe(text(7));
    expect(text(7)).not.toBe(text(8));
  });

  test('generateRetailData generates the requested amounts', () => {
    const { orders, products, users } = generateRetailData(1);
    expect([Object.keys(users).length, Object.keys(products).length, Object.keys(orders).length]).toEqual([
      60, 20, 150,
    ]);
    expect(Object.keys(generateRetailData(1, { users: 3, orders: 5 }).orders)).toHaveLength(5);
  });

  describe.each([1, 2, 3])('seed %i is coherent', (seed) => {
    const data = generateRetailData(seed);
    const orders = Object.entries(data.orders);

    test('generated ids are coherent', () => {
      for (const [id, order] of orders) {
        expect(id).toMatch(/^#W\d{7}$/);
        expect(order.order_id).toBe(id);
        expect(data.users[order.user_id]?.orders).toContain(id);
      }
      for (const [id, { product_id, variants }] of Object.entries(data.products)) {
        expect(product_id).toBe(id);
        for (const [itemId, variant] of Object.entries(variants)) expect(variant.item_id).toBe(itemId);
      }
      const emails = Object.values(data.users).map((user) => user.email);
      expect(new Set(emails).size).toBe(emails.length);
    });

    test('items are variants at their price', () => {
      for (const [, order] of orders) {
        for (const item of order.items) {
          const product = data.products[item.product_id];
          expect(product?.name).toBe(item.name);
          expect(product?.variants[item.item_id]).toMatchObject({ price: item.price, options: item.options });
        }
      }
    });

    test('payments are the rounded total, by a method of the customer, refunded when cancelled', () => {
      for (const [, order] of orders) {
        const total = money.round(order.items.reduce((sum, item) => sum + item.price, 0));
        expect(order.payment_history.map((entry) => entry.transaction_type)).toEqual(
          order.status === 'cancelled' ? ['payment', 'refund'] : ['payment'],
        );
        for (const { amount, payment_method_id } of order.payment_history) {
          expect(amount).toBe(total);
          expect(Object.keys(data.users[order.user_id]?.payment_methods ?? {})).toContain(payment_method_id);
        }
      }
    });

    test('everything but a pending order is on its way with all its items', () => {
      for (const [, { status, fulfillments, items }] of orders) {
        expect(fulfillments.flatMap((part) => part.item_ids)).toEqual(
          status === 'pending' ? [] : items.map((item) => item.item_id),
        );
      }
    });

    test('retail data hold the customer that the demonstration needs', () => {
      expect(findScenario(data)).toBeDefined();
    });
  });

  test('retail data have orders of every status, and some of two pieces of a kind', () => {
    const orders = Object.values(generateRetailData(1).orders);
    expect([...new Set(orders.map((order) => order.status))].sort()).toEqual([
      'cancelled',
      'delivered',
      'pending',
      'processed',
    ]);
    expect(orders.some(({ items }) => new Set(items.map((item) => item.item_id)).size < items.length)).toBe(true);
  });
});

test('without a gift card, there is no customer for the demonstration', () => {
  const data = generateRetailData(1);
  const users = Object.fromEntries(
    Object.entries(data.users).map(([id, user]) => [id, { ...user, payment_methods: {} }]),
  );
  expect(findScenario({ ...data, users })).toBeUndefined();
});
