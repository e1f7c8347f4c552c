import type { ModelRequest } from 'toolwright';
import type { ScriptedTurn, ScriptStep } from 'toolwright/testing';
import { MoneyService } from '../services/MoneyService.js';
import type { OrderRow, UserRow } from '../store/rows.js';
import { describeOptions, type Scenario } from './scenario.js';

export interface Script {
  /** The customer's messages, one for each evaluation. */
  readonly customer: readonly string[];
  readonly model: readonly ScriptStep[];
}

const money = new MoneyService();

/**
 * Writes the script of a conversation: the customer is authenticated and wants to exchange an item, and their gift card cannot pay.
 * The model takes ids from the answers of the tools, as a real one would.
 */
export function writeScript(scenario: Scenario): Script {
  const { user, order, item, wanted, giftCard, otherMethod } = scenario;
  const exchange = (methodId: string): ScriptedTurn =>
    call('exchange_delivered_order_items', {
      order_id: order.order_id,
      item_ids: [item.item_id],
      new_item_ids: [wanted.item_id],
      payment_method_id: methodId,
    });
  return {
    customer: [
      `Hello, my email is ${user.email}. In order ${order.order_id} I got the ${item.name} ` +
        `(${describeOptions(item)}). Please exchange it for another one (${describeOptions(wanted)}); my gift card pays.`,
      'Yes, please do that.',
      `Oh. Then use ${otherMethod.id}. Yes, go ahead.`,
      'Please try once more.',
    ],
    model: [
      call('find_user_id_by_email', { email: user.email }),
      (request) => call('get_user_details', { user_id: lastAnswer(request) }),
      (request) => call('get_order_details', { order_id: orderOf(lastRow<UserRow>(request), order.order_id) }),
      // The order was delivered: the rules for delivered orders and for products are in chapters that are still closed.
      open(['orders.delivered', 'catalogue'], 'The customer wants to exchange an item of a delivered order.'),
      (request) => call('get_product_details', { product_id: productOf(orderIn(request), item.item_id) }),
      call('calculate', { expression: `${wanted.price} - ${item.price}` }),
      (request) => ({
        text:
          `I can exchange the ${item.name}, item ${item.item_id}, for item ${wanted.item_id} ` +
          `(${describeOptions(wanted)}). ` +
          `The price difference is $${Number(lastAnswer(request)).toFixed(2)}, to be charged to ${giftCard.id}. ` +
          'Is this the only item, and shall I go ahead (yes/no)?',
      }),
      exchange(giftCard.id),
      {
        text:
          `I am sorry: your gift card holds ${money.format(giftCard.balance)}, which is not enough. Nothing has been ` +
          `changed. You could pay the difference with ${otherMethod.id} instead. Shall I do that (yes/no)?`,
      },
      exchange(otherMethod.id),
      {
        text:
          'I am sorry: the collection of the old item could not be booked, so the exchange was not made. ' +
          `Order ${order.order_id} is as it was, and nothing is charged. Shall I try again?`,
      },
      exchange(otherMethod.id),
      (request) => ({
        text:
          `Done: order ${order.order_id} is now "${lastRow<OrderRow>(request).status}". An email will tell you how to ` +
          'send the old item back.',
      }),
    ],
  };
}

export function call(name: string, args: Readonly<Record<string, unknown>>): ScriptedTurn {
  return { toolCalls: [{ name, arguments: args }] };
}

/** Opens chapters that are shown as a summary. */
export function open(section_keys: readonly string[], reason: string): ScriptedTurn {
  return call('open_sections', { section_keys, reason });
}

export function lastAnswer({ messages }: ModelRequest): string {
  const last = messages.at(-1);
  if (last?.role !== 'tool') throw new TypeError('The script expected the answer of a tool at this point.');
  return last.content;
}

export function lastRow<Row>(request: ModelRequest): Row {
  return JSON.parse(lastAnswer(request)) as Row;
}

/** Returns the order that was looked up last. */
function orderIn({ messages }: ModelRequest): OrderRow {
  const answers = messages.filter((message) => message.role === 'tool' && message.name === 'get_order_details');
  return JSON.parse(answers.at(-1)?.content ?? 'null') as OrderRow;
}

export function orderOf(user: UserRow, orderId: string): string {
  return user.orders.find((id) => id === orderId) ?? '';
}

function productOf(order: OrderRow, itemId: string): string {
  return order.items.find((item) => item.item_id === itemId)?.product_id ?? '';
}
