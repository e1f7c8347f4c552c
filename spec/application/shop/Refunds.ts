import { Param, Section, Tool, type Ref } from 'toolwright';
import { Order } from './Orders.js';

@Section({ key: 'refunds', title: 'Refunds', template: 'Refunds take five days; $first finds the order.' })
export class Refunds {
  @Tool({ description: 'Refund an order.', params: () => RefundParams })
  refund({ reason, order }: Ref<RefundParams>): string {
    return `${reason}: ${order?.placed.toISOString() ?? 'no order'}`;
  }
}

class RefundParams {
  @Param({ description: 'Why', minLength: 3 })
  reason!: string;

  @Param({ description: 'The order', type: () => Order, optional: true })
  order?: Ref<Order>;
}
