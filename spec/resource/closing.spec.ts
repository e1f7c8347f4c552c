import {
  bind,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  PromptError,
  type ToolContext,
  TransactionClosedError,
} from 'toolwright';
import { type ResourceBinding, ResourceCloseError, ResourceError } from 'toolwright/resources';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { deskOf, rejection } from '../dispatch/desk';
import { TransactionResources } from '../../src/resource/TransactionResources';
import { opened } from './opened';
import { registryOf } from './registryOf';
import { pass } from './Shelf';

class First {
  name = 'first';
}
class Second extends First {}
class Third extends First {}

/** Bindings that write down when they are made and closed; each needs the one before it. */
function chain(...failing: readonly string[]) {
  const log: string[] = [];
  const one = (type: typeof First, before?: typeof First): ResourceBinding =>
    bind(type, {
      provide: (scope) => {
        if (before !== undefined) scope.get(before);
        log.push(`open ${type.name}`);
        return new type();
      },
      close: async () => {
        await pass();
        log.push(`close ${type.name}`);
        if (failing.includes(type.name)) throw new Error(`${type.name} is stuck`);
      },
    });
  return { log, bindings: [one(First), one(Second, First), one(Third, Second)] };
}
const tool = (handler: (context: ToolContext) => unknown, name = 'act') =>
  defineTool({ name, description: 'Acts.', handler: (_params: unknown, context) => handler(context) });

describe('app.close', () => {
  test('app.close closes resources in reverse order of creation: each one before the resources that it needs', async () => {
    const { log, bindings } = chain();
    const { app } = await deskOf([], { resources: bindings });
    app.resources.get(Third);
    await app.close();
    expect(log).toEqual(['open First', 'open Second', 'open Third', 'close Third', 'close Second', 'close First']);
  });

  test('CONT-05 app.close closes everything although some of it throws, and rejects once with all of that', async () => {
    const { log, bindings } = chain('Third', 'First');
    const { app } = await deskOf([], { resources: bindings });
    app.resources.get(Third);
    const error = await rejection(app.close());
    expect(log.slice(3)).toEqual(['close Third', 'close Second', 'close First']);
    expect(error).toBeInstanceOf(ResourceCloseError);
    expect(error instanceof ResourceCloseError && error instanceof ResourceError).toBe(true);
    expect(error).toMatchObject({
      code: 'E908',
      errors: [{ message: 'Third is stuck' }, { message: 'First is stuck' }],
      message: expect.stringMatching(/2 failed to close: Third: Third is stuck; First: First is stuck/) as string,
    });
    // Closing again closes nothing again.
    expect(app.close()).toBe(app.close());
    expect(await rejection(app.close())).toBe(error);
    expect(log).toHaveLength(6);
  });

  test('app.close goes by [Symbol.asyncDispose], [Symbol.dispose] or close, the first that is there', async () => {
    const log: string[] = [];
    const note = (how: string) => () => {
      log.push(how);
    };
    class Plain {}
    const having = [
      { [Symbol.asyncDispose]: note('async'), [Symbol.dispose]: note('sync'), close: note('close') },
      { [Symbol.dispose]: note('sync'), close: note('close') },
      { close: note('close') },
      { close: 'not a function' },
      Object.assign(() => 1, { close: note('function') }),
      null,
      7,
    ];
    const bindings = having.map((value) => bind<unknown>(class extends Plain {}, { provide: () => value }));
    const { app } = await deskOf([], { resources: bindings });
    for (const { type } of bindings) app.resources.get(type);
    await app.close();
    expect(log).toEqual(['function', 'close', 'sync', 'async']);
  });

  test("app.close leaves a value to the host, unless bind has a close, which takes precedence over the resource's own", async () => {
    const log: string[] = [];
    const closing = (name: string): First => Object.assign(new First(), { close: () => log.push(`own ${name}`) });
    const note = () => {
      log.push('given');
    };
    const { app } = await deskOf([], {
      resources: [
        bind(First, { value: closing('first') }),
        bind<First>(Second, { value: closing('second'), close: note }),
        bind<First>(Third, { provide: () => closing('third'), close: note }),
      ],
    });
    for (const type of [First, Second, Third]) app.resources.get(type);
    await app.close();
    expect(log).toEqual(['given', 'given']);
  });

  test('app.close closes once a resource that is bound to several classes: a provider that passes a resource on does not own it', async () => {
    const log: string[] = [];
    const made = Object.assign(new Second(), { close: () => log.push('closed') });
    const { app } = await deskOf([], {
      resources: [
        bind(Second, { provide: () => made }),
        bind(First, { provide: (scope) => scope.get(Second) }),
        bind<First>(Third, { provide: (scope) => scope.resolve(Second) }),
      ],
    });
    app.resources.get(First);
    await app.resources.resolve(Third);
    await app.close();
    expect(log).toEqual(['closed']);
  });

  test('app.close closes neither what was never requested nor prototypes', async () => {
    const { log, bindings } = chain();
    let closed = 0;
    class Fresh {
      close(): void {
        closed++;
      }
    }
    const { app } = await deskOf([], {
      resources: [...bindings, bind(Fresh, { scope: 'prototype', provide: () => new Fresh() })],
    });
    app.resources.get(Fresh);
    await app.close();
    expect([log, closed]).toEqual([[], 0]);
  });

  test('app.close waits for what is being opened, and closes that as well', async () => {
    const log: string[] = [];
    const provide = async (): Promise<First> => {
      await pass(3);
      log.push('open');
      return new First();
    };
    const { app } = await deskOf([], { resources: [bind(First, { provide, close: () => void log.push('close') })] });
    const opening = app.resources.resolve(First);
    await app.close();
    expect(log).toEqual(['open', 'close']);
    await opening;
  });

  test('app.close closes the layers of prompts before the application, the latest first', async () => {
    const log: string[] = [];
    const noting = (type: typeof First): ResourceBinding =>
      bind(type, { provide: () => new type(), close: () => void log.push(type.name) });
    const prompt = definePrompt({
      ns: 'n',
      key: 'k',
      sections: [defineSection({ key: 's', title: 'S' })],
      resources: [noting(Second)],
    });
    const app = await createApplication({ prompts: [prompt], resources: [noting(First)] });
    const with1 = app.prompt(prompt).withResources([noting(Third)]);
    with1.resources.get(Third);
    app.prompt(prompt).resources.get(Second);
    with1.resources.get(First);
    await app.close();
    expect(log).toEqual(['Third', 'Second', 'First']);
    expect(() => with1.resources.get(First)).toThrow(/E909/);
  });

  test('E410 lets nothing begin afterwards, and E909 provides no resource', async () => {
    const { log, bindings } = chain();
    const { app, rendered, session } = await deskOf([tool(() => 1)], { resources: bindings });
    app.resources.get(First);
    const closing = app.close();
    const adapter = new ScriptedModel([{ text: 'Hello.' }]);
    const refused = [
      app.invoke(rendered, 'act', {}),
      app.callTool(rendered, { id: 'c', name: 'act', arguments: {} }),
      app.callTools(rendered, [{ id: 'c', name: 'act', arguments: {} }]),
      app.evaluate(rendered, { adapter, session }),
    ];
    for (const promise of refused) {
      const error = await rejection(promise);
      expect(error instanceof PromptError).toBe(true);
      expect(error).toMatchObject({ code: 'E410' });
    }
    await closing;
    for (const type of [First, Second])
      expect(await rejection(app.resources.resolve(type))).toMatchObject({ code: 'E909', place: type.name });
    expect(log).toEqual(['open First', 'close First']);
  });

  test('app.close waits for the calls that have begun, and for the calls that those make', async () => {
    const log: string[] = [];
    const resources = [bind(First, { provide: () => new First(), close: () => void log.push('closed') })];
    const inner = tool(async (context) => {
      await pass(3);
      log.push(context.resources.get(First).name);
    }, 'inner');
    const act = tool(async (context) => {
      await pass(3);
      return (await context.callTool({ id: 'i', name: 'inner', arguments: {} })).kind;
    });
    const desk = await deskOf([act, inner], { resources });
    const running = desk.call('act');
    await desk.app.close();
    expect(log).toEqual(['first', 'closed']);
    expect((await running).result.value).toBe('succeeded');
  });

  test('app.close works by itself with await using', async () => {
    const { log, bindings } = chain();
    {
      await using app = (await deskOf([], { resources: bindings })).app;
      app.resources.get(First);
    }
    expect(log).toEqual(['open First', 'close First']);
  });
});

describe('asynchronous subscribers', () => {
  test('EVT-03 asynchronous subscribers do not delay a call, and are awaited when the application is closed, before its resources are', async () => {
    const log: string[] = [];
    let wake = (): void => undefined;
    const asleep = new Promise<void>((resolve) => {
      wake = resolve;
    });
    const resources = [bind(First, { provide: () => new First(), close: () => void log.push('closed') })];
    const desk = await deskOf([tool(() => 'done')], { resources });
    desk.app.resources.get(First);
    desk.app.eventBus.subscribe(ToolInvoked, async () => {
      await asleep;
      log.push('heard');
    });
    expect((await desk.call('act')).text).toBe('done');
    expect((await desk.call('act')).text).toBe('done');
    const closing = desk.app.close();
    await pass(5);
    expect(log).toEqual([]);
    wake();
    await closing;
    expect(log).toEqual(['heard', 'heard', 'closed']);
  });

  test('EVT-03 a bus that cannot be flushed is reported, and everything is closed all the same', async () => {
    const { log, bindings } = chain();
    const { app } = await deskOf([], { resources: bindings });
    app.resources.get(First);
    app.eventBus.flush = () => Promise.reject(new Error('bus is down'));
    expect(await rejection(app.close())).toMatchObject({ code: 'E908', errors: [{ message: 'bus is down' }] });
    expect(log).toEqual(['open First', 'close First']);
  });
});

describe('an application that cannot be created', () => {
  test('an application that cannot be created closes what it had opened, and says in the log what failed to close', async () => {
    const { log, bindings } = chain('First');
    const errors: string[] = [];
    const [first, ...rest] = bindings as [ResourceBinding, ...ResourceBinding[]];
    class Broken {}
    const broken = bind(Broken, {
      eager: true,
      provide: async () => {
        await pass();
        throw new Error('no connection');
      },
    });
    const creating = createApplication({
      prompts: [
        definePrompt({
          ns: 'n',
          key: 'k',
          sections: [defineSection({ key: 's', title: 'S' })],
          resources: [broken],
        }),
      ],
      resources: [{ ...first, eager: true }, ...rest],
      logger: { debug() {}, info() {}, warn() {}, error: (message) => void errors.push(message) },
    });
    expect(await rejection(creating)).toMatchObject({ code: 'E904', place: 'Broken', name: 'ProviderError' });
    expect(log).toEqual(['open First', 'close First']);
    expect(errors.join()).toContain('First failed to close: First is stuck');
  });
});

describe('the end of a call', () => {
  const perCall = (log: string[], type: typeof First, before?: typeof First): ResourceBinding =>
    bind(type, {
      scope: 'toolCall',
      provide: (scope) => {
        if (before !== undefined) scope.get(before);
        return new type();
      },
      close: async () => {
        await pass();
        log.push(`close ${type.name}`);
        if (type === Second) throw new Error('stuck');
      },
    });

  test.each(['succeeded', 'failed'])(
    'the end of a call closes what was made for it, the last first, when it has %s',
    async (kind) => {
      const log: string[] = [];
      const act = tool(({ resources }) => {
        resources.get(Third);
        if (kind === 'failed') throw new Error('boom');
      });
      const resources = [perCall(log, First), perCall(log, Second, First), perCall(log, Third, Second)];
      const desk = await deskOf([act], { resources });
      // What fails to close is logged, and changes no outcome.
      expect((await desk.call('act')).kind).toBe(kind);
      expect(log).toEqual(['close Third', 'close Second', 'close First']);
      const errors = desk.logged.filter(({ level }) => level === 'error');
      expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/Second failed to close.*stuck/)]);
    },
  );

  test('the end of a call comes for each call within a call by itself', async () => {
    const log: string[] = [];
    const inner = tool(({ resources }) => void resources.get(First), 'inner');
    const act = tool(async (context) => {
      context.resources.get(First);
      await context.callTool({ id: 'i', name: 'inner', arguments: {} });
      log.push('inner ended');
    });
    const desk = await deskOf([act, inner], { resources: [perCall(log, First)] });
    await desk.call('act');
    expect(log).toEqual(['close First', 'inner ended', 'close First']);
  });

  test('the end of a call does not wait for what is still being opened, which is closed later', async () => {
    const log: string[] = [];
    const provide = async (): Promise<First> => {
      await pass(3);
      return new First();
    };
    const registry = registryOf([bind(First, { scope: 'toolCall', provide, close: () => void log.push('closed') })]);
    const call = new TransactionResources(registry);
    const opening = rejection(call.resolve(First));
    call.close();
    await call.finish(true, () => undefined);
    expect(log).toEqual([]);
    expect(await opening).toBeInstanceOf(TransactionClosedError);
    expect(log).toEqual(['closed']);
  });

  test('the end of a call takes no time for a call that used nothing of that kind', () => {
    const registry = registryOf([bind(First, { value: new First() })]);
    const call = new TransactionResources(registry);
    call.get(First);
    call.close();
    expect([call.open({ name: 'look', hints: {} }), call.finish(false, () => undefined)]).toEqual([
      undefined,
      undefined,
    ]);
  });
});

describe('prompt.close', () => {
  const noting = (log: string[], type: typeof First): ResourceBinding =>
    bind(type, { provide: () => new type(), close: () => void log.push(type.name) });

  test('prompt.close closes what withResources has opened, for all that were made of that prompt; nothing else', async () => {
    const log: string[] = [];
    const { app, prompt } = await opened([noting(log, First)]);
    const own = prompt.withResources([noting(log, Second)]);
    own.bind().resources.get(Second);
    own.resources.get(First);
    await prompt.close();
    expect(log).toEqual([]);
    await own.close();
    await own.close();
    expect(log).toEqual(['Second']);
    expect(() => own.resources.get(First)).toThrow(/E909 First/);
    expect(await rejection(own.withResources([]).resources.resolve(Second))).toMatchObject({ code: 'E909' });
    expect(prompt.resources.get(First)).toBeInstanceOf(First);
    await app.close();
    expect(log).toEqual(['Second', 'First']);
  });

  test('prompt.close works by itself with await using, and reports what failed', async () => {
    const { app, prompt } = await opened();
    const stuck = bind(First, {
      provide: () => new First(),
      close: () => {
        throw new Error('stuck');
      },
    });
    const using = async (): Promise<void> => {
      await using own = prompt.withResources([stuck]);
      own.resources.get(First);
    };
    expect(await rejection(using())).toMatchObject({ code: 'E908', errors: [{ message: 'stuck' }] });
    await app.close();
  });
});
