import { Param, Prompt, Section, Tool, ToolContext } from 'toolwright';
import { ScopePolicy } from 'toolwright/policies';

class OrderParams {
  @Param('Order id, with its leading #') orderId!: string;
}

@Section({
  title: 'Orders',
  template: 'Look an order up before you change it.',
  policies: [new ScopePolicy('orders:read')],
})
class Orders {
  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams, { runMetadata }: ToolContext) {
    return `${orderId} is pending, ${runMetadata['principal'] ?? 'stranger'}.`;
  }

  @Tool({ description: 'Cancel an order.', policies: [new ScopePolicy('orders:write')] })
  cancelOrder({ orderId }: OrderParams) {
    return `Cancelled ${orderId}.`;
  }
}

@Prompt({ ns: 'shop', key: 'desk', name: 'Support desk', sections: [Orders] })
export class Desk {}
