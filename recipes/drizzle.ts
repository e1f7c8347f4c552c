// Drizzle: a repository asks for the client of the call with each operation.
import { Injectable, Module } from '@nestjs/common';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, serial, text } from 'drizzle-orm/pg-core';
import { Pool } from 'pg';
import { callTransaction } from 'toolwright';
import { check, Orders, TX, type Connection } from './contract.js';

const pool = new Pool(JSON.parse(process.argv[2] ?? '') as Connection);
const database = drizzle({ client: pool });

type Client = Parameters<Parameters<typeof database.transaction>[0]>[0];

export const tx = callTransaction<Client>({
  run: (work, { readOnly }) =>
    database.transaction(
      async (client) => {
        await work(client);
        await client.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
      },
      { accessMode: readOnly ? 'read only' : 'read write' },
    ),
  savepoint: (client, work) => client.transaction(work),
});

// ---
const orders = pgTable('orders', { id: serial().primaryKey(), item: text().notNull(), needs: integer() });

@Injectable()
class DrizzleOrders extends Orders {
  get #client(): Client | typeof database {
    return tx.current() ?? database;
  }

  async add(item: string, needs?: number): Promise<void> {
    await this.#client.insert(orders).values({ item, needs });
  }

  async items(): Promise<readonly string[]> {
    return (await this.#client.select().from(orders).orderBy(orders.id)).map(({ item }) => item);
  }
}

await check(() => {
  @Module({
    providers: [
      { provide: TX, useValue: tx },
      { provide: Orders, useClass: DrizzleOrders },
    ],
    exports: [TX, Orders],
  })
  class DatabaseModule {
    onApplicationShutdown = (): Promise<void> => pool.end();
  }
  return DatabaseModule;
});
