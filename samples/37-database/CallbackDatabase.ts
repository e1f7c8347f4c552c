import type { Transactional } from 'toolwright';
import { Sql } from './Sql';

/** The transaction that a library passes to a callback: it commits when the callback ends, and rolls back when that throws. */
export interface CallbackTransaction {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A library that takes a callback, as `prisma.$transaction` does, or `drizzle`'s `db.transaction`. */
export interface CallbackClient {
  transaction<R>(run: (transaction: CallbackTransaction) => Promise<R>): Promise<R>;
}

class Undone extends Error {}

/** Holds the callback of a transaction open until its tool call has ended. */
export class CallbackDatabase extends Sql implements Transactional<HeldTransaction> {
  constructor(private readonly client: CallbackClient) {
    super();
  }

  query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return this.client.transaction(async (transaction) => (await transaction.query(text, [...values])).rows as Row[]);
  }

  async begin(): Promise<HeldTransaction> {
    return new Promise((resolve, reject) => {
      const ended = this.client.transaction(
        (transaction) =>
          new Promise<void>((commit, undo) => {
            const end = (isKept: boolean) => (isKept ? commit() : undo(new Undone()));
            resolve(new HeldTransaction(transaction, (isKept) => (end(isKept), ended)));
          }),
      );
      ended.catch(reject);
    });
  }

  async commit(held: HeldTransaction): Promise<void> {
    await held.end(true);
  }

  async rollback(held: HeldTransaction): Promise<void> {
    await held.end(false).catch((error: unknown) => {
      if (!(error instanceof Undone)) throw error;
    });
  }
}

/** The transaction of one call, and of the calls that its handler makes: there are no savepoints. */
export class HeldTransaction extends Sql {
  constructor(
    private readonly transaction: CallbackTransaction,
    readonly end: (isKept: boolean) => Promise<void>,
  ) {
    super();
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await this.transaction.query(text, [...values])).rows as Row[];
  }
}
