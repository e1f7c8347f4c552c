import type { OrderRow, RetailData } from '../../../samples/20-retail-desk/store/rows.js';
import { Desk } from './Desk.js';
import { shop } from './fixture.js';

const pending = '#W0000001';
const delivered = '#W0000002';
const giftPaid = '#W0000003';

describe('cancel_pending_order', () => {
  test('cancel_pending_order refunds a credit card on paper only', async () => {
    const desk = await Desk.open();
    const order = await desk.value('cancel_pending_order', { order_id: pending, reason: 'no longer needed' });
    expect(order).toMatchObject({ status: 'cancelled', cancel_reason: 'no longer needed' });
    expect((order as OrderRow).payment_history).toEqual([
      { transaction_type: 'payment', amount: 40.4, payment_method_id: 'credit_card_1' },
      { transaction_type: 'refund', amount: 40.4, payment_method_id: 'credit_card_1' },
    ]);
    expect(desk.changedIds()).toEqual({ orders: [pending], products: [], users: [] });
  });

  test('cancel_pending_order refunds a gift card at once', async () => {
    const desk = await Desk.open();
    await desk.value('cancel_pending_order', { order_id: giftPaid, reason: 'ordered by mistake' });
    expect(desk.store.users.get('bruno_sato_2')?.payment_methods['gift_card_2']).toMatchObject({ balance: 540.4 });
  });

  test('cancel_pending_order works once, for pending orders and known reasons', async () => {
    const desk = await Desk.open();
    await desk.value('cancel_pending_order', { order_id: pending, reason: 'no longer needed' });
    const again = await desk.refusal('cancel_pending_order', { order_id: pending, reason: 'no longer needed' });
    expect(again).toContain('is "cancelled"');
    expect(await desk.refusal('cancel_pending_order', { order_id: delivered, reason: 'no longer needed' })).toContain(
      'only an order that is "pending"',
    );
    expect(await desk.refusal('cancel_pending_order', { order_id: giftPaid, reason: 'too dear' })).toContain('reason');
  });

  test('a refund to a gift card that is gone from the profile leaves no half refund', async () => {
    const order = shop.orders[giftPaid]!;
    const payments = [...order.payment_history, { ...order.payment_history[0]!, payment_method_id: 'gift_card_9' }];
    const orders = { ...shop.orders, [giftPaid]: { ...order, payment_history: payments } };
    const desk = await Desk.open({ ...shop, orders });
    await desk.refusal('cancel_pending_order', { order_id: giftPaid, reason: 'no longer needed' });
    expect(desk.changedIds()).toEqual({ orders: [], products: [], users: [] });
  });
});

describe('modify_pending_order_items', () => {
  const args = { order_id: pending, item_ids: ['11'], new_item_ids: ['12'], payment_method_id: 'paypal_1' };

  test('modify_pending_order_items replaces the item and books the difference as it was computed', async () => {
    const desk = await Desk.open();
    const order = (await desk.value('modify_pending_order_items', args)) as OrderRow;
    expect(order.status).toBe('pending (item modified)');
    expect(order.items.map((item) => [item.item_id, item.price, item.options])).toEqual([
      ['12', 30.3, { size: 'L' }],
      ['12', 30.3, { size: 'L' }],
    ]);
    expect(order.payment_history.at(-1)).toEqual({
      transaction_type: 'payment',
      amount: 30.3 - 10.1,
      payment_method_id: 'paypal_1',
    });
  });

  test('replacements apply one after the other, each to the first item that has its old id', async () => {
    const desk = await Desk.open();
    const chain = { ...args, item_ids: ['11', '12'], new_item_ids: ['12', '11'] };
    const order = (await desk.value('modify_pending_order_items', chain)) as OrderRow;
    expect(order.items.map((item) => item.item_id)).toEqual(['11', '12']);
  });

  test('a gift card pays and receives', async () => {
    const desk = await Desk.open();
    const cheaper = { ...args, order_id: giftPaid, item_ids: ['12'], new_item_ids: ['11'] };
    const order = await desk.value('modify_pending_order_items', { ...cheaper, payment_method_id: 'gift_card_2' });
    expect((order as OrderRow).payment_history.at(-1)).toMatchObject({ transaction_type: 'refund' });
    expect(desk.store.users.get('bruno_sato_2')?.payment_methods['gift_card_2']).toMatchObject({ balance: 520.2 });
  });

  test.each([
    ['a gift card that holds too little', { payment_method_id: 'gift_card_1' }, 'holds $20.10, but $20.20 is due'],
    ['a payment method of somebody else', { payment_method_id: 'gift_card_2' }, 'gift_card_1, credit_card_1, paypal_1'],
    ['a payment method from a prototype', { payment_method_id: 'constructor' }, 'no payment method constructor'],
    ['an item that is not available', { new_item_ids: ['13'] }, 'not available'],
    ['an item of another product', { new_item_ids: ['21'] }, 'not a variant of "Rain Jacket"'],
    ['an item from a prototype', { new_item_ids: ['toString'] }, 'not a variant'],
    ['an item that was not ordered', { item_ids: ['13'] }, 'holds item 13 0 times'],
    ['an item more often than ordered', { item_ids: ['11', '11'], new_item_ids: ['12', '12'] }, 'listed 2 times'],
    ['lists of different length', { new_item_ids: ['12', '12'] }, 'has 1 entries'],
    ['no list at all', { item_ids: '11' }, 'item_ids'],
    ['a list of numbers', { item_ids: [11] }, 'item_ids[0]'],
  ])('modify_pending_order_items refuses %s', async (_what, change, message) => {
    const desk = await Desk.open();
    expect(await desk.refusal('modify_pending_order_items', { ...args, ...change })).toContain(message);
  });

  test('modify_pending_order_items works only once for an order', async () => {
    const desk = await Desk.open();
    await desk.value('modify_pending_order_items', args);
    expect(await desk.refusal('modify_pending_order_items', args)).toContain('pending (item modified)');
  });
});

describe('modify_pending_order_payment', () => {
  test('modify_pending_order_payment moves the amount from one method to the other', async () => {
    const desk = await Desk.open();
    const order = await desk.value('modify_pending_order_payment', {
      order_id: pending,
      payment_method_id: 'paypal_1',
    });
    expect((order as OrderRow).payment_history.slice(1)).toEqual([
      { transaction_type: 'payment', amount: 40.4, payment_method_id: 'paypal_1' },
      { transaction_type: 'refund', amount: 40.4, payment_method_id: 'credit_card_1' },
    ]);
  });

  test('modify_pending_order_payment works once, to another method, that can pay', async () => {
    const desk = await Desk.open();
    const refusal = (payment_method_id: string) =>
      desk.refusal('modify_pending_order_payment', { order_id: pending, payment_method_id });
    expect(await refusal('gift_card_1')).toContain('holds $20.10, but $40.40 is due');
    expect(await refusal('credit_card_1')).toContain('already paid with credit_card_1');
    await desk.value('modify_pending_order_payment', { order_id: pending, payment_method_id: 'paypal_1' });
    expect(await refusal('credit_card_1')).toContain('changed before');
  });
});

describe('delivered orders', () => {
  const exchange = { order_id: delivered, item_ids: ['12', '11'], new_item_ids: ['11', '12'] };

  test('exchange_delivered_order_items records sorted lists and the rounded difference', async () => {
    const desk = await Desk.open();
    const args = { order_id: delivered, item_ids: ['11'], new_item_ids: ['12'], payment_method_id: 'paypal_1' };
    expect(await desk.value('exchange_delivered_order_items', args)).toMatchObject({
      status: 'exchange requested',
      exchange_items: ['11'],
      exchange_new_items: ['12'],
      exchange_payment_method_id: 'paypal_1',
      exchange_price_difference: 20.2,
      items: shop.orders[delivered]?.items,
    });
    expect(desk.changedIds()).toEqual({ orders: [delivered], products: [], users: [] });
  });

  test('exchange_delivered_order_items needs cover but charges nothing yet', async () => {
    const desk = await Desk.open();
    const args = { ...exchange, payment_method_id: 'gift_card_1' };
    expect(await desk.value('exchange_delivered_order_items', args)).toMatchObject({
      exchange_items: ['11', '12'],
      exchange_price_difference: 0,
    });
    expect(desk.changedIds().users).toEqual([]);
  });

  test('return_delivered_order_items refunds to the method that paid, or to a gift card', async () => {
    const refund = (desk: Desk, payment_method_id: string) =>
      desk.call('return_delivered_order_items', { order_id: delivered, item_ids: ['12', '11'], payment_method_id });
    for (const method of ['credit_card_1', 'gift_card_1']) {
      const outcome = await refund(await Desk.open(), method);
      expect(outcome.result.value).toMatchObject({
        status: 'return requested',
        return_items: ['11', '12'],
        return_payment_method_id: method,
      });
    }
    expect((await refund(await Desk.open(), 'paypal_1')).text).toContain('not to paypal_1');
    expect((await refund(await Desk.open(), 'gift_card_2')).text).toContain('no payment method gift_card_2');
  });

  test('a delivered order can be returned or exchanged, and only once', async () => {
    const desk = await Desk.open();
    const args = { order_id: delivered, item_ids: ['11'], payment_method_id: 'credit_card_1' };
    await desk.value('return_delivered_order_items', args);
    expect(await desk.refusal('return_delivered_order_items', args)).toContain('return requested');
    expect(
      await desk.refusal('exchange_delivered_order_items', { ...exchange, payment_method_id: 'paypal_1' }),
    ).toContain('return requested');
  });
});

test('modify_pending_order_address replaces the address of the order alone', async () => {
  const desk = await Desk.open();
  const address = { address1: '9 Fern Lane', address2: '', city: 'Boise', state: 'ID', country: 'USA', zip: '83701' };
  expect(await desk.value('modify_pending_order_address', { order_id: pending, ...address })).toMatchObject({
    address,
  });
  expect(desk.changedIds()).toEqual({ orders: [pending], products: [], users: [] });
  await desk.refusal('modify_pending_order_address', { order_id: delivered, ...address });
});

test('an order whose customer is missing is refused, not a crash', async () => {
  const data: RetailData = { ...shop, users: {} };
  const desk = await Desk.open(data);
  const args = { order_id: delivered, item_ids: ['11'], payment_method_id: 'credit_card_1' };
  expect(await desk.refusal('return_delivered_order_items', args)).toContain('no user ada_novak_1');
});
