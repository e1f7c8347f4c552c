import type { OrderRow, RetailData, UserRow } from '../store/rows.js';

type Arguments = Readonly<Record<string, unknown>>;

/** Lists arguments with which each tool of the desk succeeds on the data. */
export function listExamples(data: RetailData): Readonly<Record<string, readonly Arguments[]>> {
  const orders = Object.values(data.orders);
  const [userId, user] = Object.entries(data.users)[0] as [string, UserRow];
  const [product] = Object.values(data.products);
  const pending = orders.filter(({ status }) => status === 'pending');
  const delivered = orders.filter(({ status }) => status === 'delivered');
  const repaid = pending.find((order) => findOtherMethod(order, data) !== undefined);
  const large = pending.find(({ payment_history: [payment] }) => (payment?.amount ?? 0) > 200);
  const returned = delivered.find(
    ({ payment_history: [payment], items: [item] }) => payment && (item?.price ?? 0) > 200,
  );
  const { address1, address2, city, state, country, zip } = user.address;
  const address = { address1, address2: `${address2}, back door`, city, state, country, zip };
  return {
    calculate: [{ expression: '(19.99 + 5) * 2' }],
    think: [{ thought: 'Two rules meet.' }],
    transfer_to_human_agents: [{ summary: 'The customer wants to talk to a person.' }],
    find_user_id_by_email: [{ email: user.email }],
    find_user_id_by_name_zip: [{ ...user.name, zip }],
    get_user_details: [{ user_id: userId }],
    modify_user_address: [{ user_id: userId, ...address }],
    get_product_details: [{ product_id: product?.product_id }],
    get_order_details: [{ order_id: orders[0]?.order_id }],
    cancel_pending_order: [{ order_id: large?.order_id, reason: 'no longer needed' }],
    modify_pending_order_address: [{ order_id: pending[0]?.order_id, ...address }],
    modify_pending_order_payment: [
      { order_id: repaid?.order_id, payment_method_id: repaid && findOtherMethod(repaid, data) },
    ],
    modify_pending_order_items: listSwaps(pending, data),
    return_delivered_order_items: [
      {
        order_id: returned?.order_id,
        item_ids: [returned?.items[0]?.item_id],
        payment_method_id: returned?.payment_history[0]?.payment_method_id,
      },
    ],
    exchange_delivered_order_items: listSwaps(delivered, data),
  };
}

/** Finds a payment method other than the used one that is not a gift card, which might not hold the amount. */
function findOtherMethod({ user_id, payment_history }: OrderRow, { users }: RetailData): string | undefined {
  const methods = Object.values(users[user_id]?.payment_methods ?? {});
  const used = payment_history[0]?.payment_method_id;
  return methods.find(({ id, source }) => source !== 'gift_card' && id !== used)?.id;
}

/** Lists the swap of one item for another variant, paid by a method that covers any difference. */
function listSwaps(orders: readonly OrderRow[], data: RetailData): readonly Arguments[] {
  for (const { order_id, user_id, items } of orders)
    for (const { item_id, product_id } of items) {
      const variants = Object.values(data.products[product_id]?.variants ?? {});
      const other = variants.find((variant) => variant.available && variant.item_id !== item_id);
      const methods = Object.values(data.users[user_id]?.payment_methods ?? {});
      const method = methods.find(({ source }) => source !== 'gift_card');
      if (other === undefined || method === undefined) continue;
      return [{ order_id, item_ids: [item_id], new_item_ids: [other.item_id], payment_method_id: method.id }];
    }
  return [];
}
