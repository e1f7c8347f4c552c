// Your database: each tool call is a transaction of PostgreSQL, beside the session and everything else that is rolled back.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { PGlite } from '@electric-sql/pglite';
import {
  type Application,
  bind,
  createApplication,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolRefusal,
} from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { IsInt, Min } from 'class-validator';
import { CallbackDatabase } from './CallbackDatabase';
import { PoolDatabase, type Connection, type Pool } from './PoolDatabase';
import { Sql } from './Sql';

class Sold {
  constructor(readonly item: string) {}
}

class ItemParams {
  @Param('The item') item!: string;
}

class OrderParams extends ItemParams {
  @IsInt() @Min(1) @Param('How many') quantity!: number;
}

@Section({ title: 'Orders' })
class OrderSection {
  // `openWorld: false`: everything that it changes is rolled back with it, so a conflict is tried again.
  @Tool({ description: 'Orders an item.', hints: { openWorld: false } })
  async order({ item, quantity }: OrderParams, { resources, session }: ToolContext): Promise<string> {
    const sql = await resources.resolve(Sql);
    await sql.query('INSERT INTO orders (item, quantity) VALUES ($1, $2)', [item, quantity]);
    const [left] = await sql.query<{ quantity: number }>(
      'UPDATE stock SET quantity = quantity - $2 WHERE item = $1 RETURNING quantity',
      [item, quantity],
    );
    session.dispatch(new Sold(item));
    if (left === undefined || left.quantity < 0) throw new ToolRefusal(`There are not ${String(quantity)} of ${item}.`);
    return `Ordered. ${String(left.quantity)} are left.`;
  }

  @Tool({ description: 'Shows the stock of an item.', hints: { readOnly: true } })
  async stock({ item }: ItemParams, { resources }: ToolContext): Promise<unknown> {
    const sql = await resources.resolve(Sql);
    return sql.query('SELECT quantity FROM stock WHERE item = $1', [item]);
  }
}

@Prompt({ ns: 'samples', key: 'orders', sections: [OrderSection] })
class Orders {}

/** PostgreSQL within this process, which has one connection. In production: `new pg.Pool({ connectionString })`. */
class OneConnection implements Pool {
  private last: Promise<void> = Promise.resolve();

  constructor(private readonly postgres: PGlite) {}

  async connect(): Promise<Connection> {
    const before = this.last;
    let release = (): void => {};
    this.last = new Promise((resolve) => (release = resolve));
    await before;
    return { query: (text, values) => this.postgres.query(text, values), release };
  }
}

async function order(app: Application, session: Session, item: string, quantity: number): Promise<string> {
  const rendered = await app.prompt(Orders).render({ session });
  const { kind, text } = await app.invoke(rendered, 'order', { item, quantity }, { session });
  console.log(`${kind}: ${text}`);
  return kind;
}

async function main(): Promise<void> {
  await using postgres = new PGlite();
  await postgres.exec(`
    CREATE TABLE stock (item text PRIMARY KEY, quantity int NOT NULL);
    CREATE TABLE orders (id serial PRIMARY KEY, item text NOT NULL, quantity int NOT NULL);
    INSERT INTO stock VALUES ('pen', 5);
  `);
  const state = async (): Promise<string> => {
    const { rows } = await postgres.query<{ pens: number; orders: number }>(
      "SELECT (SELECT quantity FROM stock WHERE item = 'pen') AS pens, (SELECT count(*)::int FROM orders) AS orders",
    );
    return `${String(rows[0]?.pens)} pens, ${String(rows[0]?.orders)} orders`;
  };
  for (const database of [new PoolDatabase(new OneConnection(postgres)), new CallbackDatabase(postgres)]) {
    console.log(`--- ${database.constructor.name}`);
    const calls = database instanceof CallbackDatabase ? [database.calls] : [];
    const resources = [bind<Sql>(Sql, { value: database }), ...calls];
    await using app = await createApplication({ prompts: [Orders], resources });
    const session = new Session();
    const before = await state();
    console.log(before);
    assert.equal(await order(app, session, 'pen', 9), 'failed');
    assert.equal(await state(), before, 'the refused order left no row, and the stock is as before');
    assert.equal(session.slice(Sold).all().length, 0, 'nor did it leave anything in the session');
    assert.equal(await order(app, session, 'pen', 2), 'succeeded');
    console.log(await state());
    assert.equal(session.slice(Sold).all().length, 1);
  }
  assert.equal(await state(), '1 pens, 2 orders');
  await talk(postgres);
}

/** Conversations in the same database: another process, on another machine, continues them. */
async function talk(postgres: PGlite): Promise<void> {
  console.log('--- PostgresRuns');
  for (const [content, answer] of [
    ['Do you sell pens?', 'Yes, one is left.'],
    ['I take it.', 'It is yours.'],
  ] as const) {
    const database = new PoolDatabase(new OneConnection(postgres));
    await using app = await createApplication({ prompts: [Orders], resources: [bind(Sql, { value: database })] });
    const conversation = await Conversation.open(new PostgresRuns(postgres), 'c-17');
    const known = conversation.messages.length;
    const adapter = new ScriptedModel([{ text: answer }]);
    const messages = [{ role: 'user', content }] as const;
    const { text } = await app.evaluate(app.prompt(Orders), {
      adapter,
      session: new Session(),
      conversation,
      messages,
    });
    console.log(`${String(known)} messages before, ${String(conversation.messages.length)} after: ${String(text)}`);
  }
  const { rows } = await postgres.query<{ count: number }>('SELECT count(*)::int AS count FROM toolwright.entries');
  assert.ok((rows[0]?.count ?? 0) > 4);
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
