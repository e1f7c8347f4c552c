import 'reflect-metadata';
import { Session } from 'toolwright';
import type { ApprovalAnswer, Approver } from 'toolwright/policies';
import { createRetailApplication, quietLogger } from '../../../samples/20-retail-desk/application.js';
import { everyChapter } from '../../../samples/20-retail-desk/everyChapter.js';
import { RetailDesk } from '../../../samples/20-retail-desk/RetailDesk.js';
import { REFUND_LIMIT } from '../../../samples/20-retail-desk/sections/largeRefunds.js';
import { Supervisor, type Decision } from '../../../samples/20-retail-desk/services/Supervisor.js';
import { RetailStore } from '../../../samples/20-retail-desk/store/RetailStore.js';
import type { OrderRow, RetailData } from '../../../samples/20-retail-desk/store/rows.js';
import { shop } from './fixture.js';

const pending = '#W0000001';
const delivered = '#W0000002';

/** Ada's orders at other prices: two jackets of `price` each. */
function shopAt(price: number): RetailData {
  const dear = (order: OrderRow | undefined): OrderRow => ({
    ...order!,
    items: order!.items.map((item) => ({ ...item, price })),
    payment_history: [{ ...order!.payment_history[0]!, amount: 2 * price }],
  });
  return {
    ...shop,
    orders: { ...shop.orders, [pending]: dear(shop.orders[pending]), [delivered]: dear(shop.orders[delivered]) },
  };
}

async function call(data: RetailData, approver: Approver | undefined, name: string, args: object) {
  const store = RetailStore.of(data).begin();
  const logger = { ...quietLogger, error: () => undefined };
  const app = await createRetailApplication(store, { logger, approver });
  const prompt = app.prompt(RetailDesk);
  const rendered = await prompt.render(everyChapter(prompt));
  const outcome = await app.invoke(rendered, name, { ...args }, { session: new Session() });
  return { ...outcome, changed: [...store.differences().orders.keys()] };
}

const cancel = { order_id: pending, reason: 'no longer needed' };
const giveBack = (ids: readonly string[], method = 'credit_card_1') => ({
  order_id: delivered,
  item_ids: ids,
  payment_method_id: method,
});

describe('a refund of more than the limit', () => {
  test.each<[string, object]>([
    ['cancel_pending_order', cancel],
    ['return_delivered_order_items', giveBack(['11', '12'])],
  ])('a large refund by %s is asked for, and made when it is approved', async (name, args) => {
    const decisions: Decision[] = [];
    const supervisor = new Supervisor((decision) => decisions.push(decision));
    const { kind, changed } = await call(shopAt(REFUND_LIMIT / 2 + 0.01), supervisor, name, args);
    expect(decisions).toEqual([{ tool: name, answer: { kind: 'approved' } }]);
    expect([kind, changed]).toEqual(['succeeded', [(args as { readonly order_id: string }).order_id]]);
  });

  test('a large refund is denied to a gift card, with a reason that says what to do, and changes nothing', async () => {
    const args = giveBack(['11', '12'], 'gift_card_1');
    const { kind, text, changed } = await call(shopAt(500), new Supervisor(), 'return_delivered_order_items', args);
    expect([kind, changed]).toEqual(['denied', []]);
    expect(text).toMatch(/gift card\. Offer the customer the payment method/);
  });

  test('a large refund is not made without an approver', async () => {
    const { kind, changed } = await call(shopAt(500), undefined, 'cancel_pending_order', cancel);
    expect([kind, changed]).toEqual(['denied', []]);
  });
});

describe('without an approver', () => {
  const nobody: Approver = {
    approve: (): ApprovalAnswer => {
      throw new Error('asked');
    },
  };

  test.each<[string, object]>([
    ['cancel_pending_order', cancel],
    ['return_delivered_order_items', giveBack(['11', '12'], 'gift_card_1')],
  ])('a refund of just the limit by %s is made without an approver', async (name, args) => {
    const { kind } = await call(shopAt(REFUND_LIMIT / 2), nobody, name, args);
    expect(kind).toBe('succeeded');
  });

  test('a refund for one of two items is made without an approver, when it alone is not above the limit', async () => {
    const { kind } = await call(shopAt(REFUND_LIMIT), nobody, 'return_delivered_order_items', giveBack(['12']));
    expect(kind).toBe('succeeded');
  });

  test('without an approver, a call about a missing order fails with the message of the tool', async () => {
    const { kind, text } = await call(shopAt(500), nobody, 'cancel_pending_order', {
      ...cancel,
      order_id: '#W9999999',
    });
    expect([kind, text]).toEqual(['failed', expect.stringContaining('There is no order #W9999999')]);
  });
});
