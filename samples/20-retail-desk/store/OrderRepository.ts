import { ToolRefusal } from 'toolwright';
import type { RetailStore } from './RetailStore.js';
import type { OrderRow } from './rows.js';

/** Orders of one tool call: created for each call, over that call's overlay of the store. */
export class OrderRepository {
  constructor(private readonly store: RetailStore) {}

  find(orderId: string): OrderRow | undefined {
    return this.store.orders.get(orderId);
  }

  get(orderId: string): OrderRow {
    const order = this.find(orderId);
    if (order === undefined) {
      throw new ToolRefusal(
        `There is no order ${orderId}. Take the id from the orders in get_user_details, or ask the customer for it.`,
      );
    }
    return order;
  }

  /** Returns the order if it has the status that the caller's action requires. */
  getInStatus(orderId: string, status: 'pending' | 'delivered', action: string): OrderRow {
    const order = this.get(orderId);
    if (order.status !== status) {
      throw new ToolRefusal(
        `Order ${orderId} is "${order.status}", and only an order that is "${status}" can be ${action}. ` +
          'Nothing was changed. Tell the customer which actions its status still allows.',
      );
    }
    return order;
  }

  save(order: OrderRow): OrderRow {
    this.store.orders.set(order.order_id, order);
    return order;
  }
}
