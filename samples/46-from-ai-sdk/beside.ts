// The loop of the AI SDK with one tool of Toolwright: `reserve` is rolled back when it fails, the other tools are the old ones.
import { generateText, Output, type LanguageModel, type ModelMessage } from 'ai';
import { type Application, Session } from 'toolwright';
import { toAiTools } from '@toolwright/ai-sdk';
import { createSettings } from './before.js';
import { Desk } from './Desk.js';
import type { Shop } from './Shop.js';
import { answerSchema } from './tools.js';

export async function answerTicket(
  app: Application,
  model: LanguageModel,
  shop: Shop,
  user: string,
  messages: ModelMessage[],
) {
  const rendered = await app.prompt(Desk).render();
  const moved = toAiTools(app, rendered, { session: new Session(), runMetadata: { user } });
  const settings = createSettings(model, shop, user);
  return generateText({
    ...settings,
    tools: { ...settings.tools, reserve: moved['reserve']! },
    messages,
    output: Output.object({ schema: answerSchema }),
  });
}
