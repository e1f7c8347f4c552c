// The tools and the answer with the AI SDK 6.
import { tool } from 'ai';
import { z } from 'zod';
import { linesSchema, orders, type Shop } from './Shop.js';

export const createTools = ({ stock, payments }: Shop) => ({
  get_order: tool({
    description: 'Fetch one order.',
    inputSchema: z.object({
      orderId: z
        .string()
        .regex(/^W\d+$/)
        .describe('Order id, such as W1'),
    }),
    execute: ({ orderId }) => orders.get(orderId) ?? 'There is no such order.',
  }),
  reserve: tool({
    description: 'Take articles from the stock, to send them again.',
    inputSchema: linesSchema,
    execute: ({ lines }) => {
      for (const { sku, pieces } of lines) stock.take(sku, pieces);
      return 'Reserved.';
    },
  }),
  refund: tool({
    description: 'Refund a part of an order.',
    inputSchema: z.object({ orderId: z.string(), amount: z.number().int().min(1).describe('In euro') }),
    needsApproval: ({ amount }) => amount > 50,
    execute: ({ orderId, amount }, { experimental_context }) =>
      payments.refund(orderId, amount, (experimental_context as { user: string }).user),
  }),
});

export const answerSchema = z.object({
  refunded: z.number().describe('In euro'),
  reply: z.string().describe('What to tell the customer'),
});
