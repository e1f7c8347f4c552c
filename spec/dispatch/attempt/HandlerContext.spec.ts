import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  Budget,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Field,
  Param,
  Session,
  ToolContext,
  type ToolOutcome,
  TransactionClosedError,
} from 'toolwright';
import type { SessionPort } from 'toolwright/conversations';
import { Filesystem, InMemoryFilesystem } from 'toolwright/resources';
import { FakeClock } from 'toolwright/testing';
import { ToolInvoked, ToolProgressed } from 'toolwright/events';
import { deskOf, Ledger, Note, rejection } from '../desk';

describe('ToolContext', () => {
  test('ToolContext shows the call, the prompt and what surrounds it', async () => {
    const seen: Record<string, unknown> = {};
    const clock = new FakeClock('2031-02-03T04:05:06Z');
    let count = 0;
    const desk = await deskOf(
      [
        defineTool({
          name: 'act',
          description: 'Acts.',
          handler: (_params: unknown, context: ToolContext) => {
            const { prompt, renderedPrompt, call, deadline, session, logger, eventBus } = context;
            logger.info('hello', { a: 1 });
            Object.assign(seen, { call, deadline, eventBus, renderedPrompt, frozen: Object.isFrozen(context) });
            Object.assign(seen, { ns: prompt.ns, key: prompt.key, section: prompt.section('desk')?.title });
            Object.assign(seen, { now: context.now(), id: context.newId(), sessionId: session.id });
            Object.assign(seen, { isContext: context instanceof ToolContext, isFixed: Object.isFrozen(call) });
          },
        }),
      ],
      { clock, ids: () => `id-${++count}` },
    );
    const deadline = Deadline.in(2_000, clock);
    await desk.app.callTool(
      desk.rendered,
      { id: 'c1', name: 'act', arguments: '' },
      { session: desk.session, deadline },
    );
    expect(seen).toMatchObject({
      call: { id: 'c1', name: 'act', attempt: 1, caller: 'direct' },
      ns: 'spec',
      key: 'desk',
      section: 'Desk',
      now: Date.parse('2031-02-03T04:05:06Z'),
      id: 'id-1',
      sessionId: desk.session.id,
      frozen: true,
      isContext: true,
      isFixed: true,
    });
    expect(seen['deadline']).toBe(deadline);
    expect(seen['renderedPrompt']).toBe(desk.rendered);
    expect(seen['eventBus']).toBe(desk.app.eventBus);
    expect(desk.logged).toContainEqual({ level: 'info', message: 'hello', fields: { a: 1 } });
  });

  test('each call has a context of its own, without a deadline where the run has none', async () => {
    const contexts: ToolContext[] = [];
    const deadlines: unknown[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          contexts.push(context);
          deadlines.push(context.deadline);
        },
      }),
    ]);
    await desk.call('act');
    await desk.call('act');
    expect(contexts).toHaveLength(2);
    expect(contexts[0]).not.toBe(contexts[1]);
    expect(deadlines).toEqual([null, null]);
  });

  test('ToolContext shows the prompt with its tools and resources: those that a session enables, those outside of the call', async () => {
    class Switch {}
    const store = new InMemoryFilesystem({ files: { a: '1' } });
    const seen: unknown[] = [];
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      handler: async (_params: unknown, { prompt, session, filesystem }: ToolContext) => {
        await filesystem?.write('a', '2');
        seen.push(
          (await prompt.tools()).map(({ name }) => name),
          (await prompt.tools({ session })).map(({ name }) => name),
        );
        seen.push((await prompt.resources.get(Filesystem).read('a')).content, (await filesystem?.read('a'))?.content);
      },
    });
    const hidden = defineTool({ name: 'hidden', description: 'Is there at times.', handler: () => 'there' });
    const always = defineSection({ key: 'always', title: 'Always', tools: [look] });
    const enabled = ({ session }: { readonly session: SessionPort }) => session.slice(Switch).latest() !== undefined;
    const sometimes = defineSection({ key: 'sometimes', title: 'Sometimes', tools: [hidden], enabled });
    const Desk = definePrompt({ ns: 'a', key: 'b', sections: [always, sometimes] });
    const app = await createApplication({ prompts: [Desk], resources: [bind(Filesystem, { value: store })] });
    const session = new Session();
    session.dispatch(new Switch());
    const outcome = await app.invoke(await app.prompt(Desk).render({ session }), 'look', {}, { session });
    expect(outcome.kind).toBe('succeeded');
    expect(seen).toEqual([['look'], ['look', 'hidden'], '1', '2']);
  });

  test('ToolContext refuses every use after its call has ended', async () => {
    const kept: ToolContext[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, context: ToolContext) => {
          kept.push(context);
        },
      }),
    ]);
    await desk.call('act');
    const [context] = kept as [ToolContext];
    const uses: (() => unknown)[] = [
      () => context.prompt,
      () => context.renderedPrompt,
      () => context.session,
      () => context.eventBus,
      () => context.deadline,
      () => context.resources,
      () => context.call,
      () => context.logger,
      () => context.now(),
      () => context.newId(),
    ];
    for (const use of uses) expect(use).toThrow(TransactionClosedError);
    expect(() => context.session).toThrow('context of act');
    // Its rejection goes unhandled unless the context sees to it.
    void context.callTool({ id: 'w', name: 'act', arguments: {} });
    expect(await rejection(context.callTool({ id: 'x', name: 'act', arguments: {} }))).toBeInstanceOf(
      TransactionClosedError,
    );
    expect(desk.events).toHaveLength(1);
  });

  test('the signal of a context is never aborted by a success, and always by a rollback', async () => {
    const signals: AbortSignal[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: (_params: unknown, { signal, call }: ToolContext) => {
          signals.push(signal);
          if (call.id === 'bad') throw new Error('boom');
        },
      }),
    ]);
    const calls = ['good', 'bad'].map((id) => ({ id, name: 'act', arguments: {} }));
    await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
  });

  test('CONC-09 100 parallel calls see their own context, session and resources', async () => {
    const seen: string[] = [];
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        hints: { readOnly: true },
        handler: async (_params: unknown, context: ToolContext) => {
          const { id } = context.call;
          await sleep(Math.random() * 10);
          seen.push(`${id}=${context.call.id}`);
          return context.call.id;
        },
      }),
    ]);
    const calls = Array.from({ length: 100 }, (_, index) => ({ id: `c${index}`, name: 'act', arguments: {} }));
    const outcomes: readonly ToolOutcome[] = await desk.app.callTools(desk.rendered, calls, { session: desk.session });
    expect(outcomes.map(({ text }) => text)).toEqual(calls.map(({ id }) => id));
    expect(seen).toHaveLength(100);
    for (const pair of seen) expect(pair).toMatch(/^(c\d+)=\1$/);
  });

  test('CONC-09 calls of different sessions never meet', async () => {
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        handler: async (_params: unknown, context: ToolContext) => {
          context.session.dispatch(new Note(context.call.id));
          await sleep(Math.random() * 5);
          return context.session
            .slice(Note)
            .all()
            .map(({ text }) => text)
            .join();
        },
      }),
    ]);
    const texts = await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        const call = { id: `c${index}`, name: 'act', arguments: {} };
        return (await desk.app.callTool(desk.rendered, call, { session: new Session() })).text;
      }),
    );
    expect(texts).toEqual(Array.from({ length: 50 }, (_, index) => `c${index}`));
    expect(desk.state().notes).toEqual(['first']);
  });
});

describe('the value of a result', () => {
  class Booking {
    @Field('Seat') seat!: string;
  }
  const booker = (hints: { readOnly?: boolean }, success = true) =>
    defineTool({
      name: 'book',
      description: 'Books.',
      hints,
      handler: () => {
        const value = Object.assign(new Booking(), { seat: '12A' });
        return success ? value : Promise.reject(new Error('no'));
      },
    });

  test('the value of a result reaches the slice of its class when that is installed', async () => {
    const desk = await deskOf([booker({})]);
    desk.session.install(Booking);
    await desk.call('book');
    expect(desk.session.slice(Booking).latest()).toEqual({ seat: '12A' });
  });

  test('the value of a result is not appended to a slice that was never installed or registered', async () => {
    const desk = await deskOf([booker({})]);
    await desk.call('book');
    expect(desk.session.slice(Booking).all()).toEqual([]);
  });

  test('the value of a result reaches the reducers of its class', async () => {
    const desk = await deskOf([booker({})]);
    desk.session.slice(Note).register(Booking, (_view, { seat }) => ({ kind: 'append', value: new Note(seat) }));
    await desk.call('book');
    expect(desk.state().notes).toEqual(['first', '12A']);
  });

  test.each([
    ['of a read-only tool', booker({ readOnly: true })],
    ['of a failed call', booker({}, false)],
  ])('the value %s reaches no slice', async (_which, tool) => {
    const desk = await deskOf([tool]);
    desk.session.install(Booking);
    await desk.call('book');
    expect(desk.session.slice(Booking).all()).toEqual([]);
    expect(desk.events).toHaveLength(1);
  });

  test('the value of a result is published after the commit', async () => {
    const seen: unknown[] = [];
    const desk = await deskOf([booker({})]);
    desk.session.install(Booking);
    desk.app.eventBus.subscribe(ToolInvoked, () => {
      seen.push(desk.session.slice(Booking).latest()?.seat);
    });
    await desk.call('book');
    expect(seen).toEqual(['12A']);
  });
});

test('a tool reaches the ledger of its own call only', async () => {
  const desk = await deskOf([
    defineTool({
      name: 'act',
      description: 'Acts.',
      handler: (_params: unknown, { resources }: ToolContext) =>
        resources.get(Ledger) === resources.get(Ledger) && resources.get(Ledger) !== desk.ledger,
    }),
  ]);
  expect(await desk.call('act')).toMatchObject({ text: 'true' });
});

describe('the run of a context', () => {
  const spying = (look: (context: ToolContext) => unknown) =>
    defineTool({
      name: 'look',
      description: 'Looks.',
      handler: async (_params: unknown, context: ToolContext) => {
        seen.push(await look(context));
      },
    });
  let seen: unknown[] = [];
  beforeEach(() => {
    seen = [];
  });

  test('the files that are bound, within the call’s transaction; null without', async () => {
    const files = new InMemoryFilesystem({ files: { 'a.txt': 'old' } });
    const tools = [
      spying(async ({ filesystem }) => {
        await filesystem?.write('a.txt', 'new', { mode: 'overwrite' });
        return (await filesystem?.read('a.txt'))?.content;
      }),
      defineTool({
        name: 'fail',
        description: 'Writes and fails.',
        handler: async (_params: unknown, { filesystem }: ToolContext) => {
          await filesystem?.write('b.txt', 'never', { mode: 'create' });
          throw new Error('boom');
        },
      }),
    ];
    const desk = await deskOf(tools, { resources: [bind(Filesystem, { value: files })] });
    expect((await desk.call('look')).kind).toBe('succeeded');
    expect((await desk.call('fail')).kind).toBe('failed');
    expect({ ...files.files() }).toEqual({ 'a.txt': 'new' });
    await (await deskOf([spying(({ filesystem }) => filesystem)])).call('look');
    expect(seen).toEqual(['new', null]);
  });

  test('a context has its budget and the host’s ids; no model outside of a run', async () => {
    const desk = await deskOf([
      spying(({ budgetTracker, runMetadata, run: adapter }) => [budgetTracker?.toolCalls, runMetadata, adapter]),
    ]);
    await desk.call('look', {}, { budget: new Budget({ maxToolCalls: 5 }), runMetadata: { trace: 't' } });
    await desk.call('look');
    expect(seen).toEqual([
      [1, { trace: 't' }, null],
      [undefined, {}, null],
    ]);
    expect(desk.events.map(({ runMetadata }) => runMetadata)).toEqual([{ trace: 't' }, {}]);
  });

  test('progress reaches its listeners, and costs nothing without any', async () => {
    const desk = await deskOf([spying((context) => context.reportProgress({ fraction: 0.5, message: 'half' }))]);
    const heard: unknown[] = [];
    await desk.call('look', {}, { onEvent: (event) => heard.push(event) });
    expect(heard).toMatchObject([{ name: 'look', fraction: 0.5, message: 'half' }, { kind: 'succeeded' }]);
    expect(heard[0]).toBeInstanceOf(ToolProgressed);
    expect(Object.isFrozen(heard[0])).toBe(true);
  });

  test('a key distinguishes its call from every other, whatever the order of its arguments', async () => {
    class Pair {
      @Param({ optional: true, type: Number }) a?: number;
      @Param({ optional: true, type: Number }) b?: number;
    }
    const key = defineTool({
      name: 'key',
      description: 'Keys.',
      params: Pair,
      handler: async (_params: Pair, context: ToolContext) => {
        seen.push(context.call.idempotencyKey, context.call.idempotencyKey);
        if (_params.a === 1) await context.callTool({ id: 'n', name: 'key', arguments: { a: 1.5 } });
      },
    });
    const desk = await deskOf([key], { ids: () => 'the run' });
    const keysOf = async (args: string): Promise<readonly unknown[]> => {
      seen = [];
      await desk.call('key', args);
      return seen;
    };
    const [one, again, nested] = await keysOf('{"a":1,"b":2}');
    expect(one).toMatch(/^[0-9a-f]{64}$/);
    expect(again).toBe(one);
    expect(nested).not.toBe(one);
    expect((await keysOf('{"b":2,"a":1}'))[0]).toBe(one);
    expect((await keysOf('{"a":1,"b":3}'))[0]).not.toBe(one);
  });
});
