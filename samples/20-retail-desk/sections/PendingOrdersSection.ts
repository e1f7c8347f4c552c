import { Section, Tool, ToolContext, ToolRefusal } from 'toolwright';
import { PaymentService } from '../services/PaymentService.js';
import { ReplacementService } from '../services/ReplacementService.js';
import { CatalogueRepository } from '../store/CatalogueRepository.js';
import { OrderRepository } from '../store/OrderRepository.js';
import type { OrderRow, TransactionRow } from '../store/rows.js';
import { UserRepository } from '../store/UserRepository.js';
import { addressOf } from './addressOf.js';
import { cancelsMuch } from './largeRefunds.js';
import { CancelOrderParams, OrderAddressParams, OrderPaymentParams, ReplaceItemsParams } from './params.js';

@Section({
  key: 'pending',
  title: 'Pending orders',
  visibility: 'summary',
  summary: `
    Cancelling an order that is not on its way yet, or changing its address, payment or items; what comes back, and when.
    Open it as soon as a customer wants one of these.
  `,
  template: `
    All of this works for an order whose status is exactly "pending"; check it first.

    - Cancelling needs one of two reasons: no longer needed, or ordered by mistake. Refunds to a gift card arrive
      at once, all others within 5 to 7 business days. A cancelled order stays cancelled.
    - Of an order you can change the shipping address, the payment method, or the variants of its items; nothing else.
    - A new payment method must differ from the one that was used, and takes over the whole amount. A gift card
      must hold all of it. What was paid before is refunded as above.
    - An item can become another available variant of the same product, never another product. The customer names a
      payment method for the price difference; a gift card must hold it. Afterwards the status is "pending (item
      modified)" and nothing more can be changed or cancelled, so ask whether the list of items is complete.
  `,
})
export class PendingOrdersSection {
  constructor(
    private readonly payments: PaymentService,
    private readonly replacements: ReplacementService,
  ) {}

  @Tool({
    description: 'Cancel a pending order and refund it. Needs the explicit yes of the customer.',
    hints: { destructive: true },
    requiresApproval: cancelsMuch,
    // All effects are in the store, so a rehearsal can run the call itself.
    preview(this: PendingOrdersSection, params: CancelOrderParams, context) {
      return this.cancelPendingOrder(params, context);
    },
  })
  cancelPendingOrder(params: CancelOrderParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const users = context.resources.get(UserRepository);
    const order = orders.getInStatus(params.orderId, 'pending', 'cancelled');
    const refunds = order.payment_history.map((payment) => refund(payment.amount, payment.payment_method_id));
    for (const { amount, payment_method_id } of refunds) {
      if (!this.payments.isGiftCardId(payment_method_id)) continue;
      users.save(order.user_id, this.payments.settle(users.ownerOf(order), payment_method_id, -amount));
    }
    return orders.save({
      ...order,
      status: 'cancelled',
      cancel_reason: params.reason,
      payment_history: [...order.payment_history, ...refunds],
    });
  }

  @Tool({
    description: 'Replace the shipping address of a pending order. Needs the explicit yes of the customer.',
    preview(this: PendingOrdersSection, params: OrderAddressParams, context) {
      return this.modifyPendingOrderAddress(params, context);
    },
  })
  modifyPendingOrderAddress(params: OrderAddressParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const order = orders.getInStatus(params.orderId, 'pending', 'sent to another address');
    return orders.save({ ...order, address: addressOf(params) });
  }

  @Tool({
    description:
      'Move the payment of a pending order to another payment method. Needs the explicit yes of the customer.',
    preview(this: PendingOrdersSection, params: OrderPaymentParams, context) {
      return this.modifyPendingOrderPayment(params, context);
    },
  })
  modifyPendingOrderPayment(params: OrderPaymentParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const users = context.resources.get(UserRepository);
    const order = orders.getInStatus(params.orderId, 'pending', 'paid in another way');
    const { amount, payment_method_id: oldId } = onlyPayment(order);
    const newId = params.paymentMethodId;
    if (newId === oldId) {
      throw new ToolRefusal(`The order is already paid with ${oldId}. Ask for a different payment method.`);
    }
    const charged = this.payments.settle(users.ownerOf(order), newId, amount);
    const settled = this.payments.isGiftCardId(oldId) ? this.payments.settle(charged, oldId, -amount) : charged;
    users.save(order.user_id, settled);
    return orders.save({
      ...order,
      payment_history: [...order.payment_history, payment(amount, newId), refund(amount, oldId)],
    });
  }

  @Tool({
    description:
      'Replace items of a pending order by other variants, once per order. Needs the explicit yes of the customer.',
    preview(this: PendingOrdersSection, params: ReplaceItemsParams, context) {
      return this.modifyPendingOrderItems(params, context);
    },
  })
  modifyPendingOrderItems(params: ReplaceItemsParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const users = context.resources.get(UserRepository);
    const order = orders.getInStatus(params.orderId, 'pending', 'changed');
    const { itemIds, newItemIds, paymentMethodId } = params;
    const catalogue = context.resources.get(CatalogueRepository);
    const { replacements, difference } = this.replacements.quote(order, itemIds, newItemIds, catalogue);
    users.save(order.user_id, this.payments.settle(users.ownerOf(order), paymentMethodId, difference));
    // Unrounded, as the shop's data has always held it; only balances are rounded.
    const transaction =
      difference > 0 ? payment(difference, paymentMethodId) : refund(Math.abs(difference), paymentMethodId);
    return orders.save({
      ...order,
      status: 'pending (item modified)',
      items: this.replacements.apply(order.items, replacements),
      payment_history: [...order.payment_history, transaction],
    });
  }
}

function payment(amount: number, payment_method_id: string): TransactionRow {
  return { transaction_type: 'payment', amount, payment_method_id };
}

function refund(amount: number, payment_method_id: string): TransactionRow {
  return { transaction_type: 'refund', amount, payment_method_id };
}

function onlyPayment(order: OrderRow): TransactionRow {
  const [first, ...others] = order.payment_history;
  if (first?.transaction_type !== 'payment' || others.length > 0) {
    throw new ToolRefusal(
      `The payment of order ${order.order_id} has been changed before, which works once. ` +
        'Tell the customer that its payment method stays as it is.',
    );
  }
  return first;
}
