import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
} from 'toolwright';
import { FakeClock } from 'toolwright/testing';
import { InProcessEventBus, RejectedToolParams, ToolInvoked } from 'toolwright/events';
import { deskOf, Note, rejection, UNTOUCHED } from './desk';

const ping = (name = 'ping') => defineTool({ name, description: 'Answers.', handler: () => 'pong' });

describe('an unknown tool', () => {
  test('ARG-19 an unknown tool is a failed result with the nearest names; one event; nothing is thrown', async () => {
    const desk = await deskOf([ping('get_order'), ping('get_user')]);
    const outcome = await desk.call('get_ordr', '{"a":1}');
    expect(outcome).toMatchObject({ kind: 'unknown', result: { success: false, value: null } });
    expect(outcome.text).toContain('"get_ordr"');
    expect(outcome.text).toContain('Did you mean "get_order"');
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.events).toHaveLength(1);
    expect(desk.events[0]).toMatchObject({ kind: 'unknown', name: 'get_ordr', toolMessage: outcome.text });
  });

  test('ARG-19 the list of names is bounded, and the name is cut', async () => {
    const desk = await deskOf(Array.from({ length: 60 }, (_, index) => ping(`tool_number_${index}`)));
    const { text } = await desk.call(`evil\n${'x'.repeat(10_000)}`);
    expect(text.length).toBeLessThan(1_000);
    expect(text).toContain('40 more');
    expect(text.split('\n')).toHaveLength(1);
  });

  test('ARG-19 an unknown tool says so when there is no tool at all', async () => {
    const desk = await deskOf([]);
    expect((await desk.call('ping')).text).toContain('No tool is available');
  });

  test.each(['toString', '__proto__', 'constructor', 'hasOwnProperty', 'valueOf'])(
    'ARG-20 %s is unknown like any other',
    async (name) => {
      const desk = await deskOf([ping()]);
      const outcome = await desk.call(name);
      expect(outcome.kind).toBe('unknown');
      expect(outcome.text).not.toContain('not a function');
      expect(desk.rendered.tool(name)).toBeUndefined();
      expect(desk.events).toHaveLength(1);
    },
  );

  test('the event of an unknown tool has its arguments: parsed where they parse, else as they came', async () => {
    const desk = await deskOf([ping()]);
    await desk.call('nope', '{"a":1}');
    await desk.call('nope', '{"a":');
    await desk.call('nope', { b: 2 });
    const raw = desk.events.map(({ params }) => (params as RejectedToolParams).rawArguments);
    expect(desk.events.every(({ params }) => params instanceof RejectedToolParams)).toBe(true);
    expect(raw).toEqual([{ a: 1 }, '{"a":', { b: 2 }]);
  });

  test('ARG-21 a tool of a disabled section is unknown to that rendering', async () => {
    let runs = 0;
    const hidden = defineTool({ name: 'hidden', description: 'Hides.', handler: () => ++runs });
    const off = defineSection({ key: 'off', title: 'Off', tools: [hidden], enabled: () => false });
    const prompt = definePrompt({ ns: 'spec', key: 'desk', sections: [off] });
    const app = await createApplication({ prompts: [prompt] });
    const rendered = await app.prompt(prompt).render();
    expect(await app.invoke(rendered, 'hidden', {})).toMatchObject({ kind: 'unknown' });
    expect(runs).toBe(0);
  });
});

describe('a call', () => {
  test('a call reaches methods, class tools and defined tools, each with the arguments it wants', async () => {
    class Greet {
      @Param('Name') name!: string;
    }
    @Tool({ description: 'Class tool.', params: Greet })
    class Shout {
      handle({ name }: Greet): string {
        return name.toUpperCase();
      }
    }
    @Section({ title: 'Desk', tools: [Shout, ping()] })
    class Desk {
      readonly #greeting = 'Hello';
      @Tool('Takes params and context.')
      both(params: Greet, context: ToolContext): string {
        return `${this.#greeting} ${params.name} in ${context.call.name}`;
      }
      @Tool('Takes the context alone.')
      alone(context: ToolContext): string {
        return context.call.id;
      }
      @Tool('Takes nothing.')
      nothing(): string {
        return this.#greeting;
      }
      @Tool('Takes scalars.')
      scalars(
        context: ToolContext,
        @Param('city', 'City') city: string,
        @Param('unit', { enum: ['C', 'F'], default: 'C' }) unit: 'C' | 'F',
      ): string {
        return `${city} ${unit} ${context.call.name}`;
      }
    }
    @Prompt({ ns: 'spec', key: 'desk', sections: [Desk] })
    class Root {}
    const app = await createApplication({ prompts: [Root], ids: () => 'id' });
    const rendered = await app.prompt(Root).render();
    const text = async (name: string, args: Record<string, unknown>) => (await app.invoke(rendered, name, args)).text;
    expect(await text('both', { name: 'Ann' })).toBe('Hello Ann in both');
    expect(await text('alone', {})).toBe('id');
    expect(await text('nothing', {})).toBe('Hello');
    expect(await text('scalars', { city: 'Bern' })).toBe('Bern C scalars');
    expect(await text('shout', { name: 'Ann' })).toBe('ANN');
    expect(await text('ping', {})).toBe('pong');
  });

  test('ARG-25 a call gets real instances at every level', async () => {
    class Item {
      @Param({ integer: true }) qty!: number;
      double(): number {
        return this.qty * 2;
      }
    }
    class Params {
      @Param({ type: [Item] }) items!: Item[];
      @Param('When') at!: Date;
    }
    const desk = await deskOf([
      defineTool({
        name: 'act',
        description: 'Acts.',
        params: Params,
        handler: ({ items, at }) => `${items.map((item) => item.double()).join()} ${at.getUTCFullYear()}`,
      }),
    ]);
    expect(await desk.call('act', { items: [{ qty: 1 }, { qty: 2 }], at: '2030-05-06T07:08:09Z' })).toMatchObject({
      text: '2,4 2030',
    });
    expect(await desk.call('act', { items: [{ qty: 1, x: 1 }], at: '2030-05-06T07:08:09Z' })).toMatchObject({
      kind: 'rejected',
    });
  });

  test('a call by invoke has an id of its own; without a session it has one of its own, too', async () => {
    let count = 0;
    const desk = await deskOf(
      [
        defineTool({
          name: 'act',
          description: 'Acts.',
          handler: (_params: unknown, { call, session }: ToolContext) => {
            session.dispatch(new Note(call.id));
            return session.slice(Note).all().length;
          },
        }),
      ],
      { ids: () => `id${++count}` },
    );
    expect(await desk.app.invoke(desk.rendered, 'act', {})).toMatchObject({ text: '1' });
    expect(await desk.app.invoke(desk.rendered, 'act', {})).toMatchObject({ text: '1' });
    const ids = desk.events.map(({ callId }) => callId);
    expect(new Set(ids).size).toBe(2);
    expect(ids.every((id) => /^id\d+$/.test(id))).toBe(true);
  });

  test('a call publishes one event with id, time, session and duration, frozen', async () => {
    const clock = new FakeClock('2030-01-01T00:00:00Z');
    const desk = await deskOf(
      [
        defineTool({
          name: 'act',
          description: 'Acts.',
          handler: () => {
            clock.advance(250);
          },
        }),
      ],
      { clock },
    );
    await desk.app.callTool(desk.rendered, { id: 'c1', name: 'act', arguments: '{}' }, { session: desk.session });
    expect(desk.events).toHaveLength(1);
    const [event] = desk.events as [ToolInvoked];
    expect(event).toMatchObject({ callId: 'c1', sessionId: desk.session.id, durationMs: 250, params: null });
    expect(event.time).toBe(Date.parse('2030-01-01T00:00:00.250Z'));
    expect(event.id).not.toBe('');
    expect(Object.isFrozen(event)).toBe(true);
  });
});

describe('a logger that throws', () => {
  const logger = {
    debug: () => undefined,
    info: () => undefined,
    warn: () => {
      throw new Error('no disk for logs');
    },
    error: () => {
      throw new Error('no disk for logs');
    },
  };

  test('with a logger that throws, only the errors of the failure table propagate', async () => {
    const crash = defineTool({
      name: 'crash',
      description: 'Crashes.',
      handler: () => {
        throw new Error('boom');
      },
    });
    const desk = await deskOf([crash], { logger });
    desk.app.eventBus.subscribe(ToolInvoked, () => {
      throw new Error('deaf');
    });
    expect(await desk.call('crash')).toMatchObject({ kind: 'failed', text: expect.stringContaining('boom') as string });
    expect(desk.events).toHaveLength(1);
  });
});

describe('subscribers', () => {
  test('EVT-01 subscribers that throw or reject change nothing, and are reported in one place', async () => {
    const bus = new InProcessEventBus();
    const heard: string[] = [];
    const [first, second] = [new Error('first'), new Error('second')];
    bus.subscribe(ToolInvoked, () => {
      throw first;
    });
    bus.subscribe(ToolInvoked, () => Promise.reject(second));
    bus.subscribe(ToolInvoked, ({ name }) => {
      heard.push(name);
    });
    const desk = await deskOf([ping()], { eventBus: bus });
    expect(await desk.call('ping')).toMatchObject({ kind: 'succeeded', text: 'pong' });
    await sleep(1);
    expect(heard).toEqual(['ping']);
    expect(desk.logged.filter(({ fields }) => fields?.['error'] === first)).toHaveLength(1);
    expect(await bus.flush()).toEqual({ errors: [second] });
    expect(await bus.flush()).toEqual({ errors: [] });
  });

  test('EVT-01 subscribers that throw do not hide the error that propagates from the dispatcher', async () => {
    const desk = await deskOf([defineTool({ name: 'act', description: 'Acts.', handler: null })]);
    desk.app.eventBus.subscribe(ToolInvoked, () => {
      throw new Error('deaf');
    });
    expect(await rejection(desk.call('act'))).toMatchObject({ code: 'E601' });
  });

  test("EVT-01 the run's own listener may throw as well", async () => {
    const desk = await deskOf([ping()]);
    const error = new Error('deaf');
    const onEvent = jest.fn(() => {
      throw error;
    });
    expect(await desk.call('ping', {}, { onEvent })).toMatchObject({ text: 'pong' });
    expect(onEvent).toHaveBeenCalledTimes(1);
    expect(desk.logged.filter(({ fields }) => fields?.['error'] === error)).toHaveLength(1);
  });

  test('EVT-03 slow subscribers do not delay the call; flush waits for them', async () => {
    const desk = await deskOf([ping()]);
    let done = false;
    desk.app.eventBus.subscribe(ToolInvoked, async () => {
      await sleep(40);
      done = true;
    });
    await desk.call('ping');
    expect(done).toBe(false);
    await desk.app.eventBus.flush();
    expect(done).toBe(true);
  });

  test('subscribers receive the events of the run on its session only through its own listener', async () => {
    const desk = await deskOf([ping()]);
    const heard: unknown[] = [];
    await desk.app.invoke(desk.rendered, 'ping', {}, { session: new Session(), onEvent: (event) => heard.push(event) });
    await desk.call('ping');
    expect(heard).toHaveLength(1);
    expect(desk.events).toHaveLength(2);
  });
});
