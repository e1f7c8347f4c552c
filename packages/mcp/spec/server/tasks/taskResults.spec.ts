import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ToolContext,
  ToolResult,
} from 'toolwright';
import { ScopePolicy } from 'toolwright/policies';
import { openLog } from 'toolwright/internal';
import { MemoryRuns, openRuns } from '@toolwright/durable';
import { McpClient, McpContent, serveMcp } from '@toolwright/mcp';
import { silent } from '../../../../../spec/support/silent';
import { FakeIssuer } from '../../support/fakeIssuer';
import { closeAll, closing } from '../../support/serverKit';
import { ask, ASKABLE, call, type Result } from '../../support/statelessKit';
import { accept, askName, awaitTask, closeDesks, openDesk, pause, startTask } from './taskDesk';

afterEach(closeDesks);
afterEach(closeAll);

class Total {
  @Field('The sum in cents') cents!: number;
}

const PNG = 'iVBORw0KGgo=';
const capabilities = { ...ASKABLE, extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** Polls a task until it has a state. */
async function awaitStatus(
  url: string,
  taskId: string,
  wanted: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  for (;;) {
    const { result } = await ask(url, 'tasks/get', { params: { taskId }, capabilities, headers });
    if (result['status'] === wanted) return result;
    expect(result['status']).toBe('working');
    await pause();
  }
}

async function awaitResult(
  url: string,
  taskId: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Result> {
  return (await awaitStatus(url, taskId, 'completed', headers))['result'] as Result;
}

function clientOf(context: ToolContext): McpClient {
  const client = McpClient.of(context);
  if (client === undefined) throw new TypeError('No client is there.');
  return client;
}

describe('the result of a task', () => {
  test('a task has the structured result, the parts and the blocks of its call, as a direct call has', async () => {
    const tools = [
      defineTool({
        name: 'sum',
        description: 'Adds.',
        result: Total,
        handler: () => Object.assign(new Total(), { cents: 3, secret: 'x' }),
      }),
      defineTool({
        name: 'draw',
        description: 'Draws.',
        handler: () => ToolResult.ok(null, 'Drawn.', { parts: [{ kind: 'image', mediaType: 'image/png', data: PNG }] }),
      }),
      defineTool({
        name: 'link',
        description: 'Links.',
        handler: () => new McpContent([McpContent.text('See'), McpContent.image(PNG, 'image/png')]),
      }),
    ];
    const Desk = definePrompt({ ns: 'a', key: 'd', sections: [defineSection({ key: 's', title: 'S', tools })] });
    const app = await createApplication({ prompts: [Desk] });
    const server = closing(
      serveMcp(app, app.prompt(Desk), {
        tasks: {
          open: (prepare) => openRuns(app, { store: new MemoryRuns(), prepare }),
          tools: { sum: 'optional', draw: 'optional', link: 'optional' },
        },
      }),
    );
    const url = await server.listen();
    for (const name of ['sum', 'draw', 'link']) {
      const direct = (await call(url, name)).result;
      const { taskId } = (await call(url, name, {}, { capabilities })).result;
      const { content, structuredContent } = await awaitResult(url, String(taskId));
      expect({ name, content, structuredContent }).toEqual({
        name,
        content: direct.content,
        structuredContent: direct['structuredContent'],
      });
    }
  });

  test('a task reports a call from its record if the process ended before it could report', async () => {
    const store = new MemoryRuns();
    const desk = await openDesk({ count: () => 'Three.' }, { runs: { store } });
    const { taskId } = await startTask(desk, 'count');
    await awaitTask(desk, taskId, 'completed');
    // The same log without everything behind the outcome, as a killed process leaves it.
    const { entries } = await openLog(store.forTenant('bob'), taskId);
    const kept = entries.slice(0, entries.findIndex(({ kind }) => kind === 'outcome') + 1);
    const cut = new MemoryRuns();
    const records = cut.forTenant('bob');
    const [record] = await store.forTenant('bob').records.list({ conversation: taskId });
    if (record === undefined) throw new Error('The run is not in the store.');
    await records.records.create({
      id: taskId,
      conversation: taskId,
      input: record.input,
      messages: record.messages,
      trace: null,
    });
    const { epoch } = await records.open(taskId);
    await records.append({ conversation: taskId, epoch, after: 0 }, kept);
    let calls = 0;
    const later = await openDesk(
      {
        count: () => {
          calls++;
          return 'Four.';
        },
      },
      { runs: { store: cut } },
    );
    expect((await awaitTask(later, taskId, 'completed')).result).toEqual({
      content: [{ type: 'text', text: 'Three.' }],
    });
    expect(calls).toBe(0);
  });
});

describe('the scopes of a task', () => {
  test('a task has the scopes of the token that created it, as a direct call has', async () => {
    const issuer = await FakeIssuer.start();
    const resource = 'http://127.0.0.1:9/mcp';
    const tool = defineTool({
      name: 'cancel',
      description: 'Cancels.',
      policies: [new ScopePolicy('write')],
      handler: (_params: unknown, context) => `Cancelled with ${String(context.runMetadata['scopes'])}.`,
    });
    const Desk = definePrompt({
      ns: 'a',
      key: 'd',
      sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
    });
    const app = await createApplication({ prompts: [Desk], logger: silent });
    const server = closing(
      serveMcp(app, app.prompt(Desk), {
        http: { authorization: { issuer: issuer.url, resource } },
        tasks: {
          open: (prepare) => openRuns(app, { store: new MemoryRuns(), prepare }),
          tools: { cancel: 'optional' },
        },
      }),
    );
    const url = await server.listen();
    const token = await issuer.sign({ aud: resource, scope: 'read write' });
    const headers = { authorization: `Bearer ${token}` };
    const direct = await call(url, 'cancel', {}, { headers });
    expect(direct.result.content?.[0]?.text).toBe('Cancelled with read write.');
    const { taskId } = (await call(url, 'cancel', {}, { headers, capabilities })).result;
    const task = await awaitResult(url, String(taskId), headers);
    expect(task).toEqual({ content: [{ type: 'text', text: 'Cancelled with read write.' }] });
  });
});

describe('a call that becomes a task in its middle', () => {
  test('a handler asks in the request, and goes on as a task with the answer', async () => {
    const tool = defineTool({
      name: 'work',
      description: 'Works.',
      hints: { openWorld: false },
      handler: async (_params: unknown, context) => {
        const name = await askName(context);
        await clientOf(context).continueAsTask();
        return `Worked for ${name}, then for ${await askName(context, 'And now?')}.`;
      },
    });
    const Desk = definePrompt({
      ns: 'a',
      key: 'd',
      sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
    });
    const app = await createApplication({ prompts: [Desk] });
    const server = closing(
      serveMcp(app, app.prompt(Desk), {
        tasks: {
          open: (prepare) => openRuns(app, { store: new MemoryRuns(), prepare }),
          tools: { work: { support: 'optional', begins: 'handler' } },
        },
      }),
    );
    const url = await server.listen();
    const asking = (await call(url, 'work', {}, { capabilities })).result;
    expect(asking.resultType).toBe('input_required');
    const [key = ''] = Object.keys(asking.inputRequests ?? {});
    const round = { inputResponses: { [key]: accept('Bob') }, requestState: asking.requestState };
    const { resultType, taskId, requestState } = (await call(url, 'work', round, { capabilities })).result;
    expect([resultType, requestState]).toEqual(['task', undefined]);
    const [later = ''] = Object.keys((await awaitStatus(url, String(taskId), 'input_required')).inputRequests ?? {});
    await ask(url, 'tasks/update', { params: { taskId, inputResponses: { [later]: accept('Ann') } }, capabilities });
    expect((await awaitResult(url, String(taskId))).content).toEqual([
      { type: 'text', text: 'Worked for Bob, then for Ann.' },
    ]);
    // Without the extension, the same handler answers directly.
    const plain = (await call(url, 'work')).result;
    const [first = ''] = Object.keys(plain.inputRequests ?? {});
    const answered = { inputResponses: { [first]: accept('Bob') }, requestState: plain.requestState };
    expect((await call(url, 'work', answered)).result.resultType).toBe('input_required');
  });
});

describe('the options of tasks', () => {
  test.each([
    ['an unknown option', { depth: 1 }, /depth/],
    ['no function to open runs', { open: 7 }, /tasks\.open: expected a function, got the number 7/],
    ['an unknown support', { tools: { pay: 'sometimes' } }, /tasks\.tools\.pay: expected 'optional', 'required'/],
    ['an unknown beginning', { tools: { pay: { support: 'optional', begins: 'later' } } }, /tasks\.tools\.pay/],
    ['tools that are a list', { tools: ['pay'] }, /tasks\.tools/],
    ['no time to live', { ttlMs: 0 }, /ttlMs: expected a whole number above 0/],
    ['too short a time to live', { ttlMs: 10 }, /ttlMs: expected at least 2000 ms/],
    ['half a task', { maxTasksPerPrincipal: 0.5 }, /maxTasksPerPrincipal: expected a whole number/],
  ])('serveMcp refuses tasks with %s', async (_what, given, message) => {
    const Desk = definePrompt({
      ns: 'a',
      key: 'd',
      sections: [defineSection({ key: 's', title: 'S', template: 'x' })],
    });
    const app = await createApplication({ prompts: [Desk] });
    const tasks = { open: () => Promise.reject(new TypeError('not opened')), tools: {}, ...given };
    expect(() => serveMcp(app, app.prompt(Desk), { tasks } as never)).toThrow(message);
  });
});
