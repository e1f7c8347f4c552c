import {
  type Application,
  type BoundPrompt,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  type ModelAdapter,
  Param,
  type PromptOptions,
  ThrottleError,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import type { Interceptor } from 'toolwright/policies';
import { FakeClock, ReplayModel, ScriptedModel } from 'toolwright/testing';
import { reopened } from '../../support/reopened';
import { silent } from '../../support/silent';
import { add, rejection } from '../desk';
import { calling, eventsOf, spoken, Tap, told } from './reader';

type Given = Partial<Parameters<typeof createApplication>[0]>;

async function desk(
  tools: readonly Constructor[],
  options: Given = {},
  more: Partial<PromptOptions> = {},
): Promise<{ readonly app: Application; readonly prompt: BoundPrompt }> {
  const section = defineSection({ key: 'desk', title: 'Desk', template: 'Help.', tools });
  const type = definePrompt({ ns: 'spec', key: 'desk', heading: 'plain', sections: [section], ...more });
  const app = await createApplication({ prompts: [type], logger: silent, ...options });
  return { app, prompt: app.prompt(type) };
}
/** An adapter that cannot stream. */
const inOnePiece = (model: ScriptedModel): ModelAdapter => ({
  name: 'one piece',
  complete: (request) => model.complete(request),
});

describe('the events of a stream', () => {
  test('texts, answers and calls as they come, and the response of evaluate at the end', async () => {
    const { app, prompt } = await desk([add()]);
    const call = { id: 'a', name: 'add', arguments: '{"a":1,"b":2}' };
    const script = [{ text: 'Let me see.', toolCalls: [call], usage: { totalTokens: 3 } }, { text: 'It is 3.' }];
    const response = await app.evaluate(prompt, { adapter: new ScriptedModel(script) });
    const answer = { kind: 'answer', turn: 1, text: 'Let me see.', finishReason: 'tool_calls' };
    const read = { role: 'tool', toolCallId: 'a', name: 'add', content: '3', failed: false };
    expect(await eventsOf(app.stream(prompt, { adapter: new ScriptedModel(script) }))).toEqual([
      ...['Let', ' me', ' see.'].map((text) => ({ kind: 'text', turn: 1, text })),
      { ...answer, toolCalls: [call], usage: { totalTokens: 3 } },
      { kind: 'begun', turn: 1, ...call, call: '1.0' },
      { kind: 'outcome', turn: 1, call: '1.0', name: 'add', outcome: 'succeeded', message: read },
      ...['It', ' is', ' 3.'].map((text) => ({ kind: 'text', turn: 2, text })),
      { kind: 'answer', turn: 2, text: 'It is 3.', toolCalls: [], finishReason: 'stop', usage: undefined },
      { kind: 'done', response },
    ]);
  });

  test('the events of a stream are frozen', async () => {
    const { app, prompt } = await desk([add()]);
    const script = [{ text: 'x', toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { text: 'y' }];
    const events = await eventsOf(app.stream(prompt, { adapter: new ScriptedModel(script) }));
    expect(events.filter((event) => !Object.isFrozen(event)).map(({ kind }) => kind)).toEqual([]);
  });

  test('an adapter that cannot stream yields the text of an answer in one piece', async () => {
    const { app, prompt } = await desk([add()]);
    const script = [{ text: '', toolCalls: [{ name: 'add', arguments: { a: 1, b: 2 } }] }, { text: 'It is 3.' }];
    const events = await eventsOf(app.stream(prompt, { adapter: inOnePiece(new ScriptedModel(script)) }));
    expect(told(events)).toEqual(['answer ', 'begun', 'outcome 3', 'text It is 3.', 'answer It is 3.', 'done']);
  });

  test('an adapter that streams nothing but the whole answer yields its text once', async () => {
    const { app, prompt } = await desk([]);
    const adapter = new Tap([() => spoken('', 'Hi.').slice(-1)]);
    expect(told(await eventsOf(app.stream(prompt, { adapter })))).toEqual(['text Hi.', 'answer Hi.', 'done']);
  });

  test('a stream without the whole answer is no answer, and none of its calls is run', async () => {
    const { app, prompt } = await desk([add()]);
    const adapter = new Tap([() => spoken('Half an').slice(0, 1)]);
    const stream = app.stream(prompt, { adapter });
    expect(await stream.next()).toMatchObject({ value: { kind: 'text', text: 'Half an' } });
    expect(await rejection(stream.next())).toMatchObject({ code: 'E702', phase: 'response' });
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test('a replayed run is streamed as well', async () => {
    const { app, prompt } = await desk([]);
    const { transcript } = await app.evaluate(prompt, { adapter: new ScriptedModel([{ text: 'As before.' }]) });
    const events = await eventsOf(app.stream(prompt, { adapter: new ReplayModel(transcript) }));
    expect(told(events)).toEqual(['text As', 'text  before.', 'answer As before.', 'done']);
  });

  test('every call of an answer ends once: unknown ones, refused ones, and one that came twice', async () => {
    const { app, prompt } = await desk([add()]);
    const twice = { id: 'x', name: 'add', arguments: { a: 1, b: 1 } };
    const toolCalls = [twice, { id: 'y', name: 'sub', arguments: {} }, twice, { id: 'z', name: 'add', arguments: '{' }];
    const adapter = new ScriptedModel([{ toolCalls }, { text: 'Done.' }]);
    const events = await eventsOf(app.stream(prompt, { adapter }));
    expect(
      events.flatMap((event) =>
        event.kind === 'outcome' ? [[event.message.toolCallId, event.outcome, !event.message.failed]] : [],
      ),
    ).toEqual([
      ['x', 'succeeded', true],
      ['y', 'unknown', false],
      ['z', 'rejected', false],
    ]);
  });

  test('calls that run together are all announced before the first of them runs', async () => {
    const ran: string[] = [];
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      hints: { readOnly: true },
      handler: (_params: unknown, { call }) => {
        ran.push(call.id);
      },
    });
    const { app, prompt } = await desk([look]);
    const toolCalls = ['a', 'b', 'c'].map((id) => ({ id, name: 'look', arguments: {} }));
    const seen: string[] = [];
    for await (const event of app.stream(prompt, { adapter: new ScriptedModel([{ toolCalls }, {}]) }))
      if (event.kind === 'begun') seen.push(`${event.id} ${String(ran.length)}`);
    expect(seen).toEqual(['a 0', 'b 0', 'c 0']);
    expect(ran).toEqual(['a', 'b', 'c']);
  });

  test('progress of handlers comes between begun and outcome, without secrets, shortened, and without a wait', async () => {
    const count = defineTool({
      name: 'count',
      description: 'Counts.',
      handler: async (_params: unknown, context) => {
        for (let number = 0; number < 1_000; number++) context.reportProgress({ message: `${String(number)} key-1` });
        await new Promise((resolve) => setImmediate(resolve));
        context.reportProgress({ fraction: 1, message: 'x'.repeat(5_000) });
        await context.callTool({ id: 'inner', name: 'inner', arguments: {} });
        await new Promise((resolve) => setImmediate(resolve));
        return 'done';
      },
    });
    const inner = defineTool({
      name: 'inner',
      description: 'Reports.',
      handler: (_params: unknown, context) => {
        context.reportProgress({ message: 'inner' });
      },
    });
    const { app, prompt } = await desk([count, inner], { redact: (text) => text.replaceAll('key-1', '…') });
    const adapter = new ScriptedModel([{ toolCalls: [{ id: 'a', name: 'count', arguments: {} }] }, {}]);
    const events = await eventsOf(app.stream(prompt, { adapter }));
    expect(events.map(({ kind }) => kind)).toEqual([
      ...['answer', 'begun', 'progress', 'progress', 'progress', 'outcome', 'answer', 'done'],
    ]);
    const values = events.flatMap((event) => (event.kind === 'progress' ? [event.value] : []));
    expect(values.slice(0, 2)).toEqual([{ message: '0 …' }, { message: '999 …' }]);
    expect(values[2]?.fraction).toBe(1);
    expect(values[2]?.message?.length).toBeLessThanOrEqual(1_000);
    expect(events.find(({ kind }) => kind === 'progress')).toMatchObject({
      turn: 1,
      call: '1.0',
      id: 'a',
      name: 'count',
    });
  });

  test('sections that the model opens, and calls that could not start because of it', async () => {
    const closed = defineSection({
      key: 'more',
      title: 'More',
      summary: 'Short.',
      visibility: 'summary',
      template: 'Long.',
    });
    const { app, prompt } = await desk(
      [add()],
      {},
      {
        sections: [defineSection({ key: 'desk', title: 'Desk', tools: [add()] }), closed],
      },
    );
    const toolCalls = [
      { id: 'open', name: 'open_sections', arguments: { section_keys: ['more'], reason: 'r' } },
      { id: 'late', name: 'add', arguments: { a: 1, b: 1 } },
    ];
    const events = await eventsOf(
      app.stream(prompt, { adapter: new ScriptedModel([{ toolCalls }, { text: 'Read.' }]) }),
    );
    expect(events.slice(1, 4)).toMatchObject([
      { kind: 'begun', id: 'open', call: '1.0' },
      { kind: 'outcome', turn: 1, call: '1.0', outcome: 'expanded', message: { failed: false }, opened: ['more'] },
      { kind: 'outcome', turn: 1, call: '1.1', outcome: 'failed', message: { toolCallId: 'late', failed: true } },
    ]);
    expect(events[3]).not.toHaveProperty('opened');
  });

  test('a note holds a message of the run itself to the model: a refused answer, and a limit that is near', async () => {
    let asked = 0;
    const completion = [
      {
        name: 'second',
        check: () => (asked++ === 0 ? { complete: false as const, feedback: 'Again.' } : { complete: true as const }),
      },
    ];
    const { app, prompt } = await desk([], {}, { completion });
    const adapter = new ScriptedModel([{ text: 'Bad.' }, { text: 'Good.' }]);
    const events = await eventsOf(app.stream(prompt, { adapter, maxTurns: 5 }));
    const { transcript } = (events.at(-1) as { readonly response: { readonly transcript: readonly object[] } })
      .response;
    expect(told(events)[2]).toMatch(/^note \[Your answer is not taken yet.*Again\./);
    expect(events[2]).toMatchObject({ kind: 'note', about: 'verdict', message: { role: 'user', note: 'application' } });
    expect(events[2]).toHaveProperty('message', transcript[2]);
    const short = await eventsOf(
      app.stream(prompt, {
        adapter: new ScriptedModel([{ toolCalls: [{ name: 'none', arguments: {} }] }, { text: 'x' }]),
        maxTurns: 2,
      }),
    );
    expect(told(short)).toContainEqual(expect.stringMatching(/^note \[Limits of this run: 1 of 2 answers left/));
  });

  test('the output that was asked for is in the response', async () => {
    class Sum {
      @Field('Sum') total!: number;
    }
    const { app, prompt } = await desk([]);
    const adapter = new ScriptedModel([{ text: '{"total":3}' }]);
    const events = await eventsOf(app.stream(prompt, { adapter, output: Sum }));
    const last = events.at(-1);
    expect(last?.kind === 'done' && last.response.output).toBeInstanceOf(Sum);
  });

  test('a run within a handler is not part of the stream, nor are the calls of a call', async () => {
    const { app, prompt } = await desk([
      add(),
      defineTool({
        name: 'delegate',
        description: 'Delegates.',
        handler: async (_params: unknown, context) => {
          await context.callTool({ id: 'inner', name: 'add', arguments: { a: 1, b: 1 } });
          return (await context.run?.evaluate(context.prompt))?.text;
        },
      }),
    ]);
    const adapter = new ScriptedModel([
      { toolCalls: [{ id: 'outer', name: 'delegate', arguments: {} }] },
      { text: 'Inner.' },
      { text: 'Outer.' },
    ]);
    expect(told(await eventsOf(app.stream(prompt, { adapter })))).toEqual([
      'answer null',
      'begun',
      'outcome Inner.',
      'text Outer.',
      'answer Outer.',
      'done',
    ]);
  });
});

describe('a stream whose provider fails', () => {
  const busy = () => new ThrottleError('The line went dead.', { kind: 'connection' });

  test('a failure in the middle: a retry says that the texts of the turn are void, and the answer starts again', async () => {
    const clock = new FakeClock();
    const { app, prompt } = await desk([], { clock, random: () => 0.5 });
    const adapter = new Tap([() => [...spoken('Hal', 'f').slice(0, 2), busy()], () => spoken('Whole.')]);
    const events = await eventsOf(app.stream(prompt, { adapter }));
    expect(told(events)).toEqual(['text Hal', 'text f', 'retry', 'text Whole.', 'answer Whole.', 'done']);
    expect(events[2]).toEqual({ kind: 'retry', turn: 1, waitMs: 250, problem: 'The line went dead.' });
    expect(events.at(-1)).toMatchObject({ response: { text: 'Whole.', turns: 1 } });
    expect(clock.slept).toEqual([250]);
  });

  test('a provider that fails again and again: the stream throws what evaluate throws', async () => {
    const { app, prompt } = await desk([], { clock: new FakeClock() });
    const adapter = new Tap(Array.from({ length: 5 }, () => () => [...spoken('x').slice(0, 1), busy()]));
    const events: string[] = [];
    const reading = (async () => {
      for await (const { kind } of app.stream(prompt, { adapter })) events.push(kind);
    })();
    expect(await rejection(reading)).toMatchObject({ name: 'ThrottleError', message: 'The line went dead.' });
    expect(events.filter((kind) => kind === 'retry')).toHaveLength(4);
    expect(adapter.closed).toBe(5);
  });

  test('a provider that fails with an error of its own: the stream throws it as evaluate wraps it', async () => {
    const { app, prompt } = await desk([]);
    const adapter = new Tap([() => [...spoken('x').slice(0, 1), new RangeError('odd')]]);
    expect(await rejection(eventsOf(app.stream(prompt, { adapter })))).toMatchObject({
      code: 'E701',
      phase: 'request',
      message: 'The request to tap failed: odd',
      cause: new RangeError('odd'),
    });
  });
});

describe('streams with interceptors, conversations and secrets', () => {
  test('interceptors see one request and one answer', async () => {
    const seen: string[] = [];
    const interceptor: Interceptor = {
      async aroundRun(_run, next) {
        seen.push('run');
        return next();
      },
      async aroundModel({ turn }, next) {
        const { text } = await next();
        seen.push(`${String(turn)} ${String(text)}`);
      },
    };
    const { app, prompt } = await desk([], { interceptors: [interceptor] });
    await eventsOf(app.stream(prompt, { adapter: new Tap([() => spoken('Hel', 'lo.')]) }));
    expect(seen).toEqual(['run', '1 Hello.']);
  });

  test('a run that is continued repeats recorded answers and calls, and runs none of them', async () => {
    let runs = 0;
    const act = defineTool({ name: 'act', description: 'Acts.', handler: () => ++runs });
    const { app, prompt } = await desk([act]);
    const conversation = new Conversation();
    const script = [{ text: 'Now then.', toolCalls: [{ name: 'act', arguments: {} }] }, { text: 'Acted.' }];
    for await (const event of app.stream(prompt, { adapter: new ScriptedModel(script), conversation }))
      if (event.kind === 'outcome') break;
    const adapter = new ScriptedModel(script.slice(1));
    const resumed = app.stream(prompt, { adapter, conversation: reopened(conversation) });
    expect(told(await eventsOf(resumed))).toEqual([
      'text Now then.',
      'answer Now then.',
      'begun',
      'outcome 1',
      'text Acted.',
      'answer Acted.',
      'done',
    ]);
    expect(runs).toBe(1);
  });

  test("no event contains a secret, except in the model's own text; the hook is applied to the rest", async () => {
    class Login {
      @Param({ description: 'PIN', secret: true }) pin!: string;
    }
    const login = defineTool({
      name: 'login',
      description: 'Logs in.',
      params: Login,
      handler: ({ pin }) => `Hello, ${pin} a@b.c`,
    });
    const redact = (text: string) => text.replaceAll('a@b.c', '[mail]');
    const { app, prompt } = await desk([login], { redact });
    const script = [
      { text: 'I log in as a@b.c.', toolCalls: [{ name: 'login', arguments: '{"pin":"987654"}' }] },
      { text: 'In.' },
    ];
    const events = await eventsOf(app.stream(prompt, { adapter: new ScriptedModel(script) }));
    expect(JSON.stringify(events)).not.toContain('987654');
    const calls = events.flatMap((event) => (event.kind === 'begun' ? [event.arguments] : []));
    expect(calls).toEqual(['{"pin":"[secret]"}']);
    expect(told(events)).toContain('outcome Hello, [secret] [mail]');
    expect(told(events)).toContain('text  a@b.c.');
  });

  test('evaluate asks for the whole answer, also where there is a stream', async () => {
    const { app, prompt } = await desk([]);
    const adapter = new Tap([() => calling('x')]);
    expect(await rejection(app.evaluate(prompt, { adapter }))).toMatchObject({
      message: expect.stringContaining('complete was called') as string,
    });
    expect(adapter.requests).toEqual([]);
  });
});
