import { md, Param, Prompt, Section, Tool, ToolResult } from 'toolwright';

class DeskParams {
  @Param('Tool to try first')
  primaryTool = 'get_order';
}

class GetOrderParams {
  @Param({ description: 'Order id, with its leading #', pattern: /^#W\d+$/ })
  orderId!: string;

  @Param('Include the payments')
  withPayments = false;
}

@Section({
  key: 'orders',
  title: 'Orders',
  params: DeskParams,
  template: md`Look an order up before you change it. Prefer ${'primaryTool'}.`,
})
class OrdersSection {
  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId, withPayments }: GetOrderParams): ToolResult {
    return ToolResult.ok(null, `Order ${orderId} is on its way${withPayments ? ', paid by card' : ''}.`);
  }
}

@Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection] })
export class DecoratedDesk {}
