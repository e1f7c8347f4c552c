import 'reflect-metadata';
import { defineTool } from 'toolwright';
import { type McpToolkitOptions, toolkitFromMcp } from '@toolwright/mcp';
import { QuickJsSandbox } from '@toolwright/programs';
import { closeServers, connected, text, type ScriptedServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

jest.setTimeout(60_000);
const sandbox = new QuickJsSandbox({ workers: 1 });
afterEach(closeServers);
afterAll(() => sandbox.close());

async function run(code: string, script: ScriptedServer, options: McpToolkitOptions = {}) {
  const { client } = await connected(script);
  const kit = await toolkitFromMcp(client, { sandbox, logger: silent, ...options });
  const result = await kit.execute(code);
  await kit.close();
  return result;
}

const city = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const typed = {
  name: 'getWeather',
  inputSchema: city,
  outputSchema: { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] },
};

describe('programs over a server', () => {
  test.each(['types', 'syntax'] as const)(
    'call a tool by the name that it has there or here, with the check %s; the log holds the spelling',
    async (check) => {
      const result = await run(
        `const there = await getWeather({ city: 'Oslo' });
         const here = await get_weather({ city: 'Rome' });
         const listed = await tools['getWeather']({ city: 'Bonn' });
         return there.celsius + here.celsius + listed.celsius;`,
        { tools: [typed], call: () => ({ content: [], structuredContent: { celsius: 4 } }) },
        { check },
      );
      expect([result.error, result.returnValue]).toEqual([null, 12]);
      expect(result.toolCalls.map(({ name }) => name)).toEqual(['getWeather', 'get_weather', 'getWeather']);
    },
  );

  test('programs are checked against the types that the server declares', async () => {
    const result = await run(
      'return (await getWeather({ city: "Oslo" })).fahrenheit',
      { tools: [typed] },
      { check: 'types' },
    );
    expect(result.error).toMatchObject({ kind: 'type', message: expect.stringContaining('fahrenheit') as unknown });
    expect(result.toolCalls).toEqual([]);
  });

  test("programs catch a failure with the server's text", async () => {
    const result = await run('try { await q(); } catch (error) { return [error.name, error.message]; }', {
      tools: [{ name: 'q' }],
      call: () => ({ isError: true, ...text('no such row') }),
    });
    expect(result.returnValue).toEqual(['ToolError', 'no such row']);
  });

  test('a name that programs use otherwise, or that two tools would get, is not assigned', async () => {
    const tools = [{ name: 'Map' }, { name: 'toString' }, { name: 'App.Config' }, { name: 'App Config' }];
    const { client } = await connected({ tools, call: (name) => text(name) });
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, check: 'syntax' });
    const result = await kit.execute('return [new Map([[1, 2]]).size, Object.keys(tools).sort()]');
    const names = [...kit].map(({ name }) => name.replaceAll('-', '_'));
    expect(result.returnValue).toEqual([1, [...names].sort()]);
    expect(names).not.toContain('App_Config');
    await kit.close();
  });

  test('programs have further tools besides those of the server', async () => {
    const twice = defineTool({ name: 'twice', description: 'Says it twice.', handler: () => 'ab' });
    const result = await run(
      'return [await q(), await twice()]',
      { tools: [{ name: 'q' }], call: () => text('q') },
      { extraTools: [twice] },
    );
    expect(result.returnValue).toEqual(['q', 'ab']);
  });

  test('programs over a server keep their tools when the list changes under them, and a call of one that is gone fails', async () => {
    const tools = [{ name: 'q' }, { name: 'r' }];
    const { client, server } = await connected({
      tools,
      call: async (name) => {
        if (!tools.some((tool) => tool.name === name)) return { isError: true, ...text(`Unknown tool ${name}`) };
        tools.splice(0, tools.length, { name: 's' });
        await server.sendToolListChanged();
        return text('last');
      },
    });
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, check: 'syntax' });
    const code = `const first = await q();
      const second = await r().catch((error) => error.message);
      return [first, second, typeof s];`;
    expect((await kit.execute(code)).returnValue).toEqual(['last', 'Unknown tool r', 'undefined']);
    await kit.close();
  });

  test('programs that are run again are served with what was read, under the same spelling', async () => {
    let reads = 0;
    const { client } = await connected({
      resources: [{ name: 'App Config', uri: 'x://c' }],
      read: (uri) => ({ contents: [{ uri, text: String(++reads) }] }),
    });
    const change = defineTool({ name: 'change', description: 'Changes.', requiresApproval: true, handler: () => 'ok' });
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, extraTools: [change] });
    const code = 'return [await read_App_Config(), await change()]';
    const paused = await kit.execute(code);
    expect([paused.status, reads]).toEqual(['paused', 1]);
    const result = await kit.execute(code, { resume: paused, approve: () => ({ kind: 'approved' }) });
    expect([result.returnValue, reads]).toEqual([[1, 'ok'], 1]);
    await kit.close();
  });

  test('read-only tools of a trusted server run together, others in their order', async () => {
    const together = async (trustAnnotations: boolean): Promise<number> => {
      let running = 0;
      let most = 0;
      await run(
        'await Promise.all([q(), q(), q()])',
        {
          tools: [{ name: 'q', annotations: { readOnlyHint: true } }],
          call: async () => {
            most = Math.max(most, ++running);
            // Those that run together meet here; those that do not wait in vain.
            for (let waited = 0; trustAnnotations ? most < 3 : waited < 4; waited++)
              await new Promise((resolve) => setTimeout(resolve, 10));
            running--;
            return text('x');
          },
        },
        { trustAnnotations },
      );
      return most;
    };
    expect(await together(false)).toBe(1);
    expect(await together(true)).toBe(3);
  });

  test('the declaration says what the server says, and nothing gets out of its comment', async () => {
    const { client } = await connected({ tools: [{ ...typed, description: 'Ends */ here.\n```\nthen' }] });
    const kit = await toolkitFromMcp(client, { sandbox, logger: silent, assistToolChaining: true });
    expect(kit.get('get_weather').signature).toBe(
      "/** Ends *\\/ here. ''' then */\ndeclare function get_weather(args: { city: string }): Promise<{ celsius: number }>;",
    );
    expect(kit.get('get_weather').returnSchema).toEqual(typed.outputSchema);
    expect(kit.get('get_weather').metadata.remoteName).toBe('getWeather');
    await kit.close();
  });
});
