import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool, type PoolClient, type QueryResult } from 'pg';
import type { RunEntry } from 'toolwright/conversations';
import { PostgresTransactions, type SqlPool } from 'toolwright/resources';
import type { DurableStore, Runs } from '@toolwright/durable';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { HandEngine } from '../../../packages/durable/spec/durable/HandEngine';
import { describeOnPostgres } from '../../support/postgresServer';
import { sqliteRuns } from '../../../packages/durable/spec/support/sqliteRuns';
import { book, openLedger, TABLE, type LedgerOptions } from '../../../packages/durable/spec/postgres/ledger';

jest.setTimeout(60_000);

describeOnPostgres('PostgresTransactions', (postgres) => {
  const messages = [{ role: 'user', content: 'Go.' }] as const;
  beforeAll(async () => {
    await postgres.pool.query(TABLE);
  });
  const working: Runs[] = [];
  // A worker looks for replies from time to time, with a client of the pool.
  afterEach(() => Promise.allSettled(working.splice(0).map((runs) => runs.drain(1_000))));
  beforeEach(async () => {
    await postgres.pool.query('TRUNCATE effects; DROP SCHEMA IF EXISTS toolwright CASCADE');
  });

  interface Worker {
    readonly runs: Runs;
    readonly engine: HandEngine;
  }

  async function worker(
    options: Omit<LedgerOptions, 'engine'>,
    store: DurableStore = new PostgresRuns(postgres.pool),
    on: SqlPool = postgres.pool,
  ): Promise<Worker> {
    const engine = new HandEngine();
    const runs = await openLedger(on, store, { ...options, engine });
    await runs.work();
    working.push(runs);
    return { runs, engine };
  }

  /** Starts a run, and has the worker carry it; returns how that ended. */
  async function begun({ runs, engine }: Worker): Promise<unknown> {
    await runs.start({ id: 'r-1', conversation: 'c', messages });
    return engine.carry('c').catch((error: unknown) => error);
  }

  /** Each client was given back; one is idle a moment after its last statement. */
  async function expectNoneKept(): Promise<void> {
    for (let tries = 0; tries < 100 && postgres.pool.idleCount < postgres.pool.totalCount; tries++) await sleep(10);
    expect(postgres.pool.idleCount).toBe(postgres.pool.totalCount);
  }

  const items = async (): Promise<readonly string[]> =>
    (await postgres.pool.query<{ item: string }>('SELECT item FROM effects ORDER BY id')).rows.map(({ item }) => item);
  const entries = (): Promise<readonly RunEntry[]> => new PostgresRuns(postgres.pool).entries('c');
  const outcomes = async (): Promise<readonly string[]> =>
    (await entries()).flatMap((entry) => (entry.kind === 'outcome' ? [`${entry.call} ${entry.outcome}`] : []));

  /** The pool, whose transactions run their statements by `query`, and give their clients back by `release`. */
  function poolWith(
    query: (client: PoolClient, text: string, ask: () => Promise<QueryResult>) => Promise<QueryResult>,
    release: (client: PoolClient, error?: boolean) => void = (client, error) => client.release(error),
  ): SqlPool {
    return {
      get totalCount() {
        return postgres.pool.totalCount;
      },
      query: (statement, values) => postgres.pool.query(statement, values),
      async connect() {
        const client = await postgres.pool.connect();
        return {
          on: (event, listener) => client.on(event, listener),
          off: (event, listener) => client.off(event, listener),
          release: (error) => release(client, error),
          query: (statement, values) =>
            query(client, typeof statement === 'string' ? statement : statement.text, () =>
              client.query(statement, values),
            ),
        };
      },
    };
  }

  /** The pool, with something that happens before or after the first of such statements. */
  function disturbed(at: RegExp, before: () => void | Promise<void>, then?: () => void): SqlPool {
    let isOver = false;
    return poolWith(async (_client, text, ask) => {
      const isNow = !isOver && at.test(text);
      if (isNow) isOver = true;
      if (isNow) await before();
      const result = await ask();
      if (isNow) then?.();
      return result;
    });
  }
  const lost = (): never => {
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  };

  test('the writes of a handler and the record of its call are one transaction, and each call of a turn has its own', async () => {
    const { runs, engine } = await worker({ tools: { book }, turns: [['book', 'book'], ['book']] });
    expect(await begun({ runs, engine })).toBe('done');
    expect((await runs.get('r-1')).status).toBe('answered');
    const written = 'SELECT item, xmin::text AS transaction FROM effects ORDER BY id';
    const recorded = `SELECT xmin::text AS transaction FROM toolwright.entries WHERE entry LIKE '{"kind":"outcome"%' ORDER BY position`;
    const [effects, records] = await Promise.all([postgres.pool.query(written), postgres.pool.query(recorded)]);
    const transactions = (effects.rows as { transaction: string }[]).map(({ transaction }) => transaction);
    expect(await items()).toEqual(['book 0.0', 'book 0.1', 'book 1.0']);
    expect(new Set(transactions).size).toBe(3);
    expect((records.rows as { transaction: string }[]).map(({ transaction }) => transaction)).toEqual(transactions);
  });

  test('a handler that throws leaves no trace but its outcome, also if it has swallowed what the database refused', async () => {
    const fail = async (...given: Parameters<typeof book>): Promise<string> => {
      await book(...given);
      throw new TypeError('no');
    };
    const swallow = async (...given: Parameters<typeof book>): Promise<string> => {
      await book(...given);
      await given[0].query('SELECT nothing').catch(() => undefined);
      return 'All is well.';
    };
    const defer = async (...given: Parameters<typeof book>): Promise<string> => {
      await given[0].query('INSERT INTO effects (item, needs) VALUES ($1, 0)', ['orphan']);
      return 'All is well.';
    };
    const tools = { fail, swallow, defer, book };
    const { runs, engine } = await worker({ tools, turns: [['fail', 'swallow', 'defer', 'book']] });
    expect(await begun({ runs, engine })).toBe('done');
    expect(await items()).toEqual(['book 0.3']);
    expect(await outcomes()).toEqual(['1.0 failed', '1.1 failed', '1.2 failed', '1.3 succeeded']);
    await expectNoneKept();
  });

  test('a worker that was shut out: its append is refused, and what its handler wrote is rolled back', async () => {
    const other = new PostgresRuns(postgres.pool);
    const late = async (...given: Parameters<typeof book>): Promise<string> => {
      const text = await book(...given);
      await other.open('c');
      return text;
    };
    const first = await worker({ tools: { late }, turns: [['late']] });
    expect(await begun(first)).toMatchObject({
      code: 'E709',
      message: expect.stringContaining('another writer') as string,
    });
    expect([await items(), await outcomes()]).toEqual([[], []]);
    const second = await worker({ tools: { late: book }, turns: [['late']] });
    expect(await second.engine.carry('c')).toBe('done');
    expect([await items(), await outcomes()]).toEqual([['late 0.0'], ['1.0 succeeded']]);
    await expectNoneKept();
  });

  test('a run that is cancelled while its handler writes: nothing of it stays', async () => {
    const parts: { first?: Worker } = {};
    const late = async (...given: Parameters<typeof book>): Promise<string> => {
      const text = await book(...given);
      await parts.first?.runs.cancel('r-1', 'not wanted');
      return text;
    };
    parts.first = await worker({ tools: { late }, turns: [['late']] });
    expect(await begun(parts.first)).toBe('done');
    expect((await parts.first.runs.get('r-1')).status).toBe('cancelled');
    expect([await items(), await outcomes()]).toEqual([[], []]);
    await expectNoneKept();
  });

  test.each([
    ['the append', /^WITH log/],
    ['COMMIT', /^COMMIT/],
  ])(
    'a connection that is lost before %s: neither is there, and the next attempt does both once',
    async (_what, at) => {
      const on = disturbed(at, lost);
      const store = new PostgresRuns(on);
      const first = await worker({ tools: { book }, turns: [['book']] }, store, on);
      expect(await begun(first)).toMatchObject({
        ...{
          code: 'E709',
          message: expect.stringContaining('was not committed, and neither was its record') as string,
        },
      });
      expect([await items(), await outcomes()]).toEqual([[], []]);
      expect(await first.engine.carry('c')).toBe('done');
      expect([await items(), await outcomes()]).toEqual([['book 0.0'], ['1.0 succeeded']]);
    },
  );

  test('an acknowledgement of COMMIT that is lost: the append finds its entry, and the run goes on', async () => {
    const on = disturbed(/^COMMIT/, () => undefined, lost);
    const first = await worker({ tools: { book }, turns: [['book', 'book']] }, new PostgresRuns(on), on);
    expect(await begun(first)).toBe('done');
    expect([await items(), await outcomes()]).toEqual([
      ['book 0.0', 'book 0.1'],
      ['1.0 succeeded', '1.1 succeeded'],
    ]);
  });

  test('a COMMIT that is still under way when its acknowledgement is lost is waited for', async () => {
    let committing: Promise<unknown> | undefined;
    const clients: PoolClient[] = [];
    const on = poolWith(
      (client, text, ask) => {
        if (!text.startsWith('COMMIT') || committing !== undefined) return ask();
        clients.push(client);
        committing = sleep(500).then(() => client.query('COMMIT'));
        return Promise.reject(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' }));
      },
      (client) => void committing?.finally(() => client.release()),
    );
    const first = await worker({ tools: { book }, turns: [['book']] }, new PostgresRuns(on), on);
    expect(await begun(first)).toBe('done');
    expect(clients).toHaveLength(1);
    expect([await items(), await outcomes()]).toEqual([['book 0.0'], ['1.0 succeeded']]);
  });

  test('beside runs in files, and in a pool of another database, PostgresTransactions commits by itself', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-ledger-'));
    const other = new Pool(postgres.server.connection);
    try {
      for (const store of [sqliteRuns(join(folder, 'runs.db')), new PostgresRuns(other)]) {
        await postgres.pool.query('TRUNCATE effects');
        const seen: (readonly string[])[] = [];
        const see = async (): Promise<string> => {
          seen.push(await items());
          return 'Seen.';
        };
        const { runs, engine } = await worker({ tools: { book, see }, turns: [['book'], ['see']] }, store);
        expect(await begun({ runs, engine })).toBe('done');
        expect([await items(), seen]).toEqual([['book 0.0'], [['book 0.0']]]);
        await expectNoneKept();
      }
    } finally {
      await other.end();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('read-only calls that a handler makes at once share a savepoint, and nothing that one of them writes is kept', async () => {
    const kinds: string[] = [];
    const look = async (...[sql]: Parameters<typeof book>): Promise<string> =>
      String((await sql.query('SELECT item, pg_sleep(0.01) FROM effects')).rows.length);
    const outer = async (...given: Parameters<typeof book>): Promise<string> => {
      const text = await book(...given);
      const [, context, item] = given;
      const calls = ['look', 'look', 'write', 'look'].map((name, index) => ({
        id: String(index),
        name,
        arguments: { item },
      }));
      kinds.push(...(await Promise.all(calls.map((call) => context.callTool(call)))).map(({ kind }) => kind));
      await context.callTool({ id: 'last', name: 'look', arguments: { item } });
      return text;
    };
    const worked = await worker({
      tools: { outer, look, write: book },
      readOnly: ['look', 'write'],
      turns: [['outer']],
    });
    expect(await begun(worked)).toBe('done');
    expect([await items(), await outcomes()]).toEqual([['outer 0.0'], ['1.0 succeeded']]);
    expect(kinds).toEqual(['succeeded', 'succeeded', 'succeeded', 'succeeded']);
    await expectNoneKept();
  });

  test('a call that a handler makes is a savepoint: only its own failed work is undone', async () => {
    const fail = async (...given: Parameters<typeof book>): Promise<string> => {
      await book(...given);
      await given[0].query('SELECT nothing');
      return 'never';
    };
    const outer = async (...given: Parameters<typeof book>): Promise<string> => {
      await book(...given);
      const [, context] = given;
      const kinds = [];
      for (const name of ['fail', 'book'])
        kinds.push((await context.callTool({ id: name, name, arguments: { item: `${name} within` } })).kind);
      return kinds.join();
    };
    const { runs, engine } = await worker({ tools: { outer, fail, book }, turns: [['outer']] });
    expect(await begun({ runs, engine })).toBe('done');
    expect([await items(), await outcomes()]).toEqual([['outer 0.0', 'book within'], ['1.0 succeeded']]);
    expect(JSON.stringify(await entries())).toContain('failed,succeeded');
  });

  test('the server crashes while a handler waits for something else: the process stays, and the effect is there once', async () => {
    let crashes = 0;
    const slow = async (...given: Parameters<typeof book>): Promise<string> => {
      const text = await book(...given);
      if (crashes++ === 0) await postgres.server.crash();
      return text;
    };
    const first = await worker({ tools: { slow }, turns: [['slow']] });
    expect(await begun(first)).toBe('done');
    expect([await items(), await outcomes(), crashes]).toEqual([['slow 0.0'], ['1.0 succeeded'], 2]);
  });

  test('a transaction in which nothing comes is ended by the database, which frees its locks', async () => {
    let times = 0;
    const stop = async (...given: Parameters<typeof book>): Promise<string> => {
      const text = await book(...given);
      if (times++ === 0) await sleep(1_500);
      return text;
    };
    const first = await worker({ tools: { stop }, turns: [['stop']], idleMs: 200 });
    expect(await begun(first)).toBe('done');
    expect([await items(), times]).toEqual([['stop 0.0'], 2]);
  });

  test.each(['read committed', 'repeatable read', 'serializable'] as const)(
    'isolation: %s is that of the transaction',
    async (isolation) => {
      const transactions = new PostgresTransactions(postgres.pool, { isolation });
      const sql = await transactions.begin({ readOnly: true });
      const { rows } = await sql.query<{ level: string }>(
        `SELECT current_setting('transaction_isolation') AS level, current_setting('transaction_read_only') AS closed`,
      );
      await transactions.rollback(sql);
      expect(rows).toEqual([{ level: isolation, closed: 'on' }]);
    },
  );

  test('PostgresTransactions refuses options that it does not have: E413', () => {
    expect(() => new PostgresTransactions(postgres.pool, { isolations: 'x' } as object)).toThrow(/E413.*isolation/s);
  });
});
