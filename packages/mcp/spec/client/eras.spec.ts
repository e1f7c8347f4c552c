import 'reflect-metadata';
import { inputRequired } from '@modelcontextprotocol/server';
import { createApplication, definePrompt, type ToolOutcome } from 'toolwright';
import { followMcp, mcpSection, type McpConnectionSource, type McpSectionOptions } from '@toolwright/mcp';
import { closeServers, connected, text } from '../support/clientServers';
import { closeModernServers, connectedModern } from '../support/modernServers';
import { silent } from '../../../../spec/support/silent';

afterEach(async () => {
  await closeServers();
  await closeModernServers();
});

const echo = {
  name: 'echo',
  description: 'Returns the text.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
};

async function invoke(
  source: McpConnectionSource,
  params: Readonly<Record<string, unknown>>,
  options: Partial<McpSectionOptions> = {},
): Promise<ToolOutcome> {
  const remote = await mcpSection(source, { key: 'remote', title: 'Remote', logger: silent, ...options });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  const outcome = await app.invoke(await app.prompt(prompt).render(), 'echo', params);
  await app.close();
  return outcome;
}

const returned = ({ arguments: given }: Readonly<Record<string, unknown>>): unknown =>
  text((given as { readonly text: string }).text);

describe('servers of both eras', () => {
  test('a client of 2.x calls a tool of a server of 2026-07-28', async () => {
    const { client } = await connectedModern({ tools: () => [echo], call: returned });
    expect(client.getProtocolEra()).toBe('modern');
    expect(await invoke(client, { text: 'hello' })).toMatchObject({ kind: 'succeeded', text: 'hello' });
  });

  test('a client of 2.x calls a tool of a server of 2025-11-25', async () => {
    const { client } = await connectedModern({ tools: () => [echo], call: returned }, {});
    expect(client.getProtocolEra()).toBe('legacy');
    expect(await invoke(client, { text: 'hello' })).toMatchObject({ kind: 'succeeded', text: 'hello' });
  });

  test('a client of 1.x calls a tool of a server of 2025-11-25', async () => {
    const { client } = await connected({ tools: [echo], call: (_name, given) => returned({ arguments: given }) });
    expect(await invoke(client, { text: 'hello' })).toMatchObject({ kind: 'succeeded', text: 'hello' });
  });

  test('a question of a server in the middle of a call reaches the handler of the host', async () => {
    const { client } = await connectedModern(
      {
        tools: () => [echo],
        call: (_params, input) =>
          input === undefined
            ? inputRequired({
                inputRequests: {
                  size: inputRequired.elicit({
                    message: 'Which size?',
                    requestedSchema: { type: 'object', properties: { size: { type: 'string' } } },
                  }),
                },
              })
            : text(JSON.stringify(input)),
      },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
    );
    const questions: unknown[] = [];
    client.setRequestHandler('elicitation/create', ({ params }) => {
      questions.push(params.message);
      return { action: 'accept', content: { size: 'large' } };
    });
    const outcome = await invoke(client, { text: 'x' });
    expect(questions).toEqual(['Which size?']);
    expect([outcome.kind, outcome.text]).toEqual(['succeeded', expect.stringContaining('large')]);
  });

  test('a question that no handler answers fails the call with the reason', async () => {
    const { client } = await connectedModern(
      {
        tools: () => [echo],
        call: () =>
          inputRequired({
            inputRequests: {
              size: inputRequired.elicit({
                message: 'Which size?',
                requestedSchema: { type: 'object', properties: { size: { type: 'string' } } },
              }),
            },
          }),
      },
      { versionNegotiation: { mode: 'auto' }, capabilities: { elicitation: { form: {} } } },
    );
    const outcome = await invoke(client, { text: 'x' });
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toContain('asked for input that this host cannot give');
  });

  test('arguments with x-mcp-header are repeated in headers', async () => {
    const marked = {
      name: 'echo',
      inputSchema: {
        type: 'object',
        properties: {
          text: { type: 'string', 'x-mcp-header': 'Text' },
          place: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } },
          urgent: { type: 'boolean', 'x-mcp-header': 'Urgent' },
          missing: { type: 'string', 'x-mcp-header': 'Missing' },
        },
      },
    };
    const { client, requests } = await connectedModern({ tools: () => [marked], call: () => text('done') });
    expect((await invoke(client, { text: 'Grüße', place: { zone: 7 }, urgent: false })).kind).toBe('succeeded');
    const { headers } = requests.find(({ method }) => method === 'tools/call') ?? { headers: new Headers() };
    expect([...headers].filter(([name]) => name.startsWith('mcp-param-'))).toEqual([
      ['mcp-param-text', `=?base64?${Buffer.from('Grüße').toString('base64')}?=`],
      ['mcp-param-urgent', 'false'],
      ['mcp-param-zone', '7'],
    ]);
  });

  test.each<[string, object]>([
    ['is not the name of a header', { type: 'string', 'x-mcp-header': 'a b' }],
    ['is on a list', { type: 'array', items: { type: 'string' }, 'x-mcp-header': 'List' }],
    ['is inside of a list', { type: 'array', items: { type: 'string', 'x-mcp-header': 'Item' } }],
    ['is inside of a union', { anyOf: [{ type: 'string', 'x-mcp-header': 'Either' }] }],
    ['is used twice', { type: 'string', 'x-mcp-header': 'TEXT' }],
  ])('E687 a tool whose x-mcp-header %s is left out', async (_what, second) => {
    const wrong = {
      name: 'wrong',
      inputSchema: {
        type: 'object',
        properties: { first: { type: 'string', 'x-mcp-header': 'Text' }, second },
      },
    };
    const { client } = await connectedModern({ tools: () => [wrong, echo] });
    const warnings: string[] = [];
    const logger = { ...silent, warn: (message: string) => void warnings.push(message) };
    await mcpSection(client, { key: 'remote', title: 'Remote', logger, names: ['echo'] });
    expect(warnings).toEqual([expect.stringMatching(/E687 .*"wrong" is left out: .*x-mcp-header/)]);
  });

  test('a follower is told of changes by a server of 2026-07-28', async () => {
    let tools = [echo];
    const { client, announce } = await connectedModern({ tools: () => tools });
    const follower = await followMcp(client, { key: 'remote', title: 'Remote', logger: silent }, () => tools.length);
    expect(follower.isStale).toBe(false);
    tools = [echo, { ...echo, name: 'second' }];
    announce();
    while (!follower.isStale) await new Promise((resolve) => setImmediate(resolve));
    expect(await follower.current()).toBe(2);
    expect(follower.isStale).toBe(false);
    follower.close();
  });

  test('a follower opens a new stream after the server has ended the first one', async () => {
    const { client, restart, requests } = await connectedModern({ tools: () => [echo] });
    const follower = await followMcp(client, { key: 'remote', title: 'Remote', logger: silent }, () => 'made');
    await restart();
    while (!follower.isStale) await new Promise((resolve) => setImmediate(resolve));
    await follower.current();
    expect(requests.filter(({ method }) => method === 'subscriptions/listen')).toHaveLength(2);
    follower.close();
  });
});
