import type { ScriptStep } from 'toolwright/testing';
import { REFUND_LIMIT } from '../sections/largeRefunds.js';
import type { GiftCardRow, OrderRow, ProductRow, RetailData, UserRow } from '../store/rows.js';
import { call, lastAnswer, lastRow, open, orderOf, type Script } from './script.js';

/** A customer who wants three things at once, one of them a refund that a supervisor decides about. */
export interface LongRequest {
  readonly userId: string;
  readonly user: UserRow;
  readonly order: OrderRow;
  readonly giftCard: GiftCardRow;
  /** The payment method of the order. */
  readonly paidWith: string;
  readonly product: ProductRow;
}

/** Returns the first such customer of the data who has another order than the given one; the generated data has several. */
export function findLongRequest(data: RetailData, takenOrder: string): LongRequest | undefined {
  const [product] = Object.values(data.products);
  for (const order of Object.values(data.orders)) {
    const user = data.users[order.user_id];
    const paidWith = order.payment_history[0]?.payment_method_id;
    if (order.order_id === takenOrder || order.status !== 'delivered') continue;
    if (user === undefined || paidWith === undefined || product === undefined) continue;
    const giftCard = Object.values(user.payment_methods).find((method) => method.source === 'gift_card');
    const total = order.items.reduce((sum, { price }) => sum + price, 0);
    if (giftCard === undefined || giftCard.id === paidWith || total <= REFUND_LIMIT) continue;
    return { userId: order.user_id, user, order, giftCard, paidWith, product };
  }
  return undefined;
}

const newAddress = {
  address1: '5 Harbour Street',
  address2: '',
  city: 'Duluth',
  state: 'MN',
  country: 'USA',
  zip: '55802',
};

/** Writes the script of the conversation: a plan of three steps, and a refund that is denied the first way and approved the second. */
export function writeLongScript({ userId, user, order, giftCard, paidWith, product }: LongRequest): Script {
  const { order_id } = order;
  const giveBack = (payment_method_id: string) =>
    call('return_delivered_order_items', {
      order_id,
      item_ids: order.items.map(({ item_id }) => item_id),
      payment_method_id,
    });
  const done = (step_id: number) => call('planning_update_step', { step_id, status: 'done' });
  const steps = [
    `Return all of ${order_id}`,
    'Change the address in the profile',
    `Count the kinds of ${product.name}`,
  ];
  const model: readonly ScriptStep[] = [
    call('find_user_id_by_email', { email: user.email }),
    (request) => call('get_user_details', { user_id: lastAnswer(request) }),
    (request) => call('get_order_details', { order_id: orderOf(lastRow<UserRow>(request), order_id) }),
    open(['orders.delivered'], 'The customer wants to give everything of an order back.'),
    call('planning_setup_plan', { objective: `Three requests of ${userId}`, initial_steps: steps }),
    {
      text:
        `I would send back all ${order.items.length} items of ${order_id}, with the refund on ${giftCard.id}, and set ` +
        `your address to ${newAddress.address1}, ${newAddress.city}. Shall I (yes/no)?`,
    },
    giveBack(giftCard.id),
    {
      text:
        `I am sorry: a refund of this size cannot go on a gift card, and nothing has been changed. It can go back to ` +
        `${paidWith}. Shall I do that (yes/no)?`,
    },
    giveBack(paidWith),
    done(1),
    call('modify_user_address', { user_id: userId, ...newAddress }),
    done(2),
    open(['catalogue'], 'The customer asks what we have of a product.'),
    call('get_product_details', { product_id: product.product_id }),
    done(3),
    {
      text:
        `All three are done: ${order_id} goes back and is refunded to ${paidWith}, your address is changed, and we have ` +
        `${Object.values(product.variants).filter(({ available }) => available).length} kinds of ${product.name}.`,
    },
  ];
  return {
    customer: [
      `Hello, I am ${user.email} and want three things. Take back everything of ${order_id}, the money on my gift ` +
        `card. My new address is ${newAddress.address1}, ${newAddress.city}, MN ${newAddress.zip}. And how many kinds ` +
        `of ${product.name} do you have?`,
      'Yes to both.',
      'All right, yes.',
    ],
    model,
  };
}
