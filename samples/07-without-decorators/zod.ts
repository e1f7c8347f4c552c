import { definePrompt, defineSection, defineTool, ToolResult } from 'toolwright';
import { z } from 'zod';

// Zod 4.2 or later, or another library with Standard Schema and Standard JSON Schema. Its schema checks the arguments, and the
// handler gets the value that it returns.
const getOrder = defineTool({
  name: 'get_order',
  description: 'Fetch one order.',
  params: z.object({
    orderId: z
      .string()
      .regex(/^#W\d+$/)
      .describe('Order id, with its leading #'),
    withPayments: z.boolean().default(false).describe('Include the payments'),
  }),
  hints: { readOnly: true },
  handler: ({ orderId, withPayments }) =>
    ToolResult.ok(null, `Order ${orderId} is on its way${withPayments ? ', paid by card' : ''}.`),
});

const orders = defineSection({ key: 'orders', title: 'Orders', template: 'Look it up first.', tools: [getOrder] });

export const zodDesk = definePrompt({ ns: 'support', key: 'desk', sections: [orders] });
