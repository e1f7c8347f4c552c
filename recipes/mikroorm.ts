// MikroORM: its own async context finds the entity manager of the call, so that services stay as they are.
import { Inject, Injectable, Module } from '@nestjs/common';
import { defineEntity, EntityManager, MikroORM, p } from '@mikro-orm/postgresql';
import { callTransaction } from 'toolwright';
import type { CallTransactionBinding } from 'toolwright/resources';
import { check, Orders, TX } from './contract.js';

export async function openTransactions(orm: MikroORM): Promise<CallTransactionBinding<EntityManager>> {
  const tx = callTransaction<EntityManager>({
    run: (work, { readOnly }) =>
      orm.em.fork().transactional(
        async (em) => {
          await work(em);
          await em.flush();
          await em.execute('SET CONSTRAINTS ALL IMMEDIATE');
        },
        { readOnly },
      ),
    savepoint: (em, work) => em.transactional(work),
  });
  // Services have an entity manager that does not ask for the call: this refuses the statements of one that outlives its call.
  const pool = await orm.em.getConnection().getNativeClient();
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown;
    client.query = ((...args: unknown[]) => (tx.current(), query(...args))) as typeof client.query;
  });
  return tx;
}

// ---
const Order = defineEntity({
  name: 'Order',
  tableName: 'orders',
  properties: { id: p.integer().primary(), item: p.text().unique(), needs: p.integer().nullable() },
});

@Injectable()
class MikroOrders extends Orders {
  constructor(@Inject(EntityManager) private readonly em: EntityManager) {
    super();
  }

  async add(item: string, needs?: number): Promise<void> {
    await this.em.insert(Order, { item, needs: needs ?? null });
  }

  override async note(item: string): Promise<void> {
    this.em.persist(this.em.create(Order, { item }));
  }

  async items(): Promise<readonly string[]> {
    return (await this.em.find(Order, {}, { orderBy: { id: 'asc' } })).map(({ item }) => item);
  }
}

await check(({ host, user, database }) => {
  @Module({
    providers: [
      {
        provide: MikroORM,
        useFactory: () =>
          MikroORM.init({
            host,
            user,
            dbName: database,
            entities: [Order],
            allowGlobalContext: true,
            ensureDatabase: false,
          }),
      },
      { provide: EntityManager, inject: [MikroORM], useFactory: ({ em }: MikroORM) => em },
      { provide: TX, inject: [MikroORM], useFactory: openTransactions },
      { provide: Orders, useClass: MikroOrders },
    ],
    exports: [TX, Orders],
  })
  class DatabaseModule {
    constructor(@Inject(MikroORM) private readonly orm: MikroORM) {}
    onApplicationShutdown = (): Promise<void> => this.orm.close();
  }
  return DatabaseModule;
});
