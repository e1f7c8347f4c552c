// Kysely: a repository asks for the client of the call with each operation.
import { Injectable, Module } from '@nestjs/common';
import { Kysely, PostgresDialect, sql, type Generated, type Transaction } from 'kysely';
import { Pool } from 'pg';
import { callTransaction } from 'toolwright';
import { check, Orders, TX, type Connection } from './contract.js';

interface Tables {
  orders: { id: Generated<number>; item: string; needs: number | null };
}

const pool = new Pool(JSON.parse(process.argv[2] ?? '') as Connection);
const database = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) });

export const tx = callTransaction<Transaction<Tables>>({
  run: (work, { readOnly }) =>
    database
      .transaction()
      .setAccessMode(readOnly ? 'read only' : 'read write')
      .execute(async (client) => {
        await work(client);
        await sql`SET CONSTRAINTS ALL IMMEDIATE`.execute(client);
      }),
  savepoint: async (client, work) => {
    await sql`SAVEPOINT inner_call`.execute(client);
    try {
      await work(client);
      await sql`RELEASE SAVEPOINT inner_call`.execute(client);
    } catch (error) {
      await sql`ROLLBACK TO SAVEPOINT inner_call`.execute(client);
      throw error;
    }
  },
});

// ---
@Injectable()
class KyselyOrders extends Orders {
  get #client(): Kysely<Tables> {
    return tx.current() ?? database;
  }

  async add(item: string, needs?: number): Promise<void> {
    await this.#client
      .insertInto('orders')
      .values({ item, needs: needs ?? null })
      .execute();
  }

  async items(): Promise<readonly string[]> {
    const rows = await this.#client.selectFrom('orders').select('item').orderBy('id').execute();
    return rows.map(({ item }) => item);
  }
}

await check(() => {
  @Module({
    providers: [
      { provide: TX, useValue: tx },
      { provide: Orders, useClass: KyselyOrders },
    ],
    exports: [TX, Orders],
  })
  class DatabaseModule {
    onApplicationShutdown = (): Promise<void> => database.destroy();
  }
  return DatabaseModule;
});
