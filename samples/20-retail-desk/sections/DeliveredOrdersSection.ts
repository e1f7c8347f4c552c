import { Section, Tool, ToolContext, ToolRefusal } from 'toolwright';
import { CourierService } from '../services/CourierService.js';
import { MoneyService } from '../services/MoneyService.js';
import { PaymentService } from '../services/PaymentService.js';
import { ReplacementService } from '../services/ReplacementService.js';
import { CatalogueRepository } from '../store/CatalogueRepository.js';
import { OrderRepository } from '../store/OrderRepository.js';
import type { OrderRow } from '../store/rows.js';
import { UserRepository } from '../store/UserRepository.js';
import { returnsMuch } from './largeRefunds.js';
import { ReplaceItemsParams, ReturnItemsParams } from './params.js';

/**
 * The courier is outside the transaction, so both tools call it last: if it fails, the earlier change is rolled back with the call;
 * a booking could not be rolled back.
 */
@Section({
  key: 'delivered',
  title: 'Delivered orders',
  visibility: 'summary',
  summary: `
    Giving back or exchanging what has arrived; where the money goes, and when a supervisor is asked.
    Open it as soon as a customer wants one of these.
  `,
  template: `
    An order whose status is "delivered" can be returned or exchanged, one of the two and once; check its status first.

    - A return takes a list of items. The refund goes to the payment method that was used, or to a gift card that
      the customer already has; nowhere else. The status becomes "return requested".
    - An exchange swaps items for other available variants of the same products. The customer names a payment method
      for the price difference; a gift card must hold it. The status becomes "exchange requested"; no new order is
      placed. Ask whether the list of items is complete before you call the tool.
    - A large refund is looked at by a supervisor first. Tell the customer what came of it.
    - In both cases the customer gets an email that says how to send the items back.
  `,
})
export class DeliveredOrdersSection {
  constructor(
    private readonly payments: PaymentService,
    private readonly replacements: ReplacementService,
    private readonly money: MoneyService,
    private readonly courier: CourierService,
  ) {}

  @Tool({
    description: 'Return items of a delivered order. Needs the explicit yes of the customer.',
    requiresApproval: returnsMuch,
    preview(this: DeliveredOrdersSection, params: ReturnItemsParams, context) {
      return this.requestReturn(params, context);
    },
  })
  async returnDeliveredOrderItems(params: ReturnItemsParams, context: ToolContext): Promise<OrderRow> {
    const saved = this.requestReturn(params, context);
    await this.courier.bookCollection(saved);
    return saved;
  }

  @Tool({
    description: 'Exchange items of a delivered order for other variants. Needs the explicit yes of the customer.',
    preview(this: DeliveredOrdersSection, params: ReplaceItemsParams, context) {
      return this.requestExchange(params, context);
    },
  })
  async exchangeDeliveredOrderItems(params: ReplaceItemsParams, context: ToolContext): Promise<OrderRow> {
    const saved = this.requestExchange(params, context);
    await this.courier.bookCollection(saved);
    return saved;
  }

  /** Records a return in the store; the caller still has to book the courier. */
  private requestReturn(params: ReturnItemsParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const order = orders.getInStatus(params.orderId, 'delivered', 'returned');
    const { itemIds, paymentMethodId } = params;
    this.payments.methodOf(context.resources.get(UserRepository).ownerOf(order), paymentMethodId);
    const usedId = order.payment_history[0]?.payment_method_id;
    if (!this.payments.isGiftCardId(paymentMethodId) && paymentMethodId !== usedId) {
      throw new ToolRefusal(
        `A refund goes to the payment method of the order (${usedId ?? 'none'}) or to a gift card of the customer, ` +
          `not to ${paymentMethodId}. Ask the customer which of these it shall be.`,
      );
    }
    this.replacements.requireItems(order, itemIds);
    return orders.save({
      ...order,
      status: 'return requested',
      return_items: [...itemIds].sort(),
      return_payment_method_id: paymentMethodId,
    });
  }

  private requestExchange(params: ReplaceItemsParams, context: ToolContext): OrderRow {
    const orders = context.resources.get(OrderRepository);
    const order = orders.getInStatus(params.orderId, 'delivered', 'exchanged');
    const { itemIds, newItemIds, paymentMethodId } = params;
    const catalogue = context.resources.get(CatalogueRepository);
    const quote = this.replacements.quote(order, itemIds, newItemIds, catalogue);
    const difference = this.money.round(quote.difference);
    this.payments.requireCover(context.resources.get(UserRepository).ownerOf(order), paymentMethodId, difference);
    return orders.save({
      ...order,
      status: 'exchange requested',
      exchange_items: [...itemIds].sort(),
      exchange_new_items: [...newItemIds].sort(),
      exchange_payment_method_id: paymentMethodId,
      exchange_price_difference: difference,
    });
  }
}
