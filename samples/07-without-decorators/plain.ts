import { definePrompt, defineSection, defineTool, md, Param, ToolResult } from 'toolwright';

// A decorator is a function that can be called. No compiler emits types here, so they come from the initial values and
// the rules; a property with neither needs `type: String`.
class DeskParams {
  primaryTool = 'get_order';
}
Param('Tool to try first')(DeskParams.prototype, 'primaryTool');

class GetOrderParams {
  orderId!: string;
  withPayments = false;
}
Param({ description: 'Order id, with its leading #', pattern: /^#W\d+$/ })(GetOrderParams.prototype, 'orderId');
Param('Include the payments')(GetOrderParams.prototype, 'withPayments');

const getOrder = defineTool({
  name: 'get_order', // nothing to derive it from
  description: 'Fetch one order.',
  params: GetOrderParams,
  hints: { readOnly: true },
  handler: ({ orderId, withPayments }) =>
    ToolResult.ok(null, `Order ${orderId} is on its way${withPayments ? ', paid by card' : ''}.`),
});

const orders = defineSection({
  key: 'orders',
  title: 'Orders',
  params: DeskParams,
  template: md`Look an order up before you change it. Prefer ${'primaryTool'}.`,
  tools: [getOrder],
});

export const plainDesk = definePrompt({ ns: 'support', key: 'desk', sections: [orders] });
