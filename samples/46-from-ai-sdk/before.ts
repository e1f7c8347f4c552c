// The agent with the AI SDK 6: its tools are in tools.ts.
import { convertToModelMessages, generateText, Output, stepCountIs, streamText } from 'ai';
import type { LanguageModel, ModelMessage, UIMessage } from 'ai';
import { instructions, type Shop } from './Shop.js';
import { answerSchema, createTools } from './tools.js';

export const createSettings = (model: LanguageModel, shop: Shop, user: string) =>
  ({
    model,
    system: instructions,
    tools: createTools(shop),
    stopWhen: stepCountIs(20),
    experimental_context: { user },
  }) as const;

export const answerTicket = (model: LanguageModel, shop: Shop, user: string, messages: ModelMessage[]) =>
  generateText({ ...createSettings(model, shop, user), messages, output: Output.object({ schema: answerSchema }) });

export async function chat(model: LanguageModel, shop: Shop, request: Request): Promise<Response> {
  const { messages } = (await request.json()) as { messages: UIMessage[] };
  const user = request.headers.get('x-user') ?? 'guest';
  const result = streamText({ ...createSettings(model, shop, user), messages: await convertToModelMessages(messages) });
  return result.toUIMessageStreamResponse({ originalMessages: messages });
}
