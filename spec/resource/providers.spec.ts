import { bind, defineTool, type ToolContext } from 'toolwright';
import { CircularDependencyError } from 'toolwright/adapters';
import { ProviderError, type ResourceBinding, type ResourceScope } from 'toolwright/resources';
import { deskOf } from '../dispatch/desk';
import { TransactionResources } from '../../src/resource/TransactionResources';
import { opened } from './opened';
import { registryOf } from './registryOf';
import { pass } from './Shelf';

class Database {
  constructor(readonly serial: number) {}
}
class Left {}
class Right extends Left {}

/** A database that takes time to open; it counts how often it was. */
function slow(options: { eager?: boolean; scope?: 'singleton' | 'toolCall'; failures?: number } = {}) {
  const { eager, scope, failures = 0 } = options;
  const seen = { opened: 0 };
  const provide = async (): Promise<Database> => {
    await pass(2);
    if (++seen.opened <= failures) throw new Error('no connection');
    return new Database(seen.opened);
  };
  return { seen, binding: bind(Database, { provide, eager, scope }) as ResourceBinding };
}
const thrownBy = (act: () => unknown): unknown => {
  try {
    act();
  } catch (error) {
    return error;
  }
  return undefined;
};
const tool = (name: string, handler: (context: ToolContext) => unknown, timeoutMs?: number) =>
  defineTool({ name, description: 'Acts.', timeoutMs, handler: (_params: unknown, context) => handler(context) });

describe('a resource that takes time', () => {
  test('E904 a resource that takes time is not there at once: the error names both remedies', async () => {
    const { binding, seen } = slow();
    const registry = registryOf([binding]);
    const error = thrownBy(() => registry.get(Database));
    expect(error).toBeInstanceOf(ProviderError);
    expect((error as ProviderError).message).toMatch(/await resources\.resolve\(Database\).*eager: true/);
    // What was begun is not lost.
    await pass(5);
    expect([registry.get(Database).serial, seen.opened]).toEqual([1, 1]);
  });

  test('a resource that takes time is created once for all who wait for it, and is there for get afterwards', async () => {
    const { binding, seen } = slow();
    const registry = registryOf([binding]);
    const all = await Promise.all([1, 2, 3].map(() => registry.resolve(Database)));
    expect(new Set(all).size).toBe(1);
    expect([registry.get(Database), seen.opened]).toEqual([all[0], 1]);
  });

  test('E904 a failure is one failure for all who wait, and the next one tries again', async () => {
    const { binding, seen } = slow({ failures: 1 });
    const registry = registryOf([binding]);
    const both = await Promise.allSettled([registry.resolve(Database), registry.resolve(Database)]);
    for (const result of both)
      expect(result).toMatchObject({
        status: 'rejected',
        reason: { code: 'E904', cause: expect.objectContaining({ message: 'no connection' }) as Error },
      });
    expect((await registry.resolve(Database)).serial).toBe(2);
    expect(seen.opened).toBe(2);
  });

  test('a slow resource lets providers wait for it, and its error is wrapped once', async () => {
    const { binding } = slow({ failures: 1 });
    const needs = bind(Left, { provide: async (scope) => Object.assign(new Left(), await scope.resolve(Database)) });
    const registry = registryOf([binding, needs]);
    await expect(registry.resolve(Left)).rejects.toMatchObject({ code: 'E904', place: 'Database' });
    expect(await registry.resolve(Left)).toMatchObject({ serial: 2 });
  });
});

test('E904 a handler that does not wait for one that fails ends no process', async () => {
  const { binding } = slow({ failures: 1 });
  const act = tool('act', ({ resources }) => {
    void resources.resolve(Database);
  });
  const desk = await deskOf([act], { resources: [binding] });
  expect((await desk.call('act')).kind).toBe('succeeded');
  await pass(5);
});

describe('an eager resource', () => {
  test('an eager resource of the application exists when the application does', async () => {
    const { binding, seen } = slow({ eager: true });
    const desk = await deskOf([tool('look', ({ resources }) => resources.get(Database).serial)], {
      resources: [binding],
    });
    expect(seen.opened).toBe(1);
    expect((await desk.call('look')).result.value).toBe(1);
    expect((await desk.call('look')).result.value).toBe(1);
  });

  test('an eager resource of a call exists when its handler runs, another one for each call', async () => {
    const { binding } = slow({ eager: true, scope: 'toolCall' });
    const look = tool('look', ({ resources }) => resources.get(Database).serial);
    const outer = tool('outer', async (context) => {
      const own = context.resources.get(Database).serial;
      const { result } = await context.callTool({ id: 'i', name: 'look', arguments: {} });
      return [own, result.value];
    });
    const desk = await deskOf([look, outer], { resources: [binding] });
    expect((await desk.call('look')).result.value).toBe(1);
    expect((await desk.call('outer')).result.value).toEqual([2, 3]);
  });

  test('E904 an eager resource of a call that fails makes the call fail; its handler does not run', async () => {
    const { binding } = slow({ eager: true, scope: 'toolCall', failures: 1 });
    let ran = false;
    const desk = await deskOf([tool('act', () => (ran = true))], { resources: [binding] });
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E904' } });
    expect([outcome.text.includes('no connection'), ran]).toEqual([true, false]);
  });

  test('an eager resource of a call that takes too long is part of its time, and its handler does not run', async () => {
    let ran = false;
    let open = (): void => undefined;
    const provide = (): Promise<Database> =>
      new Promise((resolve) => {
        open = () => {
          resolve(new Database(1));
        };
      });
    const binding = bind(Database, { scope: 'toolCall', eager: true, provide });
    const desk = await deskOf([tool('act', () => (ran = true), 10)], { resources: [binding] });
    expect((await desk.call('act')).kind).toBe('timed_out');
    open();
    await pass(3);
    expect(ran).toBe(false);
  });

  test('an eager resource of withResources exists after the first rendering; the next one tries again after a failure', async () => {
    const { binding, seen } = slow({ eager: true, failures: 1 });
    const look = tool('look', ({ resources }) => resources.get(Database).serial);
    const { app, prompt: declared } = await opened([], [look]);
    const prompt = declared.withResources([binding]);
    expect(seen.opened).toBe(0);
    await expect(prompt.render()).rejects.toMatchObject({ code: 'E904' });
    const [rendered] = await Promise.all([prompt.render(), prompt.render()]);
    expect(seen.opened).toBe(2);
    expect((await app.invoke(rendered, 'look', {})).result.value).toBe(2);
  });
});

describe('circles', () => {
  const to =
    (other: typeof Left, passes: number) =>
    async (scope: ResourceScope): Promise<object> => {
      await pass(passes);
      return scope.resolve(other);
    };

  test.each([
    [0, 0],
    [1, 1],
    [3, 1],
    [1, 3],
  ])('E902 circles of providers that were started at once end, after %i and %i steps', async (left, right) => {
    const registry = registryOf([bind(Left, { provide: to(Right, left) }), bind(Right, { provide: to(Left, right) })]);
    const both = await Promise.allSettled([registry.resolve(Left), registry.resolve(Right)]);
    for (const result of both) {
      const reason: unknown = (result as PromiseRejectedResult).reason;
      expect(reason).toBeInstanceOf(CircularDependencyError);
      expect((reason as Error).message).toMatch(/Left → Right → Left|Right → Left → Right/);
    }
  });

  test('E902 circles of prototypes are found, too', () => {
    const provide = (other: typeof Left) => (scope: ResourceScope) => scope.get(other);
    const registry = registryOf([
      bind(Left, { scope: 'prototype', provide: provide(Right) }),
      bind(Right, { scope: 'prototype', provide: provide(Left) }),
    ]);
    expect(thrownBy(() => registry.get(Left))).toMatchObject({ path: ['Left', 'Right', 'Left'] });
  });

  test('E902 circles past the scope are found, too', () => {
    const registry = registryOf([bind(Left, { provide: (): Left => registry.get(Left) })]);
    expect(thrownBy(() => registry.get(Left))).toMatchObject({ code: 'E902' });
  });

  test('a resource that asks for another one of its kind later is no circle', () => {
    class Chain {
      constructor(readonly scope: ResourceScope) {}
      next(): Chain {
        return this.scope.get(Chain);
      }
    }
    const registry = registryOf([bind(Chain, { scope: 'prototype', provide: (scope) => new Chain(scope) })]);
    const first = registry.get(Chain);
    expect(first.next().next()).not.toBe(first);
  });

  test('several that wait for one, in a diamond, are no circle', async () => {
    class Top {}
    const base = slow();
    const side = (type: typeof Left) =>
      bind(type, { provide: async (scope) => Object.assign(new type(), await scope.resolve(Database)) });
    const top = bind(Top, {
      provide: async (scope) => Promise.all([scope.resolve(Left), scope.resolve(Right), scope.resolve(Database)]),
    });
    const registry = registryOf([top, side(Left), side(Right), base.binding]);
    await registry.resolve(Top);
    expect(base.seen.opened).toBe(1);
  });
});

describe('a prototype', () => {
  test('a prototype is created anew for each that requests it, in calls and outside', () => {
    let made = 0;
    const registry = registryOf([bind(Database, { scope: 'prototype', provide: () => new Database(++made) })]);
    const call = new TransactionResources(registry);
    const all = [registry.get(Database), registry.get(Database), call.get(Database), call.get(Database)];
    expect(all.map(({ serial }) => serial)).toEqual([1, 2, 3, 4]);
  });

  test('E904 a prototype within a singleton cannot hold what lives for one call', () => {
    const registry = registryOf([
      bind<object>(Left, { provide: (scope) => scope.get(Right) }),
      bind<object>(Right, { scope: 'prototype', provide: (scope) => scope.get(Database) }),
      bind(Database, { scope: 'toolCall', provide: () => new Database(1) }),
    ]);
    expect(thrownBy(() => registry.get(Left))).toMatchObject({ code: 'E904', place: 'Left' });
    expect(registry.get<object>(Right)).toBeInstanceOf(Database);
  });
});

test('a toolCall resource outside of calls is one, as long as the application lives', () => {
  let made = 0;
  const registry = registryOf([bind(Database, { scope: 'toolCall', provide: () => new Database(++made) })]);
  expect(registry.get(Database)).toBe(registry.get(Database));
  expect(new TransactionResources(registry).get(Database).serial).toBe(2);
});

test('an error of a provider is wrapped, even if it is of a class of ours', () => {
  const registry = registryOf([
    bind(Left, {
      provide: () => {
        throw new ProviderError('Other', 'said already');
      },
    }),
    bind(Right, {
      provide: () => {
        throw Object.assign(new TypeError('no disk'), { code: 'E906' });
      },
    }),
  ]);
  expect(thrownBy(() => registry.get(Left))).toMatchObject({ place: 'Other' });
  expect(thrownBy(() => registry.get(Right))).toMatchObject({ place: 'Right', code: 'E904' });
});
