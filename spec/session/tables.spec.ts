import 'reflect-metadata';
import {
  createApplication,
  Field,
  Param,
  Prompt,
  Section,
  Session,
  systemClock,
  Tool,
  ToolContext,
  ToolRefusal,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { TransactionalTable } from 'toolwright/resources';
import { ScriptedModel } from 'toolwright/testing';
import { rehearse } from 'toolwright/own-loop';
import { applyDelta, writeDelta } from '../../src/session/writeDelta';
import { SessionTransaction } from '../../src/session/SessionTransaction';
import { StateWatch } from '../../src/session/state/StateWatch';
import { silent } from '../support/silent';

interface Order {
  readonly id: string;
  readonly status: string;
}

class Orders extends TransactionalTable<string, Order> {
  cancel(id: string): void {
    const order = this.get(id);
    if (order === undefined) throw new ToolRefusal(`There is no order ${id}.`);
    this.set(id, { ...order, status: 'cancelled' });
  }
}

class Params {
  @Param('Order') id!: string;
}

@Section({ title: 'Desk', template: 'Handle orders.' })
class Desk {
  @Tool({ description: 'Adds an order.' })
  add({ id }: Params, context: ToolContext): string {
    context.session.table(Orders).set(id, { id, status: 'open' });
    return 'Added.';
  }

  @Tool({ description: 'Cancels an order.', hints: { openWorld: false } })
  cancel({ id }: Params, context: ToolContext): string {
    context.session.table(Orders).cancel(id);
    return 'Cancelled.';
  }

  @Tool({ description: 'Adds an order, and fails.' })
  fail({ id }: Params, context: ToolContext): string {
    const orders = context.session.table(Orders);
    orders.set(id, { id, status: 'open' });
    if (orders.size > 0) throw new ToolRefusal('No.');
    return '';
  }

  @Tool({ description: 'Lists.', hints: { readOnly: true } })
  list(context: ToolContext): string {
    return JSON.stringify(context.session.table(Orders));
  }

  @Tool({ description: 'Says that it only reads.', hints: { readOnly: true } })
  lie({ id }: Params, context: ToolContext): string {
    context.session.table(Orders).set(id, { id, status: 'open' });
    return 'Nothing was written.';
  }
}

@Prompt({ ns: 'test', key: 'desk', sections: [Desk] })
class Agent {}

const call = (name: string, id?: string) => ({ name, arguments: id === undefined ? {} : { id } });

async function runDesk(session: Session, turns: readonly (readonly ReturnType<typeof call>[])[], more: object = {}) {
  const app = await createApplication({ prompts: [Agent], logger: silent });
  return app.evaluate(app.prompt(Agent), {
    adapter: new ScriptedModel([...turns.map((toolCalls) => ({ toolCalls })), { text: 'Done.' }]),
    messages: [{ role: 'user', content: 'Go.' }],
    session,
    ...more,
  });
}

const rows = (session: Session): unknown => JSON.parse(JSON.stringify(session.table(Orders)));
const open = (id: string) => [id, { id, status: 'open' }];
const order = (id: string): Order => ({ id, status: 'open' });

describe('a table in a session', () => {
  test('a table in a session is what calls read and write; a failed call leaves no trace', async () => {
    const session = new Session({ slices: [Orders] });
    const { transcript } = await runDesk(session, [
      [call('add', 'a')],
      [call('fail', 'x')],
      [call('add', 'b'), call('cancel', 'a')],
      [call('list')],
    ]);
    expect(rows(session)).toEqual([['a', { id: 'a', status: 'cancelled' }], open('b')]);
    expect(transcript.filter(({ role }) => role === 'tool').at(-1)?.content).toContain('cancelled');
  });

  test('calls at the same time read the state that was there when they began', async () => {
    const session = new Session({ slices: [Orders] });
    session.table(Orders).set('a', order('a'));
    const { transcript } = await runDesk(session, [[call('list'), call('list')]]);
    const results = transcript.filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual(Array(2).fill(JSON.stringify([open('a')])));
  });

  test('a read-only tool that writes fails, and nothing is written', async () => {
    const session = new Session({ slices: [Orders] });
    const { transcript } = await runDesk(session, [[call('lie', 'a')]]);
    expect(transcript.find(({ role }) => role === 'tool')).toMatchObject({ failed: true });
    expect(rows(session)).toEqual([]);
  });

  test('the host reads and writes it, and the version of the session grows', () => {
    const session = new Session({ slices: [Orders] });
    const before = session.version;
    session.table(Orders).set('a', order('a'));
    expect(session.version).toBeGreaterThan(before);
    expect(session.table(Orders)).toBeInstanceOf(Orders);
    expect(session.table(Orders)).toBe(session.table(Orders));
    const after = session.version;
    session.table(Orders).get('a');
    expect(session.version).toBe(after);
  });
});

describe('calls at the same time', () => {
  @Section({ title: 'Desk', template: 'Handle orders.' })
  class Slow {
    @Tool({ description: 'Adds an order after all calls have read.', hints: { idempotent: true } })
    async add({ id }: Params, context: ToolContext): Promise<string> {
      const orders = context.session.table(Orders);
      orders.set(id, order(id));
      await new Promise((resolve) => setTimeout(resolve, 20));
      return `Added ${id}.`;
    }
  }
  const appOf = () => createApplication({ prompts: [AgentOf], logger: silent });
  @Prompt({ ns: 'test', key: 'slow', sections: [Slow] })
  class AgentOf {}

  test('calls of two runs over one session conflict by row: other rows do not, and the same row is written twice in order', async () => {
    const session = new Session({ slices: [Orders] });
    const app = await appOf();
    const tools = await app.prompt(AgentOf).render({ session });
    const outcomes = await Promise.all(
      ['a', 'b', 'a'].map((id, at) =>
        app.callTool(tools, { id: `c${String(at)}`, name: 'add', arguments: { id } }, { session }),
      ),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded', 'succeeded']);
    expect(rows(session)).toEqual([open('a'), open('b')]);
  });
});

test('a change from outside of a row that the call has read is a conflict, and one of another row is not', async () => {
  const session = new Session({ slices: [Orders] });
  session.table(Orders).set('a', order('a')).set('b', order('b'));
  const begin = () => new SessionTransaction(session.base, { readOnly: false, clock: systemClock, ids: () => 'id' });
  const [reader, writer, inner] = [begin(), begin(), begin()];
  expect(reader.table(Orders).get('a')).toEqual(order('a'));
  writer.table(Orders).cancel('b');
  const savepoint = new SessionTransaction(inner, { readOnly: false, clock: systemClock, ids: () => 'id' });
  savepoint.table(Orders).set('c', order('c'));
  expect(rows(session)).toEqual([open('a'), open('b')]);
  session.table(Orders).cancel('a');
  expect([reader.commit(), writer.commit(), savepoint.commit()]).toEqual([false, true, true]);
  expect(session.table(Orders).has('c')).toBe(false);
  expect(inner.commit()).toBe(true);
  expect(
    session
      .table(Orders)
      .toJSON()
      .map(([id, { status }]) => [id, status]),
  ).toEqual([
    ['a', 'cancelled'],
    ['b', 'cancelled'],
    ['c', 'open'],
  ]);
});

describe('JSON, snapshots and clones', () => {
  const changed = (): Session => {
    const session = new Session({ slices: [Orders] });
    session.table(Orders).set('b', order('b')).set('a', order('a'));
    return session;
  };

  test('toJSON writes the rows, and fromJSON and load read them', () => {
    const json = JSON.parse(JSON.stringify(changed())) as unknown;
    expect(json).toMatchObject({ slices: { Orders: [open('a'), open('b')] } });
    const read = Session.fromJSON(json, { slices: [Orders] });
    expect(rows(read)).toEqual([open('a'), open('b')]);
    expect(Object.isFrozen(read.table(Orders).get('a'))).toBe(true);
    const other = new Session({ slices: [Orders] });
    other.table(Orders).set('z', order('z'));
    other.load(json);
    expect(rows(other)).toEqual([open('a'), open('b')]);
  });

  test('snapshot and restore, reset and clone take tables with them', () => {
    const session = changed();
    const snapshot = session.snapshot();
    const copy = session.clone();
    session.table(Orders).delete('a');
    expect(rows(copy)).toEqual([open('a'), open('b')]);
    copy.restore(session.snapshot());
    expect(rows(copy)).toEqual([open('b')]);
    session.restore(snapshot);
    expect(rows(session)).toEqual([open('a'), open('b')]);
    session.reset();
    expect(rows(session)).toEqual([]);
    expect(rows(copy)).toEqual([open('b')]);
  });

  test('a table begins as initial says, and is written once it is another one', () => {
    const slices = [
      {
        type: Orders,
        initial: () =>
          new Orders(
            [
              ['z', order('z')],
              ['a', order('a')],
            ],
            { order: 'insertion' },
          ),
      },
    ];
    const session = new Session({ slices });
    expect(rows(session)).toEqual([open('z'), open('a')]);
    expect(session.toJSON().slices).toEqual({});
    session.table(Orders).delete('z');
    session.table(Orders).set('b', order('b')).set('z', order('z'));
    expect(session.toJSON().slices).toEqual({ Orders: [open('a'), open('b'), open('z')] });
    expect(rows(Session.fromJSON(session.toJSON(), { slices }))).toEqual([open('a'), open('b'), open('z')]);
    session.table(Orders).clear();
    expect(session.toJSON().slices).toEqual({ Orders: [] });
    expect(rows(Session.fromJSON(session.toJSON(), { slices }))).toEqual([]);
    session.reset();
    expect(rows(session)).toEqual([open('z'), open('a')]);
  });

  test('records are instances of the class that the declaration names', () => {
    class Item {
      @Field('Name') name!: string;
      get loud(): string {
        return `${this.name}!`;
      }
    }
    class Items extends TransactionalTable<number, Item> {}
    const slices = [{ type: Items, records: Item }];
    const session = new Session({ slices });
    session.table(Items).set(7, Object.assign(new Item(), { name: 'tea' }));
    const read = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices });
    expect(read.table(Items).get(7)?.loud).toBe('tea!');
    const unnamed = new Session({ slices: [Items] });
    unnamed.table(Items).set(7, Object.assign(new Item(), { name: 'tea' }));
    expect(() => unnamed.toJSON()).toThrow(/E805[^]*slices\.Items\[0\]\.7[^]*records: Item/);
  });
});

describe('the log', () => {
  test('the log has the rows that a call changed, and not the whole table', async () => {
    const session = new Session({ slices: [Orders] });
    for (let at = 0; at < 100; at++) session.table(Orders).set(`r${String(at)}`, order(`r${String(at)}`));
    const conversation = new Conversation();
    await runDesk(session, [[call('add', 'new')], [call('cancel', 'r7')]], { conversation });
    const deltas = conversation.toJSON().entries.flatMap((entry) => ('session' in entry ? [entry.session] : []));
    expect(deltas[0]?.replaced?.['Orders']).toHaveLength(100);
    expect(deltas.slice(1)).toEqual([
      { appended: { Orders: [open('new')] } },
      { appended: { Orders: [['r7', { id: 'r7', status: 'cancelled' }]] } },
    ]);
    const later = new Session({ slices: [Orders] });
    await runDesk(later, [[call('add', 'later')]], {
      conversation: Conversation.fromJSON(JSON.parse(JSON.stringify(conversation))),
    });
    expect(later.table(Orders).size).toBe(102);
    expect(later.table(Orders).get('r7')?.status).toBe('cancelled');
  });

  test('the log goes on with the session of the process, also after a reset, and refuses another state', async () => {
    const slices = [{ type: Orders, initial: () => new Orders([['z', order('z')]]) }];
    const session = new Session({ slices });
    const conversation = new Conversation();
    await runDesk(session, [[call('add', 'a')]], { conversation });
    session.reset();
    await runDesk(session, [[call('add', 'b')]], { conversation });
    expect(rows(session)).toEqual([open('b'), open('z')]);
    const stored = JSON.parse(JSON.stringify(conversation)) as unknown;
    const same = Session.fromJSON(JSON.parse(JSON.stringify(session)), { slices });
    await runDesk(same, [], { conversation: Conversation.fromJSON(stored) });
    const fresh = new Session({ slices });
    await runDesk(fresh, [], { conversation: Conversation.fromJSON(stored) });
    expect(rows(fresh)).toEqual([open('b'), open('z')]);
    const other = new Session({ slices });
    other.table(Orders).set('q', order('q'));
    await expect(runDesk(other, [], { conversation: Conversation.fromJSON(stored) })).rejects.toMatchObject({
      code: 'E726',
    });
  });

  test('the log leads from any state to any other, in the order of insertion', () => {
    const slices = [{ type: Orders, initial: () => new Orders([], { order: 'insertion' as const }) }];
    const session = new Session({ slices });
    const copy = new Session({ slices });
    let written = session.base.tables.states;
    let seed = 7;
    const next = (below: number): number => (seed = (seed * 16807) % 2147483647) % below;
    for (let step = 0; step < 300; step++) {
      for (let change = next(4); change >= 0; change--) {
        const id = `k${String(next(12))}`;
        if (next(3) === 0) session.table(Orders).delete(id);
        else session.table(Orders).set(id, { id, status: String(step) });
      }
      const delta = writeDelta(session, new Map(), new Map(), written);
      written = session.base.tables.states;
      if (delta !== undefined) applyDelta(copy, JSON.parse(JSON.stringify(delta)) as typeof delta);
      expect(rows(copy)).toEqual(rows(session));
    }
  });

  test('a person who watches the state sees the rows', () => {
    const session = new Session({ slices: [Orders] });
    const watch = new StateWatch(session);
    expect(watch.changes()).toBeUndefined();
    session.table(Orders).set('a', order('a'));
    expect(watch.changes()).toEqual({ appended: {}, replaced: { Orders: [open('a')] } });
    expect(watch.changes()).toBeUndefined();
    session.reset();
    expect(watch.changes()).toEqual({ appended: {}, replaced: { Orders: [] } });
  });
});

test('a rehearsal shows the rows that would change, and changes none', async () => {
  const session = new Session({ slices: [Orders] });
  session.table(Orders).set('a', order('a'));
  const app = await createApplication({ prompts: [Agent], logger: silent });
  const rendered = await app.prompt(Agent).render({ session });
  const { changed } = await rehearse(app, rendered, { id: 'c', ...call('cancel', 'a') }, { session });
  expect(changed).toEqual([
    {
      part: 'session',
      name: 'Orders',
      changes: [{ what: 'a', before: { status: 'open' }, after: { status: 'cancelled' } }],
    },
  ]);
  expect(rows(session)).toEqual([open('a')]);
});

describe('refusals', () => {
  class Plain {}
  class Dear extends TransactionalTable<string, Order> {
    constructor(readonly rate: number) {
      super();
    }
  }
  const session = new Session({ slices: [Plain, Orders] });
  const cast = (value: unknown) => value as never;
  test.each<[string, () => unknown, string, RegExp]>([
    ['a table that is not listed', () => session.table(Dear), 'E808', /slices: \[Dear\]/],
    [
      'a slice as a table',
      () => session.table(cast(Plain)),
      'E808',
      /does not extend TransactionalTable[^]*session\.slice/,
    ],
    ['undefined as a table', () => session.table(cast(undefined)), 'E808', /TransactionalTable/],
    ['a table as a slice', () => session.slice(Orders), 'E808', /session\.table\(Orders\)/],
    ['a table as a log', () => new Session({ slices: [{ type: Orders, policy: 'log' }] }), 'E804', /rolled back/],
    ['records of a slice', () => new Session({ slices: [{ type: Plain, records: Plain }] }), 'E804', /not one/],
    [
      'records that are no class',
      () => new Session({ slices: [{ type: Orders, records: cast('x') }] }),
      'E804',
      /class of the records/,
    ],
    ['a constructor with arguments', () => new Session({ slices: [Dear] }), 'E804', /initial: \(\) => new Dear/],
    [
      'an initial of something else',
      () => new Session({ slices: [{ type: Orders, initial: () => new Plain() }] }).table(Orders),
      'E804',
      /initial/,
    ],
    ['rows that are none', () => session.load(jsonWith('x')), 'E806', /slices\.Orders/],
    ['a row that is none', () => session.load(jsonWith([['a', 1, 2]])), 'E806', /slices\.Orders\[0\]/],
    ['a key that is none', () => session.load(jsonWith([[null, 1]])), 'E806', /slices\.Orders\[0\]/],
  ])('a session refuses %s', (_what, act, code, text) => {
    expect(act).toThrow(expect.objectContaining({ code, message: expect.stringMatching(text) as string }) as Error);
  });

  function jsonWith(value: unknown): unknown {
    return { ...session.toJSON(), slices: { Orders: value } };
  }

  test('a key that JSON does not hold', () => {
    class Numbers extends TransactionalTable<number, string> {}
    const infinite = new Session({ slices: [Numbers] });
    infinite.table(Numbers).set(Infinity, 'x');
    expect(() => infinite.toJSON()).toThrow(/E805[^]*Infinity/);
  });

  test('a table of a call that ended refuses changes', async () => {
    let kept: Orders | undefined;
    @Section({ title: 'Desk', template: 'Keep.' })
    class Keeper {
      @Tool({ description: 'Keeps.' })
      keep(context: ToolContext): string {
        kept = context.session.table(Orders);
        return 'Kept.';
      }
    }
    @Prompt({ ns: 'test', key: 'keeper', sections: [Keeper] })
    class Kept {}
    const app = await createApplication({ prompts: [Kept], logger: silent });
    const rendered = await app.prompt(Kept).render({ session });
    await app.callTool(rendered, { id: 'c', name: 'keep', arguments: {} }, { session });
    expect(() => kept?.set('a', order('a'))).toThrow('E602');
  });
});
