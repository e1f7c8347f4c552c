import {
  type Application,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Session,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { mcpSection, serveMcp } from '@toolwright/mcp';
import { Toolkit } from '@toolwright/programs';
import { z } from 'zod';
import { engineOfFile, PATIENCE_MS } from '../../packages/programs/spec/kit';
import { silent } from '../support/silent.js';
import { closeServers, connected, text } from '../../packages/mcp/spec/support/clientServers';
import { clientOf, closeAll } from '../../packages/mcp/spec/support/serverKit';

jest.setTimeout(2 * PATIENCE_MS);
const sandbox = engineOfFile();
afterEach(closeAll);
afterEach(closeServers);

class Node {
  @Field({ description: 'Its name.' }) name!: string;
  @Field({ description: 'Its neighbours.', type: () => [Node] }) all: Node[] = [];
}

class Counts {
  @Param({ description: 'How many of each.', record: Number }) counts!: Record<string, number>;
}

const got: unknown[] = [];
const take = defineTool({
  name: 'take',
  description: 'Takes.',
  params: Counts,
  handler: ({ counts }: Counts) => {
    got.push(counts);
    return 'taken';
  },
});

let onPause = (): unknown => undefined;
const pause = defineTool({
  name: 'pause',
  description: 'Pauses.',
  hints: { readOnly: true },
  handler: () => void onPause(),
});

/** Ten nodes, each of which refers to all others. */
const clique = defineTool({
  name: 'clique',
  description: 'Gives.',
  result: Node,
  hints: { readOnly: true },
  handler: () => {
    const nodes = Array.from({ length: 10 }, (_, index) => Object.assign(new Node(), { name: `n${String(index)}` }));
    for (const node of nodes) node.all = nodes.filter((other) => other !== node);
    return nodes[0] as Node;
  },
});

const Desk = definePrompt({
  ns: 'n',
  key: 'k',
  sections: [defineSection({ key: 's', title: 'S', tools: [take, pause, clique] })],
});

const application = (): Promise<Application> => createApplication({ prompts: [Desk], logger: silent });

const KEYS = ['__proto__', 'constructor', 'prototype'];

beforeEach(() => {
  got.length = 0;
});

describe('TRACE-09 keys that would change a prototype', () => {
  test.each(KEYS)('%s is refused in the arguments of a program', async (key) => {
    const kit = await Toolkit.from([take], { sandbox, check: 'syntax' });
    const { error } = await kit.execute(`return await take(JSON.parse('{"counts":{"${key}":1}}'));`);
    expect(error?.message).toContain('is not a possible key');
    expect(got).toEqual([]);
  });

  test.each(KEYS)('%s is refused in the arguments of an MCP client', async (key) => {
    const app = await application();
    const client = await clientOf(serveMcp(app, app.prompt(Desk)));
    const args = JSON.parse(`{"counts":{"${key}":1}}`) as Record<string, unknown>;
    const answer = await client.callTool({ name: 'take', arguments: args });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer.content)).toContain('is not a possible key');
    expect(got).toEqual([]);
  });

  test.each(KEYS)('%s is refused in arguments for a schema of another library, at any depth', async (key) => {
    const free = defineTool({
      name: 'free',
      description: 'Takes.',
      params: z.object({ all: z.record(z.string(), z.unknown()) }),
      handler: ({ all }) => {
        got.push(all);
      },
    });
    const section = defineSection({ key: 's', title: 'S', tools: [free] });
    const Free = definePrompt({ ns: 'n', key: 'free', sections: [section] });
    const app = await createApplication({ prompts: [Free], logger: silent });
    const call = (json: string) =>
      app
        .prompt(Free)
        .render()
        .then((rendered) => app.callTool(rendered, { id: 'c', name: 'free', arguments: json }));
    expect((await call(`{"all":{"a":[{"${key}":1}]}}`)).text).toContain('is not a possible key');
    expect(got).toEqual([]);
    expect((await call('{"all":{"a":[{"constructors":1}]}}')).kind).toBe('succeeded');
  });

  test('constructor is taken where a schema of another library declares it', async () => {
    const plan = defineTool({
      name: 'plan',
      description: 'Takes.',
      params: z.object({ constructor: z.string() }),
      handler: ({ constructor: builder }) => builder,
    });
    const section = defineSection({ key: 's', title: 'S', tools: [plan] });
    const Plan = definePrompt({ ns: 'n', key: 'plan', sections: [section] });
    const app = await createApplication({ prompts: [Plan], logger: silent });
    const rendered = await app.prompt(Plan).render();
    const args = '{"constructor":"Ada"}';
    expect(await app.callTool(rendered, { id: 'c', name: 'plan', arguments: args })).toMatchObject({
      kind: 'succeeded',
      text: 'Ada',
    });
  });

  test.each(KEYS)('%s in the answer of an MCP server: data is dropped, and text stays text', async (key) => {
    const json = `{"a":[{"${key}":{"b":1}}]}`;
    const inputSchema = { type: 'object', properties: {} };
    const tools = ['data', 'text'].map((name) => ({ name, description: 'Gives.', inputSchema }));
    const { client } = await connected({ tools, call: () => text(json) });
    const remote = await mcpSection(client, { key: 'remote', title: 'Remote', logger: silent, resources: false });
    const Remote = definePrompt({ ns: 'n', key: 'remote', sections: [remote] });
    const app = await createApplication({ prompts: [Remote], logger: silent });
    const rendered = await app.prompt(Remote).render();
    const given = await app.invoke(rendered, 'text', {});
    expect(given).toMatchObject({ kind: 'succeeded', result: { value: json } });
    // Asked directly: the client of the SDK leaves out some of these keys itself.
    (client as { request: unknown }).request = () =>
      Promise.resolve({ content: [], structuredContent: JSON.parse(json) as unknown });
    const refused = await app.invoke(rendered, 'data', {});
    expect(refused.kind).not.toBe('succeeded');
    expect(refused.text).toContain(`has the key a[0].${key}`);
  });

  test.each(KEYS)('%s is refused in a call that a conversation in JSON holds', async (key) => {
    const app = await application();
    const conversation = new Conversation();
    let written = '';
    onPause = () => (written = JSON.stringify(conversation));
    const adapter = new ScriptedModel([
      {
        toolCalls: [
          { name: 'pause', arguments: {} },
          { name: 'take', arguments: { counts: { apples: 1 } } },
        ],
      },
      { text: 'Done.' },
    ]);
    const messages = [{ role: 'user', content: 'Take.' }] as const;
    await app.evaluate(app.prompt(Desk), { adapter, conversation, session: new Session(), messages });
    expect(got.splice(0)).toEqual([{ apples: 1 }]);
    const read = Conversation.fromJSON(JSON.parse(written.replaceAll('"apples"', `"${key}"`)));
    const going = new ScriptedModel([{ text: 'Done.' }]);
    const response = await app.evaluate(app.prompt(Desk), {
      adapter: going,
      conversation: read,
      session: new Session(),
    });
    expect(JSON.stringify(response.transcript)).toContain('is not a possible key');
    expect(got).toEqual([]);
  });
});

describe('TRACE-07 ten objects that all refer to each other', () => {
  test('reach an MCP client in bounded time and size', async () => {
    const app = await application();
    const client = await clientOf(serveMcp(app, app.prompt(Desk)));
    const startedAt = performance.now();
    const answer = await client.callTool({ name: 'clique', arguments: {} });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(JSON.stringify(answer).length).toBeLessThan(20_000_000);
  });

  test('reach a program in bounded time', async () => {
    const kit = await Toolkit.from([clique], { sandbox, check: 'syntax' });
    const startedAt = performance.now();
    const { error, returnValue } = await kit.execute('const node = await clique({}); return node.name;');
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    expect(error === null ? returnValue : error.message).toBeDefined();
  });
});
