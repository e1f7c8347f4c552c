// nestjs-cls: `TransactionHost` and `@Transactional()` find the transaction of the call. Here over TypeORM.
import { Injectable, Module } from '@nestjs/common';
import { getDataSourceToken, TypeOrmModule } from '@nestjs/typeorm';
import { ClsPluginTransactional, Propagation, Transactional, TransactionHost } from '@nestjs-cls/transactional';
import { TransactionalAdapterTypeOrm } from '@nestjs-cls/transactional-adapter-typeorm';
import { ClsModule } from 'nestjs-cls';
import { callTransaction } from 'toolwright';
import { Column, Entity, PrimaryGeneratedColumn, type EntityManager } from 'typeorm';
import { check, Orders, TX } from './contract.js';

const host = (): TransactionHost<TransactionalAdapterTypeOrm> => TransactionHost.getInstance();

export const tx = callTransaction<EntityManager>({
  run: (work, { readOnly }) =>
    host().withTransaction(Propagation.RequiresNew, async () => {
      if (readOnly) await host().tx.query('SET TRANSACTION READ ONLY');
      await work(host().tx);
      await host().tx.query('SET CONSTRAINTS ALL IMMEDIATE');
    }),
  savepoint: (_client, work) => host().withTransaction(Propagation.Nested, () => work(host().tx)),
});

class CallAdapter extends TransactionalAdapterTypeOrm {
  constructor() {
    super({ dataSourceToken: getDataSourceToken() });
    const { optionsFactory } = this;
    // Outside of a transaction, `tx.current()` refuses a handler that outlives its call.
    this.optionsFactory = (dataSource) => {
      const options = optionsFactory(dataSource);
      return {
        ...options,
        wrapWithTransaction: async (...given) => (tx.current(), options.wrapWithTransaction(...given)),
        getFallbackInstance: () => tx.current() ?? dataSource.manager,
      };
    };
  }
}

// ---
@Entity('orders')
class Order {
  @PrimaryGeneratedColumn() id!: number;
  @Column({ type: 'text', unique: true }) item!: string;
  @Column({ type: 'int', nullable: true }) needs!: number | null;
}

@Injectable()
class ClsOrders extends Orders {
  constructor(private readonly host: TransactionHost<TransactionalAdapterTypeOrm>) {
    super();
  }

  @Transactional()
  async add(item: string, needs?: number): Promise<void> {
    await this.host.tx.getRepository(Order).save({ item, needs: needs ?? null });
  }

  async items(): Promise<readonly string[]> {
    return (await this.host.tx.getRepository(Order).find({ order: { id: 'ASC' } })).map(({ item }) => item);
  }
}

await check(({ host, user, database }) => {
  const typeOrm = TypeOrmModule.forRoot({ type: 'postgres', host, username: user, database, entities: [Order] });
  @Module({
    imports: [
      typeOrm,
      ClsModule.forRoot({ plugins: [new ClsPluginTransactional({ imports: [typeOrm], adapter: new CallAdapter() })] }),
    ],
    providers: [
      { provide: TX, useValue: tx },
      { provide: Orders, useClass: ClsOrders },
    ],
    exports: [TX, Orders],
  })
  class DatabaseModule {}
  return DatabaseModule;
});
