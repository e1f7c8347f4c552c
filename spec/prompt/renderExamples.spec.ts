import { createApplication, definePrompt, defineSection, defineTool, Field, Param, type Constructor } from 'toolwright';

async function textOf(tools: readonly Constructor[], template?: string): Promise<string> {
  const section = defineSection({ key: 's', title: 'S', template, tools });
  const type = definePrompt({ ns: 'n', key: 'k', sections: [section], heading: 'plain' });
  const app = await createApplication({ prompts: [type], fieldNames: 'snake_case' });
  return (await app.prompt(type).render()).text;
}
class Get {
  @Param('Order id') orderId!: string;
}
class Order {
  @Field('Id') orderId!: string;
}

describe('the examples of tools', () => {
  test('examples are a short block after the body, in the names that the model uses', async () => {
    const get = defineTool({
      name: 'get_order',
      description: 'Fetches.',
      params: Get,
      result: Order,
      handler: () => null,
      examples: [
        {
          description: ' A found order ',
          input: Object.assign(new Get(), { orderId: '#W1' }),
          output: Object.assign(new Order(), { orderId: '#W1' }),
        },
      ],
    });
    expect(await textOf([get], 'Body.')).toBe(
      '## S\n\nBody.\n\nExamples:\n- A found order: `get_order({"order_id":"#W1"})` gives `{"order_id":"#W1"}`',
    );
  });

  test('the example of a tool without params and result is the call alone', async () => {
    const ping = defineTool({
      name: 'ping',
      description: 'Answers.',
      handler: () => 'pong',
      examples: [{ description: 'Knocking', input: null, output: null }],
    });
    expect(await textOf([ping])).toBe('## S\n\nExamples:\n- Knocking: `ping()`');
  });

  test('the examples of several tools share one block, in the order of the tools', async () => {
    const tool = (name: string) =>
      defineTool({
        name,
        description: 'Acts.',
        handler: () => null,
        examples: [1, 2].map((n) => ({ description: `${name} ${n}`, input: null, output: null })),
      });
    expect(await textOf([tool('a'), tool('b')])).toBe(
      '## S\n\nExamples:\n- a 1: `a()`\n- a 2: `a()`\n- b 1: `b()`\n- b 2: `b()`',
    );
  });

  test('without examples there is no block', async () => {
    expect(await textOf([defineTool({ name: 'a', description: 'Acts.', handler: () => null })])).toBe('## S');
  });
});
