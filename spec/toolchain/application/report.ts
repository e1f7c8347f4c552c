import { type Constructor, createApplication, Session } from 'toolwright';
import type { ContainerAdapter } from 'toolwright/adapters';
import { OrderBook } from './shared.js';

const calls: readonly (readonly [name: string, args: string])[] = [
  ['count', '{"item":"apple"}'],
  ['count', '{"item":"flour","unit":"kg","times":2}'],
  ['count', '{"item":5,"unit":"pound"}'],
  ['list_items', '{}'],
  ['who_am_i', ''],
  ['ping', 'null'],
  [
    'order',
    '{"customer":"C7","unit":"kg","lines":[{"item":"flour","count":2}],"address":{"street":"Rue 1"},"not_before":"2030-05-01T00:00:00.000Z","labels":[" a","b "],"gift":true}',
  ],
  ['order', '{"customer":"C8","unit":"piece","lines":[{"item":"apple"}]}'],
  ['order', '{"customer":"C9","unit":"piece","lines":[{"item":"apple","count":9}]}'],
  [
    'order',
    '{"customer":"7","lines":[{"item":"apple","count":0.5,"colour":"red"}],"address":{},"not_before":"soon","labels":"a","discount":51}',
  ],
  ['order', '{"customer":'],
];

/** Everything that a model receives of a prompt, and the answers when it calls the tools. */
export async function report(desk: Constructor, container: ContainerAdapter | undefined): Promise<string> {
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const app = await createApplication({ prompts: [desk], container, logger });
  const session = new Session();
  session.install(OrderBook, { initial: () => new OrderBook() });
  const rendered = await app.prompt(desk).render({ session });
  const outcomes = [];
  for (const [name, args] of calls) {
    const { kind, text } = await app.invoke(rendered, name, args, { session });
    outcomes.push({ name, kind, text });
  }
  return JSON.stringify(
    {
      text: rendered.text,
      tools: rendered.toolSchemas('json-schema'),
      strict: rendered.toolSchemas('openai', { strict: true }),
      descriptions: rendered.toolParamDescriptions,
      fingerprint: rendered.fingerprint,
      outcomes,
      state: session.slice(OrderBook).all(),
    },
    null,
    1,
  );
}
