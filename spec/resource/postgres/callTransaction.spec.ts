import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type QueryResult } from 'pg';
import {
  type Application,
  callTransaction,
  type Constructor,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  type ToolContext,
  type ToolHints,
  type ToolOptions,
  type ToolOutcome,
  ToolResult,
} from 'toolwright';
import { allow } from 'toolwright/policies';
import type { CallTransactionBinding, CallTransactionOptions } from 'toolwright/resources';
import { programs } from '@toolwright/programs';
import { rehearse } from 'toolwright/own-loop';
import { describeOnPostgres } from '../../support/postgresServer';
import { silentLogger } from '../../conformance/declare/silentLogger';

jest.setTimeout(60_000);

/** What database libraries offer: it commits when the callback has ended, and rolls back when that throws. */
async function transaction<T>(pool: Pool, mode: string, callback: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isBroken = false;
  try {
    await client.query(`BEGIN ${mode}`);
    const result = await callback(client);
    // As docs/database.md says: PostgreSQL answers COMMIT after a failed statement with a silent ROLLBACK.
    await client.query('SELECT 1');
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch(() => (isBroken = true));
    throw error;
  } finally {
    client.release(isBroken);
  }
}

async function savepoint<T>(client: PoolClient, callback: (client: PoolClient) => Promise<T>): Promise<T> {
  await client.query('SAVEPOINT inner_call');
  try {
    const result = await callback(client);
    await client.query('RELEASE SAVEPOINT inner_call');
    return result;
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT inner_call');
    throw error;
  }
}

type Tx = CallTransactionBinding<PoolClient>;

/** A repository as applications have it: it is injected, and knows nothing of calls. */
class Orders {
  constructor(
    private readonly tx: Tx,
    private readonly pool: Pool,
  ) {}

  async query(text: string, values: readonly unknown[] = []): Promise<QueryResult<unknown[]>> {
    return (this.tx.current() ?? this.pool).query(text, [...values]);
  }

  async add(item: string, needs: number | null = null): Promise<void> {
    await this.query('INSERT INTO orders (item, needs) VALUES ($1, $2)', [item, needs]);
  }
}

class Answer {
  @Param('The item') item!: string;
}

const withinIt: ToolHints = { openWorld: false };

/** Returns a function whose promises resolve once it was called so many times. */
function createBarrier(calls: number): () => Promise<void> {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  let left = calls;
  return () => {
    if (--left === 0) open();
    return opened;
  };
}

describeOnPostgres('callTransaction', (postgres) => {
  beforeAll(async () => {
    await postgres.pool.query(`
      CREATE TABLE orders (
        id serial PRIMARY KEY, item text NOT NULL UNIQUE,
        needs int REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED
      )`);
  });
  beforeEach(async () => {
    await postgres.pool.query('TRUNCATE orders');
  });
  const opened: { app: Application; pool: Pool }[] = [];
  afterEach(async () => {
    for (const { app, pool } of opened.splice(0)) {
      await app.close();
      await pool.end();
    }
  });

  /** The rows as another connection sees them. */
  const items = async (): Promise<readonly string[]> =>
    (await postgres.pool.query<{ item: string }>('SELECT item FROM orders ORDER BY id')).rows.map(({ item }) => item);
  /** Transactions that others have open. */
  const openTransactions = async (): Promise<number> => {
    const sql =
      "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state LIKE 'idle in transaction%' OR (state = 'active' AND pid <> pg_backend_pid() AND backend_type = 'client backend')";
    return (await postgres.pool.query<{ count: number }>(sql)).rows[0]?.count ?? -1;
  };

  interface Desk {
    readonly app: Application;
    readonly tx: Tx;
    call(
      name: string,
      options?: { readonly signal?: AbortSignal },
      args?: Readonly<Record<string, unknown>>,
    ): Promise<ToolOutcome>;
    rehearse(name: string): ReturnType<typeof rehearse>;
  }
  type Act = (orders: Orders, context: ToolContext, tx: Tx) => unknown;
  interface Acting extends Pick<ToolOptions, 'hints' | 'timeoutMs' | 'policies'> {
    readonly result?: typeof Answer;
    readonly act: Act;
  }

  async function deskOf(
    tools: Readonly<Record<string, Act | Acting>>,
    options: Partial<CallTransactionOptions<PoolClient>> & { readonly connections?: number } = {},
  ): Promise<Desk> {
    const { connections = 8, ...given } = options;
    const pool = new Pool({ ...postgres.server.connection, max: connections });
    pool.on('error', () => undefined);
    const tx = callTransaction<PoolClient>({
      run: (work, { readOnly }) => transaction(pool, readOnly ? 'READ ONLY' : '', work),
      savepoint,
      ...given,
    });
    const orders = new Orders(tx, pool);
    const classes = Object.entries(tools).map(([name, tool]): Constructor => {
      const { act, ...declared } = typeof tool === 'function' ? { act: tool } : tool;
      return defineTool({
        name,
        description: 'Acts.',
        hints: withinIt,
        ...declared,
        handler: (_params: unknown, context) => act(orders, context, tx) as never,
      });
    });
    const section = defineSection({ key: 'orders', title: 'Orders', tools: classes });
    const Till = definePrompt({
      ns: 'test',
      key: 'till',
      sections: [section],
      extensions: [programs({ check: 'syntax' })],
    });
    const app = await createApplication({ prompts: [Till], resources: [tx], logger: silentLogger });
    opened.push({ app, pool });
    const session = new Session();
    const rendered = await app.prompt(Till).render({ session });
    return {
      app,
      tx,
      call: (name, more = {}, args = {}) =>
        app.callTool(rendered, { id: name, name, arguments: args }, { session, ...more }),
      rehearse: (name) => rehearse(app, rendered, { id: name, name, arguments: {} }, { session }),
    };
  }

  test('the writes of injected repositories in a successful call are one transaction, committed before the call is answered', async () => {
    const desk = await deskOf({
      order: async (orders) => {
        await orders.add('pen');
        expect(await items()).toEqual([]);
        await Promise.all([orders.add('ink'), orders.add('paper')]);
        return 'Ordered.';
      },
    });
    expect(await desk.call('order')).toMatchObject({ kind: 'succeeded', text: 'Ordered.' });
    const { rows } = await postgres.pool.query('SELECT DISTINCT xmin::text FROM orders');
    expect(rows).toHaveLength(1);
    expect(await items()).toEqual(['pen', 'ink', 'paper']);
    expect(desk.tx.current()).toBeUndefined();
  });

  const failures: Readonly<Record<string, Acting>> = {
    'a result that does not fit its declaration': {
      result: Answer,
      act: async (orders) => {
        await orders.add('pen');
        await orders.add('ink');
        return { itm: 'pen' };
      },
    },
    'a result that holds an open promise': {
      act: async (orders) => (await orders.add('pen'), { left: orders.add('ink') }),
    },
    'a failed result': { act: async (orders) => (await orders.add('pen'), ToolResult.error('No.')) },
    'an error': {
      act: async (orders) => {
        await orders.add('pen');
        throw new TypeError('no');
      },
    },
    'a unique violation': { act: async (orders) => (await orders.add('pen'), orders.add('pen')) },
    'a unique violation that the handler swallows': {
      act: async (orders) => (await orders.add('pen'), await orders.add('pen').catch(() => undefined), 'All is well.'),
    },
    'a deferred constraint, which the commit meets': { act: (orders) => orders.add('pen', 0) },
    'one of several parallel statements': {
      act: (orders) => Promise.all([orders.add('pen'), orders.add('pen'), orders.add('ink')]),
    },
    'a policy that is told of the result': {
      policies: [{ name: 'auditor', check: () => allow, onResult: () => Promise.reject(new Error('no')) }],
      act: (orders) => orders.add('pen'),
    },
    'a timeout': {
      timeoutMs: 50,
      act: async (orders) => (await orders.add('pen'), orders.query('SELECT pg_sleep(0.4)')),
    },
  };

  test.each(Object.entries(failures))('nothing is kept after %s', async (_what, acting) => {
    const desk = await deskOf({ order: acting });
    const outcome = await desk.call('order');
    expect(outcome.kind).not.toBe('succeeded');
    expect(outcome).not.toMatchObject({ rolledBack: false });
    expect(await items()).toEqual([]);
    expect(await openTransactions()).toBe(0);
  });

  test('a rehearsal shows what the handler says, and keeps nothing', async () => {
    const desk = await deskOf({
      order: async (orders) => (await orders.add('pen'), (await orders.query('SELECT item FROM orders')).rows),
    });
    const { outcome, changed } = await desk.rehearse('order');
    expect(outcome).toMatchObject({ kind: 'succeeded', result: { value: [{ item: 'pen' }] } });
    expect(changed).toEqual([{ part: 'resource', name: 'CallTransaction', changes: undefined }]);
    expect(await items()).toEqual([]);
    expect(await openTransactions()).toBe(0);
  });

  test('parallel calls have a transaction each, and see nothing of each other', async () => {
    const seen = new Map<string, unknown[]>();
    // No call reads before all have written, and none ends before all have read: a commit would be visible to the others.
    const [written, read] = [createBarrier(3), createBarrier(3)];
    const order =
      (item: string): Act =>
      async (orders) => {
        await orders.add(item);
        await written();
        seen.set(item, (await orders.query('SELECT item FROM orders')).rows);
        await read();
        if (item === 'ink') throw new Error('no ink');
      };
    const desk = await deskOf({ pen: order('pen'), ink: order('ink'), paper: order('paper') });
    const outcomes = await Promise.all(['pen', 'ink', 'paper'].map((name) => desk.call(name)));
    expect(outcomes.map(({ kind }) => kind)).toEqual(['succeeded', 'failed', 'succeeded']);
    expect(Object.fromEntries(seen)).toEqual({
      pen: [{ item: 'pen' }],
      ink: [{ item: 'ink' }],
      paper: [{ item: 'paper' }],
    });
    expect([...(await items())].sort()).toEqual(['paper', 'pen']);
  });

  test('a read-only call gets a transaction that writes nothing, and its statements run in it', async () => {
    const desk = await deskOf({
      look: {
        hints: { readOnly: true },
        act: async (orders) => (await orders.query('SHOW transaction_read_only')).rows,
      },
      write: { hints: { readOnly: true }, act: (orders) => orders.add('pen') },
    });
    expect(await desk.call('look')).toMatchObject({
      kind: 'succeeded',
      result: { value: [{ transaction_read_only: 'on' }] },
    });
    expect((await desk.call('write')).text).toContain('read-only transaction');
    expect(await items()).toEqual([]);
  });

  test('a call that is cancelled in the middle of its statements keeps none of them, not even those that come later', async () => {
    const stop = new AbortController();
    let late: Promise<unknown> | undefined;
    const desk = await deskOf(
      {
        order: (orders) =>
          (late = (async () => {
            await orders.add('pen');
            stop.abort(new Error('gone'));
            await orders.query('SELECT pg_sleep(0.2)');
            await orders.add('ink');
          })()),
      },
      { connections: 1 },
    );
    await expect(desk.call('order', { signal: stop.signal })).rejects.toThrow('gone');
    await expect(late).rejects.toMatchObject({ code: 'E602' });
    expect(await items()).toEqual([]);
  });

  test('a handler that outlives its call writes into no later one, although that has the same connection', async () => {
    let held: PoolClient | undefined;
    let late: Promise<unknown> | undefined;
    let go = (): void => undefined;
    const started = new Promise<void>((resolve) => (go = resolve));
    const desk = await deskOf(
      {
        hangs: {
          timeoutMs: 300,
          act: (orders, _context, tx) => {
            held = tx.current();
            late = (async () => {
              await orders.add('pen');
              await started;
              const attempts = [
                () => orders.add('late'),
                () => held?.query("INSERT INTO orders (item) VALUES ('held')"),
              ];
              return Promise.all(
                attempts.map(async (attempt) => attempt()).map((done) => done.catch((e: unknown) => e)),
              );
            })();
            return late;
          },
        },
        next: async (orders) => {
          await orders.add('next');
          go();
          await late;
          return 'Ordered.';
        },
      },
      { connections: 1 },
    );
    expect(await desk.call('hangs')).toMatchObject({ kind: 'timed_out' });
    expect(await openTransactions()).toBe(0);
    expect(await desk.call('next')).toMatchObject({ kind: 'succeeded' });
    expect(await late).toMatchObject([{ code: 'E602' }, { code: 'E602' }]);
    expect(await items()).toEqual(['next']);
  });

  test('a statement that the handler did not await is a part of the call', async () => {
    const desk = await deskOf({
      order: (orders, _context, tx) => {
        void tx.current()?.query("INSERT INTO orders (item) SELECT 'pen' FROM pg_sleep(0.2)");
        return 'Ordered.';
      },
    });
    expect(await desk.call('order')).toMatchObject({ kind: 'succeeded' });
    expect(await items()).toEqual(['pen']);
  });

  test('a call that the database cannot put in order with another one is made again', async () => {
    const options: Partial<CallTransactionOptions<PoolClient>> = {};
    const pool = new Pool({ ...postgres.server.connection, max: 4 });
    const desk = await deskOf(
      {
        count: async (_orders, { call }, tx) => {
          const client = tx.current();
          const { rows } = (await client?.query('SELECT count(*)::int AS count FROM orders')) as QueryResult<{
            count: number;
          }>;
          if (call.attempt === 1) await postgres.pool.query("INSERT INTO orders (item) VALUES ('other')");
          await client?.query("UPDATE orders SET needs = NULL WHERE item = 'first'");
          return rows[0]?.count;
        },
      },
      { ...options, run: (work) => transaction(pool, 'ISOLATION LEVEL REPEATABLE READ', work) },
    );
    await postgres.pool.query("INSERT INTO orders (item) VALUES ('first')");
    const moved = await deskOf(
      {
        change: async (_orders, { call }, tx) => {
          const client = tx.current();
          await client?.query('SELECT 1 FROM orders');
          if (call.attempt === 1) await postgres.pool.query("UPDATE orders SET needs = NULL WHERE item = 'first'");
          await client?.query("UPDATE orders SET item = 'changed' WHERE item = 'first'");
          return call.attempt;
        },
      },
      { run: (work) => transaction(pool, 'ISOLATION LEVEL REPEATABLE READ', work) },
    );
    expect(await desk.call('count')).toMatchObject({ kind: 'succeeded' });
    expect(await moved.call('change')).toMatchObject({ kind: 'succeeded', result: { value: 2 } });
    expect(await items()).toContain('changed');
    await pool.end();
  });

  describe('calls within a call', () => {
    const inner = { id: 'inner', name: 'inner', arguments: {} };

    test('a call that fails takes back what it wrote, and nothing else', async () => {
      const desk = await deskOf({
        outer: async (orders, context) => {
          await orders.add('before');
          const { kind } = await context.callTool(inner);
          await orders.add('after');
          return kind;
        },
        inner: async (orders) => (await orders.add('inner'), orders.add('inner')),
      });
      expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', result: { value: 'failed' } });
      expect(await items()).toEqual(['before', 'after']);
    });

    test('a call that succeeds is undone with the call that makes it', async () => {
      const desk = await deskOf({
        outer: async (orders, context) => {
          expect(await context.callTool(inner)).toMatchObject({ kind: 'succeeded' });
          expect((await orders.query('SELECT item FROM orders')).rows).toEqual([{ item: 'inner' }]);
          throw new Error('no');
        },
        inner: (orders) => orders.add('inner'),
      });
      expect(await desk.call('outer')).toMatchObject({ kind: 'failed' });
      expect(await items()).toEqual([]);
    });

    test('without a savepoint, a call that fails says that what it wrote may remain', async () => {
      const outcomes: ToolOutcome[] = [];
      const desk = await deskOf(
        {
          outer: async (_orders, context) => void outcomes.push(await context.callTool(inner)),
          inner: async (orders) => (await orders.add('inner'), ToolResult.error('No.')),
        },
        { savepoint: undefined },
      );
      expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded' });
      expect(outcomes).toMatchObject([{ kind: 'failed', rolledBack: false, effect: 'unknown' }]);
      expect(outcomes).toMatchObject([
        { error: { code: 'E911', message: expect.stringContaining('savepoint') as string } },
      ]);
      expect(await items()).toEqual(['inner']);
    });

    test('read-only ones run at the same time, and one that outlives its end is refused', async () => {
      const late: unknown[] = [];
      const desk = await deskOf({
        outer: async (orders, context) => {
          await orders.add('pen');
          const looks = await Promise.all(
            [1, 2, 3].map((id) => context.callTool({ ...inner, id: String(id), name: 'look' })),
          );
          await sleep(100);
          return looks.map(({ result }) => result.value);
        },
        look: {
          hints: { readOnly: true },
          act: async (orders) => {
            const { rows } = await orders.query('SELECT item FROM orders');
            setTimeout(() => {
              orders.query('SELECT 1').catch((error: unknown) => late.push(error));
            }, 20);
            return rows;
          },
        },
      });
      const rows = [{ item: 'pen' }];
      expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', result: { value: [rows, rows, rows] } });
      await sleep(50);
      expect(late).toMatchObject([{ code: 'E602' }, { code: 'E602' }, { code: 'E602' }]);
    });

    test('read-only ones leave nothing that they wrote, and a failure of one spoils nothing of the call that makes it', async () => {
      const look = (name: string, id: string) => ({ id, name, arguments: {} });
      const desk = await deskOf({
        outer: async (orders, context) => {
          await orders.add('pen');
          const names = ['look', 'spoil', 'nested', 'look', 'nested'];
          const looks = await Promise.all(names.map((name, index) => context.callTool(look(name, String(index)))));
          await context.callTool(look('look', 'again'));
          await orders.add('ink');
          return looks.map(({ kind }) => kind).filter((kind) => kind === 'succeeded').length > 0;
        },
        look: {
          hints: { readOnly: true },
          act: async (orders) => (await orders.query('SELECT item FROM orders')).rows,
        },
        nested: {
          hints: { readOnly: true },
          act: async (_orders, context) => (await context.callTool(look('look', 'deep'))).kind,
        },
        spoil: { hints: { readOnly: true }, act: async (orders) => (await orders.add('paper'), orders.add('paper')) },
      });
      expect(await desk.call('outer')).toMatchObject({ kind: 'succeeded', result: { value: true } });
      expect(await items()).toEqual(['pen', 'ink']);
    });

    test('the calls of a program are one transaction, which a program that does not complete takes back', async () => {
      const add =
        (item: string): Act =>
        (orders) =>
          orders.add(item);
      const desk = await deskOf({
        pen: add('pen'),
        ink: add('ink'),
        twice: async (orders) => (await orders.add('extra'), orders.add('pen')),
      });
      const program = (code: string) => desk.call('execute_program', {}, { code });
      const caught = await program('await pen(); try { await twice(); } catch {} await ink();');
      expect(caught).toMatchObject({ kind: 'succeeded' });
      expect(await items()).toEqual(['pen', 'ink']);
      await postgres.pool.query('TRUNCATE orders');
      expect(await program('await pen(); throw new Error("no");')).not.toMatchObject({ kind: 'succeeded' });
      expect(await items()).toEqual([]);
    });
  });

  test('a connection that is lost at the commit leaves the effect unknown, and says so', async () => {
    const pool = new Pool({ ...postgres.server.connection, max: 1 });
    pool.on('error', () => undefined);
    const desk = await deskOf(
      { order: async (orders) => (await orders.add('pen'), 'Ordered.') },
      {
        run: async (work) => {
          const client = await pool.connect();
          client.on('error', () => undefined);
          await client.query('BEGIN');
          const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
          await work(client);
          await postgres.pool.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid]);
          await client.query('COMMIT').finally(() => client.release(true));
        },
      },
    );
    expect(await desk.call('order')).toMatchObject({ kind: 'failed', effect: 'unknown', rolledBack: false });
    await pool.end();
  });
});
