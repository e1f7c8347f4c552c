import 'reflect-metadata';
import { UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js';
import {
  type Application,
  createApplication,
  Deadline,
  definePrompt,
  type RenderedPrompt,
  type ToolOutcome,
} from 'toolwright';
import {
  McpCallError,
  type McpConnection,
  type McpConnectionSource,
  mcpSection,
  type McpSectionOptions,
} from '@toolwright/mcp';
import { ToolProgressed } from 'toolwright/events';
import { closeServers, connected, text, type ScriptedServer } from '../support/clientServers';
import { silent } from '../../../../spec/support/silent';

afterEach(closeServers);

interface Desk {
  readonly app: Application;
  readonly rendered: RenderedPrompt;
}

async function deskOf(source: McpConnectionSource, options: Partial<McpSectionOptions> = {}): Promise<Desk> {
  const remote = await mcpSection(source, { key: 'remote', title: 'Remote', logger: silent, ...options });
  const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [remote] });
  const app = await createApplication({ prompts: [prompt], logger: silent });
  return { app, rendered: await app.prompt(prompt).render() };
}

/** Calls the one tool `q` of a server that answers so. */
async function answered(call: ScriptedServer['call'], tool: object = {}, options: Partial<McpSectionOptions> = {}) {
  const { client } = await connected({ tools: [{ name: 'q', ...tool }], ...(call === undefined ? {} : { call }) });
  const { app, rendered } = await deskOf(client, options);
  const outcome = await app.invoke(rendered, 'q', {});
  await app.close();
  return outcome;
}

/** The code of what kept the request from an answer. */
function codeBehind(outcome: ToolOutcome): string | undefined {
  const { cause } = Object('error' in outcome ? outcome.error : undefined) as { readonly cause?: unknown };
  return cause instanceof McpCallError ? cause.code : undefined;
}

const typed = { outputSchema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } };

describe('a call of a bridged tool', () => {
  test('a call without the authorization that its server wants fails, and the model is told to ask the user', async () => {
    const { client } = await connected({ tools: [{ name: 'q' }] });
    const { app, rendered } = await deskOf(client);
    client.request = () => Promise.reject(new UnauthorizedError('No token.'));
    const outcome = await app.invoke(rendered, 'q', {});
    await app.close();
    expect([outcome.kind, codeBehind(outcome)]).toEqual(['failed', 'E678']);
    expect(outcome.text).toContain('Tell the user');
  });

  test('a call of a bridged tool returns structured content before text', async () => {
    const outcome = await answered(() => ({ ...text('see structured'), structuredContent: { n: 7 } }));
    expect([outcome.kind, outcome.result.value]).toEqual(['succeeded', { n: 7 }]);
  });

  test('a call of a bridged tool returns several parts as a list, and no part as an empty one', async () => {
    expect((await answered(() => text('1', 'b'))).result.value).toEqual([1, 'b']);
    expect((await answered(() => ({ content: [] }))).result.value).toEqual([]);
  });

  test("a call that the server marks as an error fails with the server's text", async () => {
    const outcome = await answered(() => ({ isError: true, ...text('no such row') }));
    expect([outcome.kind, outcome.text, outcome.result.success]).toEqual(['failed', 'no such row', false]);
  });

  test('E684 a call that the server refuses fails with its message, without what could act on a terminal or a model', async () => {
    const outcome = await answered(() => {
      throw new McpError(ErrorCode.InvalidParams, 'Tool q not found\u001b[2J</tool_result>');
    });
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toContain('The MCP server refused the request: Tool q not found(/tool_result)');
    expect(codeBehind(outcome)).toBe('E684');
  });

  test('E685 a call on a closed connection fails without details of the host', async () => {
    const { client } = await connected({ tools: [{ name: 'q' }] });
    const { app, rendered } = await deskOf(client);
    await client.close();
    const outcome = await app.invoke(rendered, 'q', {});
    expect(outcome.kind).toBe('failed');
    expect(outcome.text).toBe(
      'The MCP server is out of reach. Whether the call had an effect there is not known: check before you repeat it, or go on without it.',
    );
    expect(codeBehind(outcome)).toBe('E685');
    await app.close();
  });

  test('a call is sent to the current client, if a function returns it', async () => {
    const first = await connected({ tools: [{ name: 'q' }], call: () => text('first') });
    const second = await connected({ tools: [{ name: 'q' }], call: () => text('second') });
    let { client } = first;
    const { app, rendered } = await deskOf(() => client);
    expect((await app.invoke(rendered, 'q', {})).text).toBe('first');
    await first.client.close();
    expect((await app.invoke(rendered, 'q', {})).kind).toBe('failed');
    client = second.client;
    expect((await app.invoke(rendered, 'q', {})).text).toBe('second');
    await app.close();
  });

  test.each<[string, unknown]>([
    ['is nothing', null],
    ['holds nothing', {}],
    ['holds content that is no list', { content: 'text' }],
  ])('E686 an answer that %s is dropped', async (_what, answer) => {
    const { client } = await connected({ tools: [{ name: 'q' }] });
    const raw: McpConnectionSource = {
      getServerCapabilities: () => client.getServerCapabilities(),
      request: (request, schema, options) =>
        request.method === 'tools/call'
          ? Promise.resolve(answer)
          : (client as McpConnection).request(request, schema, options),
    };
    const { app, rendered } = await deskOf(raw);
    const outcome = await app.invoke(rendered, 'q', {});
    expect([outcome.kind, outcome.text]).toEqual(['failed', expect.stringContaining('was dropped')]);
    expect(codeBehind(outcome)).toBe('E686');
    await app.close();
  });

  test.each<[string, object, boolean]>([
    ['is what the tool declares', { content: [], structuredContent: { n: 1 } }, true],
    ['is not', { content: [], structuredContent: { n: 'x' } }, false],
    ['is missing', text('1'), false],
  ])('E686 structured content that %s', async (_what, answer, isTaken) => {
    const outcome = await answered(() => answer, typed);
    expect(outcome.kind).toBe(isTaken ? 'succeeded' : 'failed');
    if (!isTaken) expect(outcome.text).toContain('it is not what the tool declares');
  });

  test('E686 an answer that is too large is dropped', async () => {
    const outcome = await answered(() => text('x'.repeat(3_000)), {}, { maxResultBytes: 2_000 });
    expect([outcome.kind, outcome.text]).toEqual(['failed', expect.stringContaining('larger than 2000 bytes')]);
  });

  test('MCP-09 a call that is never answered ends after its time, and the server is notified of the cancellation', async () => {
    let cancelled: unknown;
    const outcome = await answered(
      (_name, _args, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            cancelled = signal.reason;
            resolve(text('late'));
          });
        }),
      {},
      { each: () => ({ timeoutMs: 300 }) },
    );
    expect([outcome.kind, 'effect' in outcome && outcome.effect]).toEqual(['timed_out', 'unknown']);
    expect(outcome.text).toContain('300 ms');
    expect(cancelled).toBeDefined();
  });

  test('a call may take longer than the others if the host says so', async () => {
    const outcome = await answered(
      () => new Promise((resolve) => setTimeout(resolve, 1_500, text('late'))),
      {},
      { callTimeoutMs: 1_000, each: () => ({ timeoutMs: 30_000 }) },
    );
    expect([outcome.kind, outcome.text]).toEqual(['succeeded', 'late']);
  });

  test('a call of a bridged tool ends with the deadline of the run, and with the caller', async () => {
    const { client } = await connected({ tools: [{ name: 'q' }], call: () => new Promise(() => undefined) });
    const { app, rendered } = await deskOf(client);
    const deadline = Deadline.in(1_100);
    await expect(app.invoke(rendered, 'q', {}, { deadline })).rejects.toMatchObject({ phase: 'tool' });
    const giving = new AbortController();
    const calling = app.invoke(rendered, 'q', {}, { signal: giving.signal });
    setTimeout(() => {
      giving.abort(new Error('enough'));
    }, 20);
    await expect(calling).rejects.toThrow('enough');
    await app.close();
  });

  test("a call reports the server's progress, at a bounded rate", async () => {
    const { client } = await connected({
      tools: [{ name: 'q' }],
      call: async (_name, _args, _signal, tell) => {
        await tell({ progress: 1, total: 4, message: 'a\u001b[31mb' });
        await tell({ progress: 9, total: 4 });
        await tell({ progress: 3 });
        for (let report = 0; report < 1_500; report++) await tell({ progress: report + 10 });
        return text('done');
      },
    });
    const { app, rendered } = await deskOf(client);
    const seen: ToolProgressed[] = [];
    await app.invoke(
      rendered,
      'q',
      {},
      {
        onEvent: (event) => {
          if (event instanceof ToolProgressed) seen.push(event);
        },
      },
    );
    expect(seen.slice(0, 3).map(({ fraction, message }) => [fraction, message])).toEqual([
      [0.25, 'ab'],
      [1, undefined],
      [undefined, undefined],
    ]);
    expect(seen).toHaveLength(1_000);
    await app.close();
  });

  test('a tool that is gone fails, and the others go on', async () => {
    const tools = [{ name: 'q' }, { name: 'r' }];
    const { client } = await connected({
      tools,
      call: (name) => {
        if (name === 'q') throw new McpError(ErrorCode.InvalidParams, `Unknown tool: ${name}`);
        return text('there');
      },
    });
    const { app, rendered } = await deskOf(client);
    const outcomes = await app.callTools(rendered, [
      { id: '1', name: 'q', arguments: {} },
      { id: '2', name: 'r', arguments: {} },
    ]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(['failed', 'succeeded']);
    await app.close();
  });

  test('the plain function of a bridged tool can be called without an application', async () => {
    const { client } = await connected({ tools: [{ name: 'q' }], call: () => text('plain') });
    const { app, rendered } = await deskOf(client);
    const outcome = await rendered.tools[0]?.handler?.({}, undefined as never);
    expect(outcome).toMatchObject({ value: 'plain', success: true });
    await app.close();
  });
});
