import { Section, Tool, ToolContext } from 'toolwright';
import { OrderRepository } from '../store/OrderRepository.js';
import type { OrderRow } from '../store/rows.js';
import { DeliveredOrdersSection } from './DeliveredOrdersSection.js';
import { OrderParams } from './params.js';
import { PendingOrdersSection } from './PendingOrdersSection.js';

@Section({
  key: 'orders',
  title: 'Orders',
  template: `
    Look an order up before you promise anything: its status decides what can be done, and its items and payment
    history hold the ids that the other tools ask for.
  `,
  children: [PendingOrdersSection, DeliveredOrdersSection],
})
export class OrdersSection {
  @Tool({
    description: 'Get an order: status, items, address, payment history, deliveries.',
    hints: { readOnly: true },
  })
  getOrderDetails(params: OrderParams, context: ToolContext): OrderRow {
    return context.resources.get(OrderRepository).get(params.orderId);
  }
}
