// A program that declares one tool as the AI SDK does, calls it once as the SDK's loop does, and returns the result.
export async function peers() {
  return {
    contenders: {
      'AI SDK 7 with zod': () => `
        import { asSchema, tool } from 'ai';
        import { z } from 'zod';
        const order = tool({
          description: 'Does it.',
          inputSchema: z.object({
            orderId: z.string().describe('Order id'),
            count: z.int().min(1).default(1).describe('How many'),
            note: z.string().optional().describe('Note'),
            tags: z.array(z.string()).describe('Tags'),
          }),
          execute: async ({ orderId, count }) => ({ orderId, total: count }),
        });
        const { value } = await asSchema(order.inputSchema).validate(given);
        const result = await order.execute(value, { toolCallId: 'c1', messages: [] });`,
    },
  };
}
