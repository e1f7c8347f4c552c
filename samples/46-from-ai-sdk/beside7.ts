// The middle of the way with the AI SDK 7: its agent keeps the loop and the tool that asks for approval; two tools are Toolwright's.
import { isStepCount, Output, tool, ToolLoopAgent, type LanguageModel } from 'ai7';
import { type Application, Session } from 'toolwright';
import { toAiTools } from '@toolwright/ai-sdk';
import { z } from 'zod';
import { Desk } from './Desk.js';
import { instructions, type Shop } from './Shop.js';
import { answerSchema } from './tools.js';

const createRefund = ({ payments }: Shop) =>
  tool({
    description: 'Refund a part of an order.',
    inputSchema: z.object({ orderId: z.string(), amount: z.number().int().min(1).describe('In euro') }),
    contextSchema: z.object({ user: z.string() }),
    execute: ({ orderId, amount }, { context }) => payments.refund(orderId, amount, context.user),
  });

export async function createAgent(app: Application, model: LanguageModel, shop: Shop, user: string) {
  const rendered = await app.prompt(Desk).render();
  const moved = toAiTools(app, rendered, { session: new Session(), runMetadata: { user } });
  return new ToolLoopAgent({
    model,
    instructions,
    tools: { get_order: moved['get_order']!, reserve: moved['reserve']!, refund: createRefund(shop) },
    toolApproval: { refund: ({ amount }) => (amount > 50 ? 'user-approval' : 'approved') },
    stopWhen: isStepCount(20),
    output: Output.object({ schema: answerSchema }),
    toolsContext: { refund: { user } },
  });
}
