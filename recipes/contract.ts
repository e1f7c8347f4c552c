// The contract of every recipe: tools of one shop work on its repository, and another connection sees the right rows after each call.
import assert from 'node:assert/strict';
import 'reflect-metadata';
import { Injectable, Module, type ModuleMetadata } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IsOptional } from 'class-validator';
import { Pool } from 'pg';
import {
  type Application,
  Field,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  type ToolOutcome,
  ToolRefusal,
} from 'toolwright';
import type { ResourceBinding } from 'toolwright/resources';
import { Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { rehearse } from 'toolwright/own-loop';

/** The service that the shop injects. It has repositories and does not know about calls. */
export abstract class Orders {
  abstract add(item: string, needs?: number): Promise<void>;
  abstract items(): Promise<readonly string[]>;
  /** Notes an order. An ORM that collects changes writes it later. */
  note(item: string): Promise<void> {
    return this.add(item);
  }
}

class ItemParams {
  @IsOptional() @Param('The item') item: string = 'pen';
}

class Ordered {
  @Field('The item') item!: string;
}

const wait = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));
const inner = (name: string, id = name) => ({ id, name, arguments: {} });

@Injectable()
@Section({ key: 'orders', title: 'Orders' })
export class OrdersSection {
  /** Resolves handlers that outlive their calls. */
  static late: Promise<unknown> = Promise.resolve();

  constructor(private readonly orders: Orders) {}

  @Tool({ description: 'Orders.', hints: { openWorld: false } })
  async order({ item }: ItemParams): Promise<Ordered> {
    await this.orders.add(item);
    await this.orders.note(`${item} 2`);
    return { item };
  }

  @Tool({ description: 'Answers with another form than it declares.', result: Ordered, hints: { openWorld: false } })
  async misfit({ item }: ItemParams): Promise<Ordered> {
    await this.orders.add(item);
    await this.orders.note(`${item} 2`);
    return { itm: item } as never;
  }

  @Tool({ description: 'Throws.', hints: { openWorld: false } })
  async fail({ item }: ItemParams): Promise<void> {
    await this.orders.add(item);
    await this.orders.note(`${item} 2`);
    throw new ToolRefusal('No.');
  }

  @Tool({ description: 'Orders twice.', hints: { openWorld: false } })
  async twice({ item }: ItemParams): Promise<void> {
    await this.orders.add(item);
    await this.orders.add(item);
  }

  @Tool({ description: 'Orders twice, later.', hints: { openWorld: false } })
  async twiceLater({ item }: ItemParams): Promise<string> {
    await this.orders.note(item);
    await this.orders.note(item);
    return 'Ordered.';
  }

  @Tool({ description: 'Swallows what the database refuses.', hints: { openWorld: false } })
  async swallow({ item }: ItemParams): Promise<string> {
    await this.orders.add(item);
    await this.orders.add(item).catch(() => undefined);
    return 'Ordered.';
  }

  @Tool({ description: 'Needs an order that is not there.', hints: { openWorld: false } })
  async orphan({ item }: ItemParams): Promise<string> {
    await this.orders.add(item, 0);
    return 'Ordered.';
  }

  @Tool({ description: 'Orders at once.', hints: { openWorld: false } })
  async several({ item }: ItemParams): Promise<number> {
    await Promise.all([1, 2, 3].map((number) => this.orders.add(`${item} ${String(number)}`)));
    return (await this.orders.items()).length;
  }

  @Tool({ description: 'Goes on after its time.', timeoutMs: 500, hints: { openWorld: false } })
  slow({ item }: ItemParams): Promise<void> {
    const working = (async () => {
      await this.orders.add(item);
      await wait(900);
      await this.orders.add(`${item} late`);
    })();
    OrdersSection.late = working.catch((error: unknown) => error);
    return working;
  }

  @Tool({ description: 'Goes on for long after its time.', timeoutMs: 500, hints: { openWorld: false } })
  slower({ item }: ItemParams): Promise<void> {
    const working = (async () => {
      await this.orders.add(item);
      await wait(2_500);
      await this.orders.add(`${item} late`);
    })();
    OrdersSection.late = working.catch((error: unknown) => error);
    return working;
  }

  @Tool({ description: 'Calls others.', hints: { openWorld: false } })
  async outer({ item }: ItemParams, context: ToolContext): Promise<string[]> {
    await this.orders.add(`${item} before`);
    const failed = await context.callTool(inner('twice'));
    const looks = await Promise.all(['1', '2', '3'].map((id) => context.callTool(inner('look', id))));
    const ordered = await context.callTool(inner('several'));
    await this.orders.add(`${item} after`);
    return [failed, ...looks, ordered].map(({ kind }) => kind);
  }

  @Tool({ description: 'Lists orders.', hints: { readOnly: true } })
  look(): Promise<readonly string[]> {
    return this.orders.items();
  }

  @Tool({ description: 'Says that it only reads.', hints: { readOnly: true } })
  pretend({ item }: ItemParams): Promise<void> {
    return this.orders.add(item);
  }
}

@Prompt({ ns: 'recipes', key: 'shop', sections: [OrdersSection] })
export class Shop {}

/** The address of the database. */
export interface Connection {
  readonly host: string;
  readonly user: string;
  readonly database: string;
}

const TABLE = `CREATE TABLE orders (id serial PRIMARY KEY, item text NOT NULL UNIQUE,
  needs int REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED)`;

/**
 * Runs the shop in a Nest application with the module of a recipe.
 *
 * @param recipe creates the module, which exports its `Orders` and `TX`
 */
export async function check(
  recipe: (connection: Connection) => NonNullable<ModuleMetadata['imports']>[number],
): Promise<void> {
  const connection = JSON.parse(process.argv[2] ?? '') as Connection;
  const pool = new Pool(connection);
  await pool.query(`DROP TABLE IF EXISTS orders; ${TABLE}`);
  const database = recipe(connection);

  @Module({
    imports: [
      database,
      ToolwrightModule.forRootAsync({
        imports: [database],
        inject: [TX],
        useFactory: (tx: ResourceBinding) => ({
          resources: [tx],
          logger: { debug() {}, info() {}, warn() {}, error() {} },
        }),
      }),
    ],
    providers: [OrdersSection, Shop],
  })
  class AppModule {}

  const nest = await NestFactory.createApplicationContext(AppModule, { logger: ['error', 'warn'] });
  await checkCalls(nest.get(Toolwright).app, nest.get(Orders), pool);
  await nest.close();
  await pool.end();
  console.log('kept');
}

/** The token of the transaction of a call. */
export const TX = Symbol('TX');

async function checkCalls(app: Application, orders: Orders, pool: Pool): Promise<void> {
  const session = new Session();
  const rendered = await app.prompt(Shop).render({ session });
  const call = (name: string, item = 'pen', signal?: AbortSignal): Promise<ToolOutcome> =>
    app.callTool(rendered, { id: name, name, arguments: name === 'look' ? {} : { item } }, { session, signal });
  const rows = async (): Promise<readonly string[]> =>
    (await pool.query<{ item: string }>('SELECT item FROM orders ORDER BY item')).rows.map(({ item }) => item);
  const empty = async (what: string): Promise<void> => {
    assert.deepEqual(await rows(), [], what);
    const open = "SELECT count(*)::int AS count FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'";
    assert.deepEqual((await pool.query(open)).rows, [{ count: 0 }], `${what}: a transaction is open`);
  };

  const { outcome } = await rehearse(app, rendered, { id: 'r', name: 'order', arguments: {} }, { session });
  assert.equal(outcome.kind, 'succeeded', outcome.text);
  await empty('rehearsal');
  for (const name of ['misfit', 'fail', 'twice', 'twice_later', 'swallow', 'orphan', 'pretend']) {
    const { kind, text, ...ended } = await call(name);
    assert.equal(kind, 'failed', `${name}: ${text}`);
    assert.notEqual((ended as { rolledBack?: boolean }).rolledBack, false, `${name}: ${text}`);
    await empty(name);
  }
  assert.equal((await call('slow')).kind, 'timed_out');
  await OrdersSection.late;
  await empty('slow');
  const stop = new AbortController();
  setTimeout(() => stop.abort(new TypeError('gone')), 150);
  await assert.rejects(call('slow', 'pen', stop.signal), /gone/);
  await OrdersSection.late;
  await empty('cancelled');
  assert.equal((await call('slower')).kind, 'timed_out');
  await empty('slower');
  assert.ok((await OrdersSection.late) instanceof Error, 'a handler that outlives its rollback is refused');
  await empty('slower, late');

  const parallel = await Promise.all([call('order', 'a'), call('fail', 'b'), call('order', 'c'), call('look')]);
  assert.deepEqual(
    parallel.map(({ kind }) => kind),
    ['succeeded', 'failed', 'succeeded', 'succeeded'],
  );
  assert.deepEqual(await rows(), ['a', 'a 2', 'c', 'c 2']);
  await pool.query('TRUNCATE orders');
  const { text } = await call('several');
  assert.equal(text, '3');
  assert.deepEqual(await rows(), ['pen 1', 'pen 2', 'pen 3']);
  await pool.query('TRUNCATE orders');
  const nested = await call('outer');
  assert.equal(nested.text, JSON.stringify(['failed', 'succeeded', 'succeeded', 'succeeded', 'succeeded']));
  assert.deepEqual(await rows(), ['pen 1', 'pen 2', 'pen 3', 'pen after', 'pen before']);
  // The service also works outside calls.
  await orders.add('counter');
  assert.ok((await rows()).includes('counter'));
  assert.ok((await orders.items()).includes('counter'));
}
