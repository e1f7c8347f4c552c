import {
  PromptListChangedNotificationSchema,
  ResourceListChangedNotificationSchema,
  ResourceUpdatedNotificationSchema,
  ToolListChangedNotificationSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext } from 'toolwright';
import { type McpResourceTemplate, McpServerError, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll } from '../support/serverKit';

afterEach(closeAll);

class Named {
  constructor(readonly name: string) {}
}

/** A house with a cellar that is a summary at first, and a hall that says how it is called. */
async function house() {
  @Section({ title: 'The cellar', template: 'Mind the steps.', summary: 'Below the house.', visibility: 'summary' })
  class Cellar {
    @Tool('Fetch a bottle.') fetchBottle() {
      return 'A bottle.';
    }
  }
  @Section({ title: 'The hall' })
  class Hall {
    renderBody({ session }: { session: ToolContext['session'] }) {
      return `It is called ${session.slice(Named).latest()?.name ?? 'nothing'}.`;
    }
    @Tool('Name the hall.') nameHall(@Param('name', 'The name') name: string, context: ToolContext) {
      context.session.dispatch(new Named(name));
      return 'Named.';
    }
  }
  @Prompt({ ns: 'test', key: 'house', name: 'The house', sections: [Cellar, Hall] })
  class House {}
  const app = await createApplication({ prompts: [House], logger: silent });
  return { app, prompt: app.prompt(House) };
}

/** The notifications of changes, as the client receives them. */
function told(client: Client): readonly string[] {
  const heard: string[] = [];
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => void heard.push('tools'));
  client.setNotificationHandler(ResourceListChangedNotificationSchema, () => void heard.push('resources'));
  client.setNotificationHandler(PromptListChangedNotificationSchema, () => void heard.push('prompts'));
  client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void heard.push(params.uri));
  return heard;
}

const CLOSED = `## 1. The cellar (cellar)

Below the house.

---
[This section is summarized. To view full content, call \`open_sections\` with key "cellar".]`;
const HALL = '## 2. The hall (hall)\n\nIt is called nothing.';

describe('the text of the prompt', () => {
  test('the text of the prompt is sent as instructions, unless the host disables it', async () => {
    const { app, prompt } = await house();
    expect((await clientOf(serveMcp(app, prompt))).getInstructions()).toBe(`${CLOSED}\n\n${HALL}`);
    expect((await clientOf(serveMcp(app, prompt, { instructions: 'Be kind.' }))).getInstructions()).toBe('Be kind.');
    expect((await clientOf(serveMcp(app, prompt, { instructions: false }))).getInstructions()).toBeUndefined();
  });

  test('the text of the prompt is a document, and each section is another one', async () => {
    const { app, prompt } = await house();
    const client = await clientOf(serveMcp(app, prompt));
    const { resources } = await client.listResources();
    expect(resources.map(({ uri, title, description }) => [uri, title, description])).toEqual([
      ['toolwright://test/house', 'The house', 'The whole text of The house.'],
      ['toolwright://test/house/cellar', 'The cellar', 'Section 1, as a summary.'],
      ['toolwright://test/house/hall', 'The hall', 'Section 2.'],
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    const mimeType = 'text/markdown';
    expect(await read(resources[0]!.uri)).toEqual([{ uri: resources[0]!.uri, mimeType, text: `${CLOSED}\n\n${HALL}` }]);
    expect(await read(resources[1]!.uri)).toEqual([{ uri: resources[1]!.uri, mimeType, text: CLOSED }]);
    expect(await read(resources[2]!.uri)).toEqual([{ uri: resources[2]!.uri, mimeType, text: HALL }]);
    await expect(client.readResource({ uri: 'toolwright://test/house/attic' })).rejects.toMatchObject({
      code: -32002,
    });
  });

  test('open_sections opens a section for this session alone, and announces that tools and resources have changed', async () => {
    const { app, prompt } = await house();
    const server = serveMcp(app, prompt);
    const [client, other] = [await clientOf(server), await clientOf(server)];
    const names = async (each: Client) => (await each.listTools()).tools.map(({ name }) => name);
    expect(await names(client)).toEqual(['name_hall', 'open_sections']);
    await names(other);
    const [heard, heardByOther] = [told(client), told(other)];
    const opened = await client.callTool({
      name: 'open_sections',
      arguments: { section_keys: ['cellar'], reason: 'I am thirsty.' },
    });
    expect(opened).toEqual({
      content: [
        {
          type: 'text',
          text: 'Opened in full: cellar.\n\n## 1. The cellar (cellar)\n\nMind the steps.\n\nTools that can be called now as well: fetch_bottle.',
        },
      ],
    });
    expect(heard).toEqual(['tools', 'resources']);
    expect(await names(client)).toEqual(['fetch_bottle', 'name_hall']);
    expect(await client.callTool({ name: 'fetch_bottle' })).toEqual({ content: [{ type: 'text', text: 'A bottle.' }] });
    expect(await names(other)).toEqual(['name_hall', 'open_sections']);
    expect(heardByOther).toEqual([]);
    await expect(other.callTool({ name: 'fetch_bottle' })).rejects.toMatchObject({ code: -32602 });
  });

  test('open_sections with a wrong key is a failed result that names the right ones', async () => {
    const { app, prompt } = await house();
    const client = await clientOf(serveMcp(app, prompt));
    const result = await client.callTool({
      name: 'open_sections',
      arguments: { section_keys: ['attic'], reason: 'Curious.' },
    });
    expect(result).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('cellar') as string }] });
  });

  test('a subscriber is notified of a section whose text has changed, until it unsubscribes', async () => {
    const { app, prompt } = await house();
    const client = await clientOf(serveMcp(app, prompt));
    const uri = 'toolwright://test/house/hall';
    const heard = told(client);
    await client.subscribeResource({ uri });
    await expect(client.subscribeResource({ uri: 'nothing://here' })).rejects.toMatchObject({ code: -32002 });
    const name = (word: string) => client.callTool({ name: 'name_hall', arguments: { name: word } });
    await name('Great');
    await name('Great');
    expect(heard).toEqual([uri]);
    await client.unsubscribeResource({ uri });
    await name('Small');
    expect(heard).toEqual([uri]);
  });

  test('changes that no call made are announced by refresh and resourceUpdated', async () => {
    const { app, prompt } = await house();
    const session = new Session();
    const watched = { uri: 'house://door', name: 'door', read: () => 'Open.' };
    const server = serveMcp(app, prompt, { session: () => session, resources: [watched] });
    const client = await clientOf(server);
    const heard = told(client);
    const uri = 'toolwright://test/house/hall';
    await client.subscribeResource({ uri });
    await client.subscribeResource({ uri: watched.uri });
    await server.refresh();
    expect(heard).toEqual([]);
    session.dispatch(new Named('Old'));
    await server.refresh();
    await server.resourceUpdated('house://window');
    await server.resourceUpdated(watched.uri);
    await client.ping();
    expect(heard).toEqual([uri, watched.uri]);
  });
});

describe('documents of the host', () => {
  const templates: readonly McpResourceTemplate[] = [
    {
      uriTemplate: 'house://rooms/{name}',
      name: 'room',
      read: ({ name }) => (name === 'attic' ? 'Dusty.' : undefined),
      complete: (_variable, typed) => ['attic', 'hall'].filter((name) => name.startsWith(typed)),
    },
  ];

  test('documents of the host follow the sections, as text or bytes, and by template', async () => {
    const { app, prompt } = await house();
    const plan = { uri: 'house://plan', name: 'plan', mimeType: 'image/png', read: () => new Uint8Array([1, 2]) };
    const client = await clientOf(serveMcp(app, prompt, { resources: [plan], resourceTemplates: templates }));
    const { resources } = await client.listResources();
    expect(resources.at(-1)).toEqual({ uri: 'house://plan', name: 'plan', mimeType: 'image/png' });
    expect((await client.readResource({ uri: 'house://plan' })).contents).toEqual([
      { uri: 'house://plan', mimeType: 'image/png', blob: 'AQI=' },
    ]);
    const listed = await client.listResourceTemplates();
    expect(listed.resourceTemplates).toEqual([{ uriTemplate: 'house://rooms/{name}', name: 'room' }]);
    expect((await client.readResource({ uri: 'house://rooms/attic' })).contents).toEqual([
      { uri: 'house://rooms/attic', text: 'Dusty.' },
    ]);
    await expect(client.readResource({ uri: 'house://rooms/moat' })).rejects.toMatchObject({ code: -32002 });
    const ref = { type: 'ref/resource' as const, uri: 'house://rooms/{name}' };
    const { completion } = await client.complete({ ref, argument: { name: 'name', value: 'a' } });
    expect(completion).toEqual({ values: ['attic'], total: 1, hasMore: false });
  });

  test('a reader that throws is reported in the log, and not to the client', async () => {
    const { app, prompt } = await house();
    const read = (): string => {
      throw new Error('no such file: /srv/secret/plan.md');
    };
    const client = await clientOf(serveMcp(app, prompt, { resources: [{ uri: 'house://x', name: 'x', read }] }));
    await expect(client.readResource({ uri: 'house://x' })).rejects.toMatchObject({
      code: -32603,
      message: 'MCP error -32603: The server could not answer. The request is not at fault.',
    });
  });
});

describe('prompts', () => {
  class Guest {
    @Param('How the guest is called') guest!: string;
    @Param('How many they are') people = 1;
    @Param({ description: 'When they come', enum: ['morning', 'evening'] }) when = 'evening';
    @Param({ description: 'Who may know', type: [String] }) friends: string[] = [];
  }

  async function inn() {
    @Section({
      title: 'Welcome',
      params: () => Guest,
      template: 'Welcome ${guest}, ${people} of you, in the ${when}.',
    })
    class Welcome {}
    @Prompt({ ns: 'test', key: 'inn', name: 'The inn', sections: [Welcome], heading: 'plain' })
    class Inn {}
    const app = await createApplication({ prompts: [Inn], logger: silent });
    return { app, prompt: app.prompt(Inn) };
  }

  test('prompts take the scalar params as arguments, over what is bound, and refuse what does not fit', async () => {
    const { app, prompt } = await inn();
    const { app: shell, prompt: main } = await house();
    const bound = prompt.bind(Guest, { guest: 'Ada', people: 4 });
    const client = await clientOf(serveMcp(shell, main, { prompts: [bound] }));
    const { prompts } = await client.listPrompts();
    expect(prompts).toEqual([
      { name: 'house', title: 'The house', description: expect.any(String) as string, arguments: [] },
      {
        name: 'inn',
        title: 'The inn',
        description: 'The text of The inn for the model.',
        arguments: [
          { name: 'guest', description: 'How the guest is called', required: false },
          { name: 'people', description: 'How many they are', required: false },
          { name: 'when', description: 'When they come', required: false },
        ],
      },
    ]);
    const get = async (args: Record<string, string>) => {
      const { messages } = await client.getPrompt({ name: 'inn', arguments: args });
      return messages.map(({ role, content }) => [role, content.type === 'text' && content.text]);
    };
    expect(await get({})).toEqual([['user', '## Welcome\n\nWelcome Ada, 4 of you, in the evening.']]);
    expect(await get({ people: '2', when: 'morning' })).toEqual([
      ['user', '## Welcome\n\nWelcome Ada, 2 of you, in the morning.'],
    ]);
    for (const people of ['many', '0x10', '1_000', 'Infinity', '１２', '0b11', ''])
      await expect(get({ people })).rejects.toMatchObject({ code: -32602 });
    for (const args of [{ when: 'noon' }, { friends: 'Bob' }])
      await expect(get(args)).rejects.toMatchObject({ code: -32602 });
    await expect(client.getPrompt({ name: 'castle' })).rejects.toMatchObject({ code: -32602 });
    const ref = { type: 'ref/prompt' as const, name: 'inn' };
    const { completion } = await client.complete({ ref, argument: { name: 'when', value: 'M' } });
    expect(completion.values).toEqual(['morning']);
    await app.close();
  });

  test('prompts say which arguments are needed', async () => {
    const { prompt } = await inn();
    const { app, prompt: main } = await house();
    const client = await clientOf(serveMcp(app, main, { prompts: [prompt] }));
    const { prompts } = await client.listPrompts();
    expect(prompts[1]?.arguments?.map(({ required }) => required)).toEqual([true, false, false]);
    await expect(client.getPrompt({ name: 'inn' })).rejects.toMatchObject({ code: -32602 });
    expect((await client.getPrompt({ name: 'inn', arguments: { guest: 'Ada' } })).messages).toHaveLength(1);
  });
});

describe('options', () => {
  test('E691: options that cannot work are refused when the server is made', async () => {
    const { app, prompt } = await house();
    const door = { uri: 'house://door', name: 'door', read: () => '' };
    const faults = [
      { pageSize: 0 },
      { http: { idleMs: Number.POSITIVE_INFINITY } },
      { http: { maxBodyBytes: 1.5 } },
      { http: { allowedHosts: ['desk.example:80'] } },
      { http: { allowedOrigins: ['https://desk.example/'] } },
      { resources: [door, door] },
      { prompts: [prompt, prompt] },
    ];
    for (const options of faults) {
      expect(() => serveMcp(app, prompt, options)).toThrow(expect.objectContaining({ code: 'E691' }) as Error);
    }
  });

  test('E692: a closed server accepts no connection', async () => {
    const { app, prompt } = await house();
    const server = serveMcp(app, prompt);
    await server.close();
    await server.closed;
    await expect(server.listen()).rejects.toThrow(McpServerError);
    await expect(clientOf(server)).rejects.toMatchObject({ code: 'E692' });
  });

  test('a prompt can be chosen for each session, and the server names itself', async () => {
    const { app, prompt } = await house();
    const server = serveMcp(app, () => Promise.resolve(prompt), { version: '2.1.0' });
    const client = await clientOf(server);
    expect(client.getServerCapabilities()).toEqual({
      tools: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      prompts: {},
      logging: {},
      completions: {},
    });
    expect(client.getServerVersion()).toEqual({ name: 'test/house', title: 'The house', version: '2.1.0' });
    const other = await clientOf(serveMcp(app, prompt, { name: 'my-house' }));
    expect(other.getServerVersion()).toMatchObject({ name: 'my-house', version: '1.0.0' });
  });
});
