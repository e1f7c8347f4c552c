import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'pg';
import { createApplication, definePrompt, Section, Session } from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import type { SqlClient } from 'toolwright/resources';
import { ScriptedModel } from 'toolwright/testing';
import { runStoreContract } from '@toolwright/contracts';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { proxyTo } from '../../../../spec/support/proxyTo';
import { silent } from '../../../../spec/support/silent';
import { expectUpgraded, rowsOfVersion2 } from '../../../../spec/support/version2';

const note = (text: string): RunEntry => ({
  kind: 'note',
  turn: 1,
  about: 'limits',
  message: { role: 'user', content: text },
});

describeOnPostgres('PostgresRuns', (postgres) => {
  describe('keeps the contract of stores', () => {
    const begin = async () => {
      const client = await postgres.pool.connect();
      await client.query('BEGIN');
      const end = (statement: string) => () => client.query(statement).then(() => client.release());
      let isOver = false;
      const once = (end: () => Promise<void>) => async () => {
        if (isOver) return;
        isOver = true;
        await end();
      };
      return { client, commit: once(end('COMMIT')), rollback: once(end('ROLLBACK')) };
    };
    const kit = { open: () => new PostgresRuns(postgres.pool, { schema: 'contract' }), keepsRuns: true, begin };
    for (const { name, run } of runStoreContract(kit)) test(name, run);
  });

  /** A connection that fails now and then. */
  function failing(...errors: readonly (Error | 'after' | undefined)[]): SqlClient & { readonly asked: string[] } {
    const asked: string[] = [];
    const left = [...errors];
    return {
      asked,
      async query(text, values) {
        asked.push(text.trim().slice(0, 6));
        const error = asked.length > 2 ? left.shift() : undefined;
        if (error instanceof Error) throw error;
        const result = await postgres.pool.query(text, values);
        if (error === 'after') throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
        return result;
      },
    };
  }

  test('PostgresRuns creates its tables once, however many stores begin at the same time', async () => {
    const stores = Array.from({ length: 5 }, () => new PostgresRuns(postgres.pool, { schema: 'many' }));
    const opened = await Promise.all(stores.map((store) => store.open('c-1')));
    expect(new Set(opened.map(({ epoch }) => epoch)).size).toBe(5);
    const { rows } = await postgres.pool.query('SELECT version FROM many.migrations');
    expect(rows).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }, { version: 4 }, { version: 5 }]);
  });

  test('PostgresRuns leaves the creation of its tables to you, with the SQL for it', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'yours', migrate: false });
    await expect(store.list()).rejects.toThrow(/E709 PostgresRuns, schema yours.*yours\.migrations/s);
    await postgres.pool.query(PostgresRuns.migration('yours'));
    await postgres.pool.query(PostgresRuns.migration('yours'));
    expect(await store.list()).toEqual([]);
  });

  describe('prepared statements', () => {
    const run = { id: 'r', conversation: 'c', input: null, messages: [], trace: null };
    /** What is done with a store on a single connection, and the statements that this one then has. */
    async function prepared(schema: string, options: { readonly prepare?: boolean } = {}): Promise<readonly string[]> {
      const pool = new Pool({ ...postgres.server.connection, max: 1 });
      try {
        const store = new PostgresRuns(pool, { schema, ...options });
        await store.records.create(run);
        await pool.query(`ALTER TABLE ${schema}.runs ADD COLUMN added text`);
        expect(await store.records.get('r')).toMatchObject({ id: 'r' });
        await pool.query(`ALTER TABLE ${schema}.runs ADD COLUMN again text`);
        expect(await store.records.get('r')).toMatchObject({ id: 'r' });
        expect(await store.records.list()).toHaveLength(1);
        const { rows } = await pool.query<{ name: string }>('SELECT name FROM pg_prepared_statements');
        return rows.map(({ name }) => name);
      } finally {
        await pool.end();
      }
    }

    test('a pool has those of every run, which outlive new columns', async () => {
      const names = await prepared('prepared');
      expect(names).toHaveLength(2);
      for (const name of names) expect(name).toMatch(/^toolwright_[\da-f]{32}$/);
    });

    test('a store behind a pooler that would lose prepared statements uses none', async () => {
      expect(await prepared('pooled', { prepare: false })).toEqual([]);
    });
  });

  test('PostgresRuns refuses tables of a newer version: E709', async () => {
    await postgres.pool.query(PostgresRuns.migration('newer'));
    await postgres.pool.query('INSERT INTO newer.migrations (version) VALUES (6)');
    await expect(new PostgresRuns(postgres.pool, { schema: 'newer' }).open('c')).rejects.toThrow(
      /E709 PostgresRuns, schema newer: its tables are of version 6, and this Toolwright knows 5/,
    );
  });

  test('PostgresRuns gives tables of version 3 shared sessions, and keeps what they hold', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'third' });
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, [note('a')]);
    await postgres.pool.query('DROP TABLE third.session_changes');
    await postgres.pool.query('DELETE FROM third.migrations WHERE version = 4');
    const again = new PostgresRuns(postgres.pool, { schema: 'third' });
    expect(await again.entries('c')).toEqual([note('a')]);
    const session = { name: 'cart-17', changes: [{ version: 1, delta: { appended: { '"cart"': [1] } } }] };
    await again.append({ conversation: 'c', epoch, after: 1, session }, [note('b')]);
    expect(await again.sessionChanges('cart-17')).toEqual(session.changes);
  });

  test('PostgresRuns gives tables of version 4 chats and waiting messages, and keeps what they hold', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'fourth' });
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, [note('a')]);
    await postgres.pool.query(`DROP TABLE fourth.chats, fourth.inbox; ALTER TABLE fourth.logs DROP COLUMN waiting;
      DELETE FROM fourth.migrations WHERE version = 5`);
    const again = new PostgresRuns(postgres.pool, { schema: 'fourth' });
    expect(await again.entries('c')).toEqual([note('a')]);
    expect(await again.chats.create({ owner: 'ada', id: 'a', branches: ['c'], title: 'Mine' })).toBe('created');
    expect(await again.chats.get('ada', 'a')).toMatchObject({ branches: ['c'], title: 'Mine' });
  });

  describe('a shared session', () => {
    const changes = (...versions: readonly number[]) =>
      versions.map((version) => ({ version, delta: { appended: { '"cart"': [version] } } }));
    /** A store on a connection of its own, in a transaction that ends when it is told to. */
    async function held() {
      const client = await postgres.pool.connect();
      await client.query('BEGIN');
      const end = (statement: string) => async () => {
        await client.query(statement);
        client.release();
      };
      return { client, commit: end('COMMIT'), rollback: end('ROLLBACK') };
    }
    /** Resolves once a statement waits for a lock. */
    async function lockIsAwaited(): Promise<void> {
      const sql = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
      for (let times = 0; times < 400; times++) {
        if ((await postgres.pool.query(sql)).rows.length > 0) return;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error('no statement waits for a lock');
    }
    /** A session with three changes, and two conversations over it. */
    async function begun(schema: string) {
      const store = new PostgresRuns(postgres.pool, { schema });
      const [one, two] = [await store.open('one'), await store.open('two')];
      const position = { conversation: 'one', epoch: one.epoch, after: 0 };
      await store.append({ ...position, session: { name: 's', changes: changes(1, 2, 3) } }, []);
      const append = (conversation: 'one' | 'two', ...versions: readonly number[]): Promise<void> => {
        const { epoch } = { one, two }[conversation];
        const session = { name: 's', changes: changes(...versions) };
        return store.append({ conversation, epoch, after: 0, session }, [note(conversation)]);
      };
      return { store, append };
    }

    test.each([
      ['commits', 'E755', 0],
      ['rolls back', undefined, 1],
    ] as const)(
      'a shared session is refused a change while another transaction that writes it %s',
      async (end, code, entries) => {
        const { store, append } = await begun(`shared_${end.replace(' ', '_')}`);
        const tx = await held();
        await tx.client.query(
          `INSERT INTO shared_${end.replace(' ', '_')}.session_changes
          (tenant, name, version, previous, conversation, epoch, sum, delta) VALUES ('', 's', 4, 3, 'other', 1, '', '{}')`,
        );
        const appending = append('two', 4).then(
          () => undefined,
          (error: unknown) => (error as { readonly code?: string }).code,
        );
        await lockIsAwaited();
        await (end === 'commits' ? tx.commit() : tx.rollback());
        expect(await appending).toBe(code);
        expect(await store.entries('two')).toHaveLength(entries);
      },
    );

    const insertTwoChanges = (schema: string): string =>
      `INSERT INTO ${schema}.session_changes (tenant, name, version, previous, conversation, epoch, sum, delta)
        VALUES ('', 's', 4, 3, 'other', 1, '', '{}'), ('', 's', 5, 4, 'other', 1, '', '{}')`;

    test('a session that is deleted while a change is added goes with that change', async () => {
      const { store, append } = await begun('shared_delete');
      const tx = await held();
      await tx.client.query(insertTwoChanges('shared_delete'));
      const deleting = store.deleteSession('s');
      await lockIsAwaited();
      await tx.commit();
      await deleting;
      expect((await postgres.pool.query('SELECT version FROM shared_delete.session_changes')).rows).toEqual([]);
      await append('two', 1);
    });

    test('a session that is cleared while a change is added is cleared after that change', async () => {
      const { store, append } = await begun('shared_clear');
      const tx = await held();
      await tx.client.query(insertTwoChanges('shared_clear'));
      const clearing = store.clearSession('s');
      await lockIsAwaited();
      await tx.commit();
      await clearing;
      expect(await store.sessionChanges('s')).toEqual([{ version: 6, delta: { cleared: true } }]);
      await append('two', 7);
    });

    test('a shared session takes no change after one that is being deleted', async () => {
      const { store, append } = await begun('shared_gone');
      const tx = await held();
      await tx.client.query("DELETE FROM shared_gone.session_changes WHERE name = 's'");
      const appending = expect(append('two', 4)).rejects.toMatchObject({ code: 'E755' });
      await lockIsAwaited();
      await tx.commit();
      await appending;
      expect(await store.sessionChanges('s')).toEqual([]);
      expect(await store.entries('two')).toEqual([]);
    });
  });

  test('PostgresRuns gives tables of version 2 tenants, and fails the runs that wait: E748', async () => {
    const [, before = ''] =
      /^(DO \$\$ BEGIN[^]*?)IF NOT EXISTS \(SELECT FROM old\.migrations WHERE version = 3\)/.exec(
        PostgresRuns.migration('old'),
      ) ?? [];
    await postgres.pool.query(`${before} END $$`);
    await postgres.pool.query(rowsOfVersion2('old.'));
    await expectUpgraded(new PostgresRuns(postgres.pool, { schema: 'old' }));
  });

  test.each(['', 'A', 'a-b', 'a; DROP TABLE x', '"a"', '1a', 'a'.repeat(64)])(
    'PostgresRuns refuses the schema %j: E709',
    (schema) => {
      expect(() => new PostgresRuns(postgres.pool, { schema })).toThrow(/E709 PostgresRuns, option schema/);
    },
  );

  test('PostgresRuns refuses options that it does not have: E413', () => {
    expect(() => new PostgresRuns(postgres.pool, { scheme: 'x' } as object)).toThrow(/schema/);
  });

  test('PostgresRuns refuses a conversation without an id: E709', async () => {
    await expect(new PostgresRuns(postgres.pool).open('')).rejects.toThrow(/E709 PostgresRuns: expected the id/);
  });

  test('an append whose acknowledgement is lost is repeated, and there once', async () => {
    // To open a log reads its state first.
    const client = failing(undefined, undefined, 'after');
    const store = new PostgresRuns(client, { schema: 'lost' });
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, [note('a'), note('b')]);
    expect(await store.entries('c')).toEqual([note('a'), note('b')]);
    expect(client.asked.filter((each) => each === 'WITH l')).toHaveLength(2);
  });

  test.each([
    ['40001', 'a conflict'],
    ['57P01', 'a shutdown'],
    ['08006', 'a lost connection'],
    ['ECONNREFUSED', 'a server that is not there'],
    ['ENOENT', 'a socket that is not there yet'],
  ])('%s, %s, passes: the statement is repeated', async (code) => {
    const error = Object.assign(new Error('passes'), { code, syscall: 'connect' });
    const store = new PostgresRuns(failing(error, error), { schema: 'passes' });
    expect(await store.entries('c')).toEqual([]);
  });

  test('any other fault is E709 at once, with what the database said', async () => {
    const client = failing(Object.assign(new Error('permission denied for table logs'), { code: '42501' }));
    const store = new PostgresRuns(client, { schema: 'denied' });
    await expect(store.list()).rejects.toThrow(
      /E709 .*refused the statement conversations: permission denied for table logs/s,
    );
    expect(client.asked).toHaveLength(3);
  });

  test('a reply whose acknowledgement is lost is not repeated, since a second one would come too late', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'replies' });
    const { epoch } = await store.open('c');
    const question: RunEntry = {
      kind: 'question',
      id: 'q-1',
      call: '1.0',
      name: 'ship',
      arguments: {},
      about: 'approval',
      askedAt: 1,
    };
    await store.append({ conversation: 'c', epoch, after: 0 }, [question]);
    // The log and its entries are read first.
    const client = failing(undefined, undefined, 'after');
    const lossy = new PostgresRuns(client, { schema: 'replies' });
    await expect(lossy.reply('c', 'q-1', { kind: 'approved' })).rejects.toThrow(/E709/);
    expect(client.asked.filter((each) => each === 'WITH l')).toHaveLength(1);
    expect(await store.entries('c', 1)).toHaveLength(1);
  });

  test('a server that crashes between and during appends loses none of them, and doubles none', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'crashes' });
    const { epoch } = await store.open('c');
    let crashed: Promise<void> | undefined;
    for (let count = 0; count < 200; count++) {
      if (count === 50) crashed = postgres.server.crash();
      await store.append({ conversation: 'c', epoch, after: count }, [note(String(count))]);
    }
    await crashed;
    expect(await store.entries('c')).toEqual(Array.from({ length: 200 }, (_none, count) => note(String(count))));
  }, 60_000);

  test('a conversation continues in another application, with all that was said', async () => {
    class Desk {}
    Section({ title: 'Desk', template: 'You help.' })(Desk);
    const Help = definePrompt({ ns: 'test', key: 'help', sections: [Desk] });
    const requests: number[] = [];
    for (const content of ['One', 'Two', 'Three']) {
      const app = await createApplication({ prompts: [Help], logger: silent });
      const conversation = await Conversation.open(new PostgresRuns(postgres.pool, { schema: 'talks' }), 'c');
      const adapter = new ScriptedModel([{ text: `${content}!` }]);
      await app.evaluate(app.prompt(Help), {
        adapter,
        session: new Session(),
        conversation,
        messages: [{ role: 'user', content }],
      });
      requests.push(adapter.requests[0]?.messages.length ?? 0);
      await app.close();
    }
    expect(requests).toEqual([2, 4, 6]);
  });

  test('prune deletes what was not written to since a time', async () => {
    const store = new PostgresRuns(postgres.pool, { schema: 'prunes' });
    await store.open('old');
    await postgres.pool.query("UPDATE prunes.logs SET written = now() - interval '2 days'");
    await store.open('new');
    expect(await store.prune(new Date(Date.now() - 86_400_000))).toBe(1);
    expect(await store.list()).toEqual(['new']);
  });

  test('partition: a process behind a proxy that drops cannot write, another one goes on, and the first is refused when it is back', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-proxy-'));
    const { host, ...rest } = postgres.server.connection;
    const proxy = await proxyTo(join(host, '.s.PGSQL.5432'), join(folder, '.s.PGSQL.5432'));
    // Beforehand: with its tables to create, a first statement may take longer than the timeout.
    await postgres.pool.query(PostgresRuns.migration('partition'));
    const behind = new Pool({ ...rest, host: folder, query_timeout: 300, max: 1 });
    behind.on('error', () => undefined);
    try {
      const [first, second] = [behind, postgres.pool].map((pool) => new PostgresRuns(pool, { schema: 'partition' }));
      const { epoch } = await first!.open('c');
      await first!.append({ conversation: 'c', epoch, after: 0 }, [note('a')]);
      proxy.drop();
      const append = () => first!.append({ conversation: 'c', epoch, after: 1 }, [note('b')]);
      const lost = append().catch((error: unknown) => error);
      const opened = await second!.open('c');
      expect(opened.entries).toEqual([note('a')]);
      await second!.append({ conversation: 'c', epoch: opened.epoch, after: 1 }, [note('other')]);
      expect(await lost).toMatchObject({ code: 'E709' });
      proxy.heal();
      await expect(append()).rejects.toMatchObject({
        code: 'E709',
        message: expect.stringContaining('another writer has opened the log') as string,
      });
      expect(await second!.entries('c')).toEqual([note('a'), note('other')]);
    } finally {
      proxy.close();
      await behind.end();
      rmSync(folder, { recursive: true, force: true });
    }
  }, 60_000);
});
