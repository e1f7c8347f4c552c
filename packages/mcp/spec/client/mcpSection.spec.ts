import 'reflect-metadata';
import {
  type Application,
  type Constructor,
  createApplication,
  definePrompt,
  defineTool,
  Prompt,
  PromptValidationError,
  type RenderedPrompt,
  Session,
} from 'toolwright';
import { mcpSection, type McpSectionOptions, type RemoteTool } from '@toolwright/mcp';
import { programs } from '@toolwright/programs';
import { ToolInvoked } from 'toolwright/events';
import { closeServers, connected, text, type ScriptedServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

const schema = {
  type: 'object',
  properties: { city: { type: 'string' }, days: { type: 'integer' } },
  required: ['city'],
};
const weather = { name: 'getWeather', description: 'The weather.', inputSchema: schema };

interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
  readonly asked: (readonly [string, unknown])[];
}

async function desk(
  script: ScriptedServer,
  options: Partial<McpSectionOptions> = {},
  more: readonly Constructor[] = [],
): Promise<Desk> {
  const { client, asked } = await connected(script);
  const remote = await mcpSection(client, { key: 'remote', title: 'Remote', logger: silent, ...options });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote, ...more] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return { app, rendered: await app.prompt(prompt).render(), asked };
}

const calls = (asked: readonly (readonly [string, unknown])[]): readonly unknown[] =>
  asked.filter(([method]) => method === 'tools/call').map(([, params]) => params);

describe('a section of a server', () => {
  test('a server section offers its tools like any other section, under names that our rules take', async () => {
    const { app, rendered } = await desk({ tools: [weather] }, { template: 'Ask before you pack.' });
    expect(rendered.text).toBe('## 1. Remote (remote)\n\nAsk before you pack.');
    const [tool] = rendered.tools;
    expect(tool?.metadata).toMatchObject({
      name: 'get_weather',
      remoteName: 'getWeather',
      description: 'The weather.',
      schema,
      sectionPath: 'remote',
      place: 'remote.get_weather',
      hints: { openWorld: true, destructive: true },
      timeoutMs: 60_000,
    });
    await app.close();
  });

  test("a server's picture reaches the model as a part, beside one line about it", async () => {
    const picture = { type: 'image' as const, data: 'QUJD', mimeType: 'image/png' };
    const { app, rendered } = await desk({ tools: [weather], call: () => ({ content: [picture] }) });
    const outcome = await app.invoke(rendered, 'get_weather', { city: 'Oslo' });
    expect(outcome).toMatchObject({
      kind: 'succeeded',
      text: '[image image/png, 3 bytes]',
      parts: [{ kind: 'image', mediaType: 'image/png', data: 'QUJD' }],
    });
    expect(outcome.result.value).toEqual({ type: 'image', mimeType: 'image/png', bytes: 3 });
    await app.close();
  });

  test('a section of a server can be listed in @Prompt as well', async () => {
    const { client } = await connected({ tools: [weather] });
    const remote = await mcpSection(client, { key: 'remote', title: 'Remote' });
    @Prompt({ ns: 'spec', key: 'decorated', sections: [remote] })
    class Decorated {}
    const app = await createApplication({ prompts: [Decorated] });
    expect(app.prompt(Decorated).sections.map(({ path }) => path)).toEqual(['remote']);
    await app.close();
  });

  test('calls of a section of a server go through the dispatcher: the server gets what was checked, and the event holds the value', async () => {
    const { app, rendered, asked } = await desk({ tools: [weather], call: () => text('{"celsius": 4}') });
    const seen: ToolInvoked[] = [];
    const call = { id: 'c1', name: 'get_weather', arguments: '{"city":"Oslo","days":null}' };
    const outcome = await app.callTool(rendered, call, {
      onEvent: (event) => {
        if (event instanceof ToolInvoked) seen.push(event);
      },
    });
    expect(outcome.text).toBe('{"celsius":4}');
    expect(calls(asked)).toMatchObject([{ name: 'getWeather', arguments: { city: 'Oslo' } }]);
    expect(seen.map(({ name, kind, result }) => [name, kind, result?.value])).toEqual([
      ['get_weather', 'succeeded', { celsius: 4 }],
    ]);
    await app.close();
  });

  test('wrong arguments are refused locally, with paths, and are not sent to the server', async () => {
    const { app, rendered, asked } = await desk({ tools: [weather] });
    const missing = await app.invoke(rendered, 'get_weather', { days: 1.5 });
    expect([missing.kind, missing.text]).toEqual([
      'rejected',
      'The arguments of get_weather were not accepted:\n- city: is required\n- days: must be integer\nNothing was done. Call it again with corrected arguments.',
    ]);
    expect(calls(asked)).toEqual([]);
    await app.close();
  });

  test('names choose tools by the name here and by the name there', async () => {
    const script = {
      tools: [weather, { name: 'other' }, { name: 'third' }],
      resources: [{ name: 'App Config', uri: 'x://c' }],
    };
    const { app, rendered } = await desk(script, { names: ['getWeather', 'third', 'read_App_Config'] });
    expect(rendered.tools.map(({ name }) => name)).toEqual(['get_weather', 'third', 'read_app_config']);
    await app.close();
  });

  test('E682 a section of a server names a tool that the server does not have, and those that it has', async () => {
    const { client } = await connected({ tools: [weather] });
    const made = mcpSection(client, { key: 'remote', title: 'Remote', names: ['get_wether'] });
    await expect(made).rejects.toThrow(
      /^E682 MCP bridge: the server has no the string "get_wether"\. Did you mean "get_weather"\? It has: get_weather/,
    );
  });

  test.each<[string, Partial<McpSectionOptions>]>([
    ['callTimeoutMs', { callTimeoutMs: 0 }],
    ['maxResultBytes', { maxResultBytes: 1.5 }],
    ['prefix', { prefix: 'Git Hub' }],
    ['names', { names: 'all' as never }],
    ['each', { each: {} as never }],
  ])('E683 an option that does not fit is refused: %s', async (name, options) => {
    const { client } = await connected({});
    const made = mcpSection(client, { key: 'remote', title: 'Remote', ...options });
    await expect(made).rejects.toThrow(new RegExp(`^E683 MCP bridge: ${name} is `));
  });

  test('E683 an object that is not a client, or not connected, is refused', async () => {
    const options = { key: 'remote', title: 'Remote' };
    await expect(mcpSection({} as never, options)).rejects.toThrow(/^E683 .*is not an MCP client/);
    const { client } = await connected({});
    const unconnected = { request: client.request.bind(client), getServerCapabilities: () => undefined };
    await expect(mcpSection(unconnected as never, options)).rejects.toThrow(/^E683 .*is not connected/);
  });

  test('resources become tools without effects, templates take their variables', async () => {
    const { app, rendered, asked } = await desk({
      resources: [{ name: 'App Config', uri: 'config://app', mimeType: 'application/json' }],
      templates: [{ name: 'User Profile', uriTemplate: 'users/{id}/profile{?lang}' }],
      read: (uri) => ({ contents: [{ uri, text: `{"of":"${uri}"}` }] }),
    });
    expect(rendered.tools.map(({ name, description, hints }) => [name, description, hints])).toEqual([
      ['read_app_config', 'Reads the resource App Config (application/json).', { readOnly: true }],
      ['query_user_profile', 'Reads the resource User Profile.', { readOnly: true }],
    ]);
    expect((await app.invoke(rendered, 'read_app_config', {})).result.value).toEqual({ of: 'config://app' });
    const profile = await app.invoke(rendered, 'query_user_profile', { id: 'a/b c', lang: 'de' });
    expect(profile.result.value).toEqual({ of: 'users/a%2Fb%20c/profile?lang=de' });
    const wrong = await app.invoke(rendered, 'query_user_profile', { id: 1, way: 'x' });
    expect([wrong.kind, wrong.text.includes('id: must be string')]).toEqual(['rejected', true]);
    expect(asked.filter(([method]) => method === 'resources/read')).toHaveLength(2);
    await app.close();
  });

  test('resources: false leaves them out', async () => {
    const { app, rendered } = await desk(
      { tools: [weather], resources: [{ name: 'c', uri: 'x://c' }] },
      { resources: false },
    );
    expect(rendered.tools.map(({ name }) => name)).toEqual(['get_weather']);
    await app.close();
  });

  test("a server's annotations of a tool count only when the host trusts them", async () => {
    const annotations = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };
    const tools = [{ name: 'peek', annotations }];
    const { app, rendered } = await desk({ tools });
    expect(rendered.tools[0]?.hints).toEqual({ openWorld: true });
    await app.close();
    const trusting = await desk({ tools }, { trustAnnotations: true });
    expect(trusting.rendered.tools[0]?.hints).toEqual({
      readOnly: true,
      destructive: false,
      idempotent: true,
      openWorld: false,
    });
    await trusting.app.close();
  });

  test('the option each overrides what the server declares of a tool, and receives it', async () => {
    const seen: RemoteTool[] = [];
    const { app, rendered } = await desk(
      { tools: [{ ...weather, description: 'The weather.\u001b[2J' }], call: () => text('fine') },
      {
        each: (tool) => {
          seen.push(tool);
          return { description: 'Looks at the sky.', hints: { readOnly: true }, timeoutMs: 5, requiresApproval: true };
        },
      },
    );
    expect(seen).toEqual([
      {
        kind: 'tool',
        name: 'get_weather',
        remoteName: 'getWeather',
        description: 'The weather.',
        annotations: { readOnly: false, destructive: true, idempotent: false, openWorld: true },
      },
    ]);
    const [tool] = rendered.tools;
    expect([tool?.description, tool?.hints, tool?.metadata.timeoutMs]).toEqual([
      'Looks at the sky.',
      { readOnly: true },
      5,
    ]);
    const outcome = await app.invoke(rendered, 'get_weather', { city: 'Oslo' }, { session: new Session() });
    expect(outcome.kind).toBe('denied');
    await app.close();
  });

  test('DECL-05 a tool of a server never takes the place of another: two of one name do not start together', async () => {
    const own = defineTool({ name: 'delete_file', description: 'Deletes.', handler: () => 'done' });
    const { client } = await connected({ tools: [{ name: 'delete_file' }, { name: 'd\u0435lete_file' }] });
    const remote = await mcpSection(client, { key: 'remote', title: 'Remote', tools: [own] });
    const prompt = definePrompt({ ns: 'spec', key: 'shadowed', sections: [remote] });
    const made = createApplication({ prompts: [prompt] });
    await expect(made).rejects.toThrow(PromptValidationError);
    await expect(made).rejects.toThrow(/E104 .*"delete_file" is already used by remote\.delete_file/);
    const apart = await mcpSection(client, { key: 'remote', title: 'Remote', tools: [own], prefix: 'disk' });
    const app = await createApplication({ prompts: [definePrompt({ ns: 'spec', key: 'apart', sections: [apart] })] });
    await app.close();
  });

  test('a section of a server works beside programs, whatever the names are', async () => {
    const tools = [{ name: 'delete' }, { name: 'a-b' }, { name: 'a_b' }, { name: 'execute_program' }];
    const { client } = await connected({ tools });
    const remote = await mcpSection(client, { key: 'remote', title: 'Remote' });
    const prompt = definePrompt({ ns: 'spec', key: 'programs', sections: [remote], extensions: [programs()] });
    const app = await createApplication({ prompts: [prompt] });
    const { tools: offered } = await app.prompt(prompt).render();
    expect(offered.map(({ name }) => name.replace(/[0-9a-f]{6}$/, '#'))).toEqual([
      ...['delete_tool', 'a-b_#', 'a_b', 'execute_program_tool', 'execute_program'],
    ]);
    await app.close();
  });
});
