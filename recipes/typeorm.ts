// TypeORM: injected repositories stay as they are.
import { Injectable, Module } from '@nestjs/common';
import { getDataSourceToken, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import { callTransaction } from 'toolwright';
import type { CallTransactionBinding } from 'toolwright/resources';
import { Column, Entity, PrimaryGeneratedColumn, type DataSource, type EntityManager, type Repository } from 'typeorm';
import { check, Orders, TX } from './contract.js';

export function openTransactions(dataSource: DataSource): CallTransactionBinding<EntityManager> {
  const tx = callTransaction<EntityManager>({
    run: (work, { readOnly }) =>
      dataSource.transaction(async (manager) => {
        if (readOnly) await manager.query('SET TRANSACTION READ ONLY');
        await work(manager);
        await manager.query('SET CONSTRAINTS ALL IMMEDIATE');
      }),
    savepoint: (manager, work) => manager.transaction(work),
  });
  // A repository asks its `manager` for each operation.
  for (const { target } of dataSource.entityMetadatas)
    Object.defineProperty(dataSource.getRepository(target), 'manager', {
      get: () => tx.current() ?? dataSource.manager,
    });
  return tx;
}

// ---
@Entity('orders')
class Order {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text', unique: true }) item!: string;
  @Column({ type: 'int', nullable: true }) needs!: number | null;
}

@Injectable()
class TypeOrmOrders extends Orders {
  constructor(@InjectRepository(Order) private readonly orders: Repository<Order>) {
    super();
  }

  async add(item: string, needs?: number): Promise<void> {
    await this.orders.save({ item, needs: needs ?? null });
  }

  async items(): Promise<readonly string[]> {
    return (await this.orders.find({ order: { id: 'ASC' } })).map(({ item }) => item);
  }
}

await check(({ host, user, database }) => {
  const transactions = { provide: TX, inject: [getDataSourceToken()], useFactory: openTransactions };
  @Module({
    imports: [
      TypeOrmModule.forRoot({ type: 'postgres', host, username: user, database, entities: [Order] }),
      TypeOrmModule.forFeature([Order]),
    ],
    providers: [transactions, { provide: Orders, useClass: TypeOrmOrders }],
    exports: [TX, Orders],
  })
  class DatabaseModule {}
  return DatabaseModule;
});
