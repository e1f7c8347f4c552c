// The agent with Toolwright: its tools are in Desk.ts.
import { type Application, bind, createApplication, type Logger, type Message } from 'toolwright';
import { AiSdkAdapter, type AiSdkOptions } from '@toolwright/ai-sdk';
import type { Conversation } from 'toolwright/conversations';
import { chatHandler } from '@toolwright/ui';
import { Answer, Desk } from './Desk.js';
import { Payments, type Shop, Stock } from './Shop.js';

export const openDesk = ({ stock, payments }: Shop, logger?: Logger) =>
  createApplication({
    prompts: [Desk],
    resources: [bind(Stock, { value: stock }), bind(Payments, { value: payments })],
    logger,
    approver: { approve: () => ({ kind: 'later' }) },
  });

export const answerTicket = (
  app: Application,
  model: AiSdkOptions['model'],
  user: string,
  conversation: Conversation,
  messages: readonly Message[] = [],
) =>
  app.evaluate(app.prompt(Desk), {
    adapter: new AiSdkAdapter({ model }),
    conversation,
    messages,
    output: Answer,
    maxTurns: 20,
    runMetadata: { user },
  });

export const openChat = (app: Application, model: AiSdkOptions['model']) =>
  chatHandler(
    {
      app,
      prepare: ({ input: user }: { readonly input: string }) => ({
        prompt: Desk,
        adapter: new AiSdkAdapter({ model }),
        maxTurns: 20,
        runMetadata: { user },
      }),
    },
    {
      authenticate: (request) => ({ id: request.headers.get('x-user') ?? 'guest' }),
      input: ({ user }) => user.id,
    },
  );
