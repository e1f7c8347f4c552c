import {
  bind,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type ToolContext,
  type ToolOutcome,
  type Transactional,
} from 'toolwright';
import { copied, TransactionalTable } from 'toolwright/resources';
import { failAfter, failAtWrite, type FailingInterceptor, InjectedFailure, ScriptedModel } from 'toolwright/testing';
import { silent } from '../../support/silent.js';

class Orders extends TransactionalTable<string, number> {
  cancel(id: string): void {
    this.delete(id);
  }
}

/** Two tables as one resource, as most stores are. */
class Store implements Transactional<Store> {
  constructor(
    readonly orders = new Orders([['a', 1]]),
    readonly stock = new TransactionalTable<string, number>(),
  ) {}
  begin(): Store {
    return new Store(this.orders.begin(), this.stock.begin());
  }
  commit(overlay: Store): void {
    this.orders.commit(overlay.orders);
    this.stock.commit(overlay.stock);
  }
  changed(overlay: Store): boolean {
    return this.orders.changed(overlay.orders) || this.stock.changed(overlay.stock);
  }
}

class Settings {
  level = 1;
  raise(): void {
    this.level += 1;
  }
}

type Act = (context: ToolContext) => unknown;

function promptOf(act: Act): Constructor {
  const handler = (_params: unknown, context: ToolContext): unknown => act(context);
  const tools = [defineTool({ name: 'act', description: 'Acts.', handler })];
  return definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools })] });
}

async function callWith<T extends object>(type: Constructor<T>, value: T, act: Act): Promise<ToolOutcome> {
  const Desk = promptOf(act);
  const app = await createApplication({ prompts: [Desk], logger: silent, resources: [bind(type, { value })] });
  return app.invoke(await app.prompt(Desk).render(), 'act', {});
}

const writes = ({ resources }: ToolContext): void => {
  const store = resources.get(Store);
  store.orders.set('b', 2);
  store.stock.set('tea', 5);
  store.orders.delete('a');
};

describe('CALL-10 failures that are injected', () => {
  test.each([
    [1, 'orders.set'],
    [2, 'stock.set'],
    [3, 'orders.delete'],
  ])('write %i of a store with nested tables fails: %s', async (n, path) => {
    const store = new Store();
    const outcome = await callWith(Store, failAtWrite(store, n), writes);
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.any(InjectedFailure) as Error });
    expect(outcome.text).toContain(`injected at write ${String(n)}: ${path}`);
    expect([[...store.orders], [...store.stock]]).toEqual([[['a', 1]], []]);
  });

  test('writes of a call within a call count with it', async () => {
    const store = failAtWrite(new Store(), 2);
    const call = store.begin();
    call.orders.set('b', 1);
    expect(() => call.begin().stock.set('tea', 1)).toThrow(InjectedFailure);
  });

  test('listed methods may lead through what is nested', async () => {
    const store = failAtWrite(new Store(), 1, { methods: ['orders.cancel'] });
    const overlay = store.begin();
    overlay.orders.set('b', 1);
    expect(() => overlay.orders.cancel('a')).toThrow('injected at write 1: orders.cancel');
  });

  test('copied values have methods that fail', async () => {
    const settings = copied(new Settings());
    const failing = failAtWrite(settings, 1, { methods: ['raise'] });
    const outcome = await callWith(Settings, failing, ({ resources }) => resources.get(Settings).raise());
    expect(outcome).toMatchObject({ kind: 'failed', error: expect.any(InjectedFailure) as Error });
  });

  test('a write that never came fails the call, and says so', async () => {
    const store = new Store();
    const outcome = await callWith(Store, failAtWrite(store, 4), writes);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E737' } });
    expect(outcome.text).toContain(
      'E737 failAtWrite of Store: it made nothing fail: a transaction ended after 3 of 4 writes',
    );
    expect([...store.orders]).toEqual([['a', 1]]);
    const kept = await callWith(Store, failAtWrite(store, 4, { fewerWrites: 'kept' }), writes);
    expect(kept.kind).toBe('succeeded');
    expect([...store.orders]).toEqual([['b', 2]]);
  });

  test('a write by a method that is not known to be one fails the call, and says so', async () => {
    const act: Act = ({ resources }) => resources.get(Store).orders.cancel('a');
    const outcome = await callWith(Store, failAtWrite(new Store(), 1), act);
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E737' } });
    expect(outcome.text).toContain('none of the methods that it called is known to write');
  });

  test('a call that writes nothing succeeds', async () => {
    const act: Act = ({ resources }) => resources.get(Store).orders.get('a');
    expect(await callWith(Store, failAtWrite(new Store(), 1), act)).toMatchObject({ kind: 'succeeded', text: '1' });
  });

  class Quiet implements Transactional<Quiet> {
    readonly look = (): number => 1;
    begin(): this {
      return this;
    }
    commit(): void {}
  }

  test.each<[string, () => unknown, RegExp]>([
    [
      'a method that there is not',
      () => failAtWrite(new Store(), 1, { methods: ['orders.put'] }),
      /has no method "orders.put". It has: .*orders.cancel/,
    ],
    ['no method that writes', () => failAtWrite(new Quiet(), 1), /no method has the name of a write.*look/],
    ['a resource without transactions', () => failAtWrite(new Settings(), 1), /has no transactions.*failAfter/],
    ['write 0', () => failAtWrite(new Store(), 0), /write 0 does not exist: the first one is 1/],
  ])('%s is refused at once', (_what, make, message) => {
    expect(make).toThrow(message);
    expect(make).toThrow(/E737/);
  });

  const run = async (failing: FailingInterceptor): Promise<unknown> => {
    const Desk = promptOf(() => 'done');
    const app = await createApplication({ prompts: [Desk], logger: silent, interceptors: [failing] });
    const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: '{}' }] }, { text: 'Done.' }]);
    return (await app.evaluate(app.prompt(Desk), { adapter })).text;
  };

  test('failAfter of a tool that there is not ends the run', async () => {
    await expect(run(failAfter('acts'))).rejects.toThrow(
      /^E737 failAfter\("acts"\): n\/k has no tool of this name, and nothing failed\. Did you mean "act"\? It has: act/,
    );
  });

  test('failAfter counts what it made fail', async () => {
    const failing = failAfter('act');
    expect(await run(failing)).toBe('Done.');
    expect(failing.injected).toBe(1);
    const never = failAfter('act', { call: 2 });
    await run(never);
    expect(never.injected).toBe(0);
  });
});
