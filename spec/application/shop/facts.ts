import { createApplication, Prompt, type Constructor } from 'toolwright';

const calls: readonly (readonly [name: string, args: Readonly<Record<string, unknown>>])[] = [
  ['get_order', { id: '#W1', since: '2030-05-01T00:00:00.000Z', lines: [{ item: 'tea', parts: [{ item: 'bag' }] }] }],
  ['get_order', { id: 'W1', lines: [{ count: 10, colour: 'red' }], totals: { eur: 'x' } }],
  ['list_orders', {}],
  ['count', { status: 'delivered' }],
  ['refund', { reason: 'late', order: { id: '#W1', placed: '2030-05-01T00:00:00+02:00', lines: [] } }],
  ['write', { text: 'istanbul' }],
  ['writ', {}],
];

/** Everything of a prompt with these sections that a model can see. */
export async function facts(sections: readonly Constructor[]): Promise<string> {
  @Prompt({ ns: 'stability', key: 'desk', sections })
  class Desk {}
  const silent = () => undefined;
  const logger = { debug: silent, info: silent, warn: silent, error: silent };
  const app = await createApplication({ prompts: [Desk], fieldNames: 'snake_case', logger });
  const rendered = await app.prompt(Desk).render();
  const texts = [];
  for (const [name, args] of calls) texts.push((await app.invoke(rendered, name, args)).text);
  return JSON.stringify(
    {
      text: rendered.text,
      fingerprint: rendered.fingerprint,
      tools: rendered.toolSchemas('json-schema'),
      strict: rendered.toolSchemas('openai', { strict: true }),
      descriptions: rendered.toolParamDescriptions,
      texts,
    },
    null,
    1,
  );
}
