import type { CallContext } from 'toolwright/policies';
import { OrderRepository } from '../store/OrderRepository.js';
import type { CancelOrderParams, ReturnItemsParams } from './params.js';

/** In USD. Larger refunds need the approval of a supervisor. */
export const REFUND_LIMIT = 200;

/** Returns true if cancelling the order refunds more than the limit. */
export function cancelsMuch({ orderId }: CancelOrderParams, { resources }: CallContext): boolean {
  const payments = resources.get(OrderRepository).find(orderId)?.payment_history ?? [];
  return sum(payments.map(({ amount }) => amount)) > REFUND_LIMIT;
}

/** Returns true if returning the items refunds more than the limit. */
export function returnsMuch({ orderId, itemIds }: ReturnItemsParams, { resources }: CallContext): boolean {
  const items = resources.get(OrderRepository).find(orderId)?.items ?? [];
  return sum(itemIds.map((id) => items.find(({ item_id }) => item_id === id)?.price ?? 0)) > REFUND_LIMIT;
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
