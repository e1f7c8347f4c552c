import {
  type Application,
  bind,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  type RenderedPrompt,
  type ToolContext,
  ToolRefusal,
} from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';
import { silent } from '../../support/silent.js';

interface Order {
  readonly id: string;
  readonly status: 'pending' | 'cancelled';
  readonly items: readonly string[];
}

const order = (id: string, status: Order['status'] = 'pending'): Order => ({ id, status, items: ['tea'] });

class Orders extends TransactionalTable<string, Order> {
  // A dependency: each overlay has it as well.
  constructor(
    orders: readonly Order[],
    private readonly prefix: string,
  ) {
    super(orders.map((each) => [each.id, each]));
  }

  cancel(id: string): Order {
    const found = this.get(this.prefix + id);
    if (found === undefined) throw new ToolRefusal(`There is no order ${id}.`);
    this.set(found.id, { ...found, status: 'cancelled' });
    return { ...found, status: 'cancelled' };
  }
}

type Handler = (context: ToolContext) => unknown;

interface Desk {
  readonly orders: Orders;
  readonly app: Application;
  readonly rendered: RenderedPrompt;
}

/** A desk with one tool for each handler. */
async function deskOf(handlers: Readonly<Record<string, Handler>>): Promise<Desk> {
  const orders = new Orders([order('#W1'), order('#W2')], '#');
  const tools: readonly Constructor[] = Object.entries(handlers).map(([name, handler]) =>
    defineTool({ name, description: 'Acts.', handler: (_params: unknown, context: ToolContext) => handler(context) }),
  );
  const Prompt = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools })] });
  const resources = [bind(Orders, { value: orders })];
  const app = await createApplication({ prompts: [Prompt], logger: silent, resources });
  return { orders, app, rendered: await app.prompt(Prompt).render() };
}

/** The kind of outcome of a call during which the host changes something. */
async function during(handler: (orders: Orders) => unknown, meanwhile: (orders: Orders) => unknown): Promise<string> {
  const { app, rendered, orders } = await deskOf({
    act: (context) => {
      handler(context.resources.get(Orders));
      meanwhile(orders);
      return 'done';
    },
  });
  return (await app.invoke(rendered, 'act', {})).kind;
}

const add = (orders: Orders): unknown => orders.set('#W3', order('#W3'));
const cancel = (orders: Orders): unknown => orders.cancel('W2');
const remove = (orders: Orders): unknown => orders.delete('#W2');

describe('CALL-11 transactional tables', () => {
  test.each<[string, (orders: Orders) => unknown, readonly string[]]>([
    ['get of a record', (orders) => orders.get('#W2'), ['cancel', 'remove']],
    ['get of a missing one', (orders) => orders.get('#W3'), ['add']],
    ['has of a record', (orders) => orders.has('#W2'), ['remove']],
    ['has of a missing one', (orders) => orders.has('#W3'), ['add']],
    ['size', (orders) => orders.size, ['add', 'remove']],
    ['iteration', (orders) => [...orders], ['add', 'cancel', 'remove']],
    ['iteration that ends early', (orders) => orders.values().next(), ['add', 'cancel', 'remove']],
    ['keys', (orders) => [...orders.keys()], ['add', 'cancel', 'remove']],
    ['entries', (orders) => [...orders.entries()], ['add', 'cancel', 'remove']],
    ['JSON', (orders) => JSON.stringify(orders), ['add', 'cancel', 'remove']],
    ['set without a read', (orders) => orders.set('#W2', order('#W2')), ['cancel', 'remove']],
    ['delete', (orders) => orders.delete('#W2'), ['cancel', 'remove']],
    ['delete of a missing one', (orders) => orders.delete('#W3'), ['add']],
    ['clear', (orders) => orders.clear(), ['add', 'cancel', 'remove']],
    ['get of another record', (orders) => orders.get('#W1'), []],
    ['nothing', () => undefined, []],
  ])(
    '%s conflicts with what would have been read otherwise, and with nothing else',
    async (_what, handler, expected) => {
      const found: string[] = [];
      for (const [name, meanwhile] of Object.entries({ add, cancel, remove }))
        if ((await during(handler, meanwhile)) === 'conflicted') found.push(name);
      expect(found).toEqual(expected);
    },
  );

  test('a failed call leaves no trace, a successful one all of its own', async () => {
    const { app, rendered, orders } = await deskOf({
      good: ({ resources }) => resources.get(Orders).cancel('W1'),
      bad: ({ resources }) => {
        resources.get(Orders).delete('#W2');
        return resources.get(Orders).cancel('W9');
      },
    });
    expect(await app.invoke(rendered, 'bad', {})).toMatchObject({ kind: 'failed', text: 'There is no order W9.' });
    expect([...orders.keys()]).toEqual(['#W1', '#W2']);
    expect(await app.invoke(rendered, 'good', {})).toMatchObject({ kind: 'succeeded' });
    expect([...orders.values()]).toEqual([order('#W1', 'cancelled'), order('#W2')]);
  });

  test('savepoints: writes of a failed inner call are undone, the rest stays', async () => {
    const desk = await deskOf({
      good: ({ resources }) => resources.get(Orders).cancel('W1'),
      bad: ({ resources }) => {
        resources.get(Orders).delete('#W1');
        throw new ToolRefusal('No.');
      },
      outer: async (context) => {
        context.resources.get(Orders).set('#W8', order('#W8'));
        const outcomes = [];
        for (const name of ['good', 'bad']) outcomes.push(await context.callTool({ id: name, name, arguments: '{}' }));
        return [...outcomes.map(({ kind }) => kind), ...context.resources.get(Orders).keys()];
      },
    });
    const { text } = await desk.app.invoke(desk.rendered, 'outer', {});
    expect(text).toBe('["succeeded","failed","#W1","#W2","#W8"]');
    expect([...desk.orders.values()]).toEqual([order('#W1', 'cancelled'), order('#W2'), order('#W8')]);
  });

  test('savepoints: a read of a dropped savepoint conflicts in the call around it, at any depth', () => {
    const orders = new Orders([order('#W1')], '#');
    const call = orders.begin();
    const inner = call.begin();
    expect(inner.begin().has('#W3')).toBe(false);
    orders.set('#W3', order('#W3'));
    expect(orders.conflicts(call)).toBe(true);
    expect(call.conflicts(inner)).toBe(false);
  });

  test('savepoints: they see what the call around them wrote, and conflict if it changes that meanwhile', () => {
    const orders = new Orders([order('#W1')], '#');
    const call = orders.begin();
    call.cancel('W1');
    const inner = call.begin();
    expect(inner.get('#W1')?.status).toBe('cancelled');
    expect(call.conflicts(inner)).toBe(false);
    call.delete('#W1');
    expect(call.conflicts(inner)).toBe(true);
    expect(inner.get('#W1')?.status).toBe('cancelled');
  });

  test('commit applies to the overlay around a savepoint, and only its commit reaches the table', () => {
    const orders = new Orders([order('#W1')], '#');
    const call = orders.begin();
    const inner = call.begin();
    inner.set('#W3', order('#W3'));
    call.commit(inner);
    expect([call.has('#W3'), orders.has('#W3'), orders.changed(call)]).toEqual([true, false, true]);
    orders.commit(call);
    expect(orders.has('#W3')).toBe(true);
  });

  test('an overlay has the methods and fields of its class, and no constructor runs for it', () => {
    let built = 0;
    class Counted extends Orders {
      constructor(readonly shop: string) {
        super([order('#W1')], '#');
        built += 1;
      }
    }
    const overlay = new Counted('north').begin();
    expect(overlay).toBeInstanceOf(Counted);
    expect(overlay.begin().shop).toBe('north');
    expect(overlay.cancel('W1').status).toBe('cancelled');
    expect(built).toBe(1);
  });

  test('a call cannot change a member outside the table unnoticed', () => {
    class Noted extends TransactionalTable<string, Order> {
      count = 0;
      note(): void {
        this.count += 1;
      }
    }
    expect(() => new Noted().begin().note()).toThrow(TypeError);
    class Arrow extends TransactionalTable<string, Order> {
      readonly drop = (id: string): boolean => this.delete(id);
    }
    expect(() => new Arrow().begin()).toThrow(/^E916 Arrow\.drop: the field holds a function.*Turn it into a method/s);
    class Nested extends TransactionalTable<string, Order> {
      readonly lines = new TransactionalTable<string, Order>();
    }
    expect(() => new Nested().begin()).toThrow(/^E916 Nested\.lines: .*Bind it as a separate resource/s);
    class Private extends TransactionalTable<string, Order> {
      #drop(): void {
        this.clear();
      }
      all(): void {
        this.#drop();
      }
    }
    expect(() => new Private()).toThrow(/^E916 Private: .*TypeScript's private/s);
  });

  test('records are frozen when they enter: neither the handler nor the host changes one in place', () => {
    const mine = { id: '#W1', status: 'pending' as const, items: ['tea'] };
    const orders = new TransactionalTable<string, Order>([['#W1', mine]]);
    const overlay = orders.begin();
    expect(() => mine.items.push('milk')).toThrow(TypeError);
    expect(() => (overlay.get('#W1')?.items as string[]).push('milk')).toThrow(TypeError);
    expect(overlay.get('#W1')).toBe(mine);
    expect(orders.changed(overlay)).toBe(false);
  });

  test.each<[string, (table: TransactionalTable<string, unknown>) => unknown, RegExp]>([
    [
      'a date in a record',
      (table) => table.set('a', { at: new Date(0) }),
      /^E801 TransactionalTable\["a"\]\.at: a Date/,
    ],
    ['a map in a record', (table) => table.set('a', { all: new Map() }), /^E801 .*a Map/],
    [
      'no record',
      (table) => table.set('a', undefined),
      /^E916 TransactionalTable\["a"\]: undefined is not a record.*delete/s,
    ],
    ['no key', (table) => table.get(undefined as never), /^E916 .*a key is a text or a number, got undefined/],
    ['NaN', (table) => table.has(Number.NaN as never), /^E916 .*got the number NaN/],
    [
      'a foreign overlay',
      (table) => table.commit(new TransactionalTable<string, unknown>().begin()),
      /^E916 .*elsewhere/,
    ],
    ['an overlay of an overlay', (table) => table.commit(table.begin().begin()), /^E916 .*elsewhere/],
  ])('CALL-11 a transactional table refuses %s', (_what, act, message) => {
    const table = new TransactionalTable<string, unknown>();
    expect(() => act(table)).toThrow(message);
    expect([...table]).toEqual([]);
  });

  test('an overlay that was committed refuses late reads and writes', () => {
    const orders = new Orders([order('#W1')], '#');
    const overlay = orders.begin();
    const inner = overlay.begin();
    orders.commit(overlay);
    for (const late of [overlay, inner]) {
      expect(() => late.get('#W1')).toThrow(/^E602 Orders/);
      expect(() => late.delete('#W1')).toThrow(/^E602/);
      expect(() => late.size).toThrow(/^E602/);
      expect(() => late.begin()).toThrow(/^E602/);
    }
    expect(() => orders.commit(overlay)).toThrow(/^E602/);
  });

  test('an overlay costs the same at any size, and its check and commit what it read and wrote', () => {
    const rows = Array.from({ length: 10_000 }, (_, n) => [n, order(`#W${String(n)}`)] as const);
    const table = new TransactionalTable<number, Order>(rows);
    const before = performance.now();
    for (let call = 0; call < 5_000; call++) {
      const overlay = table.begin();
      overlay.get(call % 10_000);
      overlay.set((call * 7) % 10_000, order('#W1'));
      expect(table.conflicts(overlay)).toBe(false);
      table.commit(overlay);
    }
    // A fifth of a second; with a copy of the table, or a look at each record, for each call it would be twenty times that.
    expect(performance.now() - before).toBeLessThan(5_000);
  });
});
