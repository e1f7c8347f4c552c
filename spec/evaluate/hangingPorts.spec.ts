import {
  type Application,
  type ApplicationOptions,
  bind,
  type Constructor,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Session,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import type { Interceptor } from 'toolwright/policies';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { MemoryRuns } from '@toolwright/durable';
import { silent } from '../support/silent.js';

const never = (): Promise<never> => new Promise(() => undefined);

const Act = defineTool({ name: 'act', description: 'Acts.', handler: () => 'done' });
const Hidden = defineTool({ name: 'hidden', description: 'Acts.', handler: () => 'done' });

type SectionHooks = Partial<Parameters<typeof defineSection>[0]>;

async function deskOf(hooks: SectionHooks, options: Partial<ApplicationOptions> = {}) {
  const section: Constructor = defineSection({ key: 's', title: 'S', ...hooks });
  const Desk = definePrompt({
    ns: 'n',
    key: 'k',
    sections: [defineSection({ key: 'a', title: 'A', tools: [Act] }), section],
  });
  const errors: string[] = [];
  const logger = { ...silent, error: (message: string) => void errors.push(message) };
  const app: Application = await createApplication({ prompts: [Desk], logger, ...options });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  return { app, prompt: app.prompt(Desk), events, errors };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** Lets a minute pass; returns the result, or what it was rejected with. */
async function after(running: Promise<unknown>): Promise<unknown> {
  const settled = running.catch((error: unknown) => error);
  await jest.advanceTimersByTimeAsync(61_000);
  return settled;
}
const answering = (): ScriptedModel => new ScriptedModel([{ text: 'Done.' }]);

describe('TRACE-03 a hook of a section that never ends', () => {
  const hooks: [string, SectionHooks][] = [
    ['enabled', { enabled: never }],
    ['visibility', { visibility: never, summary: 'S.' }],
    ['renderBody', { renderBody: never }],
  ];

  test.each(hooks)('%s ends with the deadline of its rendering', async (_name, hook) => {
    const { prompt } = await deskOf(hook);
    expect(await after(prompt.render({ deadline: Deadline.in(1_000) }))).toMatchObject({ code: 'E605' });
  });

  test.each(hooks)('%s ends with the deadline of its run', async (_name, hook) => {
    const { app, prompt } = await deskOf(hook);
    const ended = await after(app.evaluate(prompt, { adapter: answering(), deadline: Deadline.in(1_000) }));
    expect(ended).toMatchObject({
      code: 'E605',
      phase: 'request',
      message: expect.stringContaining('rendered') as string,
    });
  });

  test.each(hooks)('%s ends with the signal of its run, and the application closes', async (_name, hook) => {
    const { app, prompt } = await deskOf(hook);
    const reason = new Error('Enough.');
    const ended = after(app.evaluate(prompt, { adapter: answering(), signal: AbortSignal.abort(reason) }));
    expect(await ended).toBe(reason);
    await app.close();
  });

  test('the hook of an opened section never ends: the call ends with the deadline, and has its event', async () => {
    let isAnswered = false;
    const answered: Interceptor = {
      aroundModel: async (_request, next) => {
        await next();
        isAnswered = true;
      },
    };
    const hooks: SectionHooks = {
      tools: [Hidden],
      visibility: () => 'summary',
      summary: 'More.',
      enabled: () => (isAnswered ? never() : true),
    };
    const { app, prompt, events } = await deskOf(hooks, { interceptors: [answered] });
    const rendered = await prompt.render();
    const adapter = new ScriptedModel([
      { toolCalls: [{ name: 'open_sections', arguments: { section_keys: ['s'], reason: 'I need it.' } }] },
      { text: 'Done.' },
    ]);
    const ended = await after(app.evaluate(rendered, { adapter, deadline: Deadline.in(1_000) }));
    expect(ended).toMatchObject({ code: 'E605' });
    expect(events.map(({ name, kind }) => ({ name, kind }))).toEqual([{ name: 'open_sections', kind: 'timed_out' }]);
  });
});

describe('TRACE-03 an interceptor that never ends', () => {
  const layers: [keyof Interceptor, string][] = [
    ['aroundRun', 'a run'],
    ['aroundModel', 'a request'],
  ];

  test.each(layers)('%s is given up five seconds after the deadline', async (name, what) => {
    const { app, prompt } = await deskOf({}, { interceptors: [{ [name]: never }] });
    const ended = await after(app.evaluate(prompt, { adapter: answering(), deadline: Deadline.in(1_000) }));
    expect(ended).toMatchObject({ code: 'E605', message: expect.stringContaining(`around ${what}`) as string });
  });

  test('aroundCall is given up, and the call, which only then begins, ends with the deadline', async () => {
    const { app, prompt, errors } = await deskOf({}, { interceptors: [{ aroundCall: never }] });
    const rendered = await prompt.render();
    const ended = await after(app.invoke(rendered, 'act', {}, { deadline: Deadline.in(1_000) }));
    expect(ended).toMatchObject({ code: 'E605', message: expect.stringContaining('before act could run') as string });
    expect(errors.join()).toContain('it had not ended when the run was stopped');
  });

  test('aroundCall that goes on after the call does not hold it up without a deadline to end it', async () => {
    const { app, prompt, errors } = await deskOf(
      {},
      {
        interceptors: [
          {
            aroundCall: async (_call, next) => {
              await next();
              await never();
            },
          },
        ],
      },
    );
    const rendered = await prompt.render();
    const outcome = await after(app.invoke(rendered, 'act', {}, { deadline: Deadline.in(1_000) }));
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors.join()).toContain('it had not ended when the run was stopped');
  });
});

describe('TRACE-03 a summary of the history that never ends', () => {
  test('TRACE-03 a summary of the history that never ends ends with the deadline of the run', async () => {
    const { app, prompt } = await deskOf({});
    const history = { maxTokens: 600, summarise: never };
    const conversation = new Conversation();
    const content = 'Where is my order? '.repeat(200);
    const messages = [
      { role: 'user', content },
      { role: 'assistant', content },
      { role: 'user', content: 'And now?' },
    ] as const;
    const ended = await after(
      app.evaluate(prompt, { adapter: answering(), conversation, messages, history, deadline: Deadline.in(1_000) }),
    );
    expect(ended).toMatchObject({ code: 'E605', message: expect.stringContaining('history') as string });
  });
});

describe('TRACE-03 a store of runs that never ends', () => {
  test('TRACE-03 a store of runs that never ends ends the run after thirty seconds, with the reason', async () => {
    const { app, prompt } = await deskOf({});
    const store = Object.assign(new MemoryRuns(), { append: never });
    const conversation = await Conversation.open(store, 'c');
    const messages = [{ role: 'user', content: 'Hello?' }] as const;
    const ended = await after(app.evaluate(prompt, { adapter: answering(), conversation, messages }));
    expect(ended).toMatchObject({ code: 'E709', message: expect.stringContaining('30000 ms') as string });
  });
});

describe('TRACE-04 closing that never ends', () => {
  class Connection {
    close(): Promise<void> {
      return never();
    }
  }

  test('closing a resource of a call never ends: E917 is logged after five seconds, and the call has succeeded', async () => {
    const connect = bind(Connection, { provide: () => new Connection(), scope: 'toolCall', eager: true });
    const { app, prompt, errors } = await deskOf({}, { resources: [connect] });
    const outcome = await after(app.invoke(await prompt.render(), 'act', {}, { session: new Session() }));
    expect(outcome).toMatchObject({ kind: 'succeeded' });
    expect(errors.join()).toContain('E917 Connection: closing it had not ended after 5000 ms');
  });

  test('a subscriber and a resource never close: E917 after thirty seconds each, and everything else is closed', async () => {
    let closed = 0;
    class Other {
      close(): void {
        closed++;
      }
    }
    const { app, prompt } = await deskOf(
      {},
      {
        resources: [
          bind(Other, { provide: () => new Other(), eager: true }),
          bind(Connection, { provide: () => new Connection(), eager: true }),
        ],
      },
    );
    app.eventBus.subscribe(ToolInvoked, never);
    await app.invoke(await prompt.render(), 'act', {});
    expect(await after(app.close())).toMatchObject({
      code: 'E908',
      errors: [
        { code: 'E917', place: 'EventBus' },
        { code: 'E917', place: 'Connection' },
      ],
    });
    expect(closed).toBe(1);
  });
});
