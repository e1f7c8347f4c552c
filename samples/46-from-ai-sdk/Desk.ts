// The same tools and answer with Toolwright.
import { Field, Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import type { z } from 'zod';
import { instructions, linesSchema, type Order, orders, Payments, Stock } from './Shop.js';

class OrderParams {
  @Param({ description: 'Order id, such as W1', pattern: /^W\d+$/ })
  orderId!: string;
}

class RefundParams extends OrderParams {
  @Param({ description: 'In euro', integer: true, min: 1 })
  amount!: number;
}

export class Answer {
  @Field('In euro')
  refunded!: number;

  @Field('What to tell the customer')
  reply!: string;
}

@Section({ title: 'Tickets', template: instructions })
class Tickets {
  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams): Order | string {
    return orders.get(orderId) ?? 'There is no such order.';
  }

  @Tool({ description: 'Take articles from the stock, to send them again.', params: linesSchema })
  reserve({ lines }: z.infer<typeof linesSchema>, { resources }: ToolContext): string {
    for (const { sku, pieces } of lines) resources.get(Stock).take(sku, pieces);
    return 'Reserved.';
  }

  @Tool({ description: 'Refund a part of an order.', requiresApproval: ({ amount }: RefundParams) => amount > 50 })
  refund({ orderId, amount }: RefundParams, { resources, runMetadata }: ToolContext): string {
    return resources.get(Payments).refund(orderId, amount, String(runMetadata['user']));
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Tickets] })
export class Desk {}
