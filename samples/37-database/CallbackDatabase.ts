import { callTransaction } from 'toolwright';
import type { CallTransactionBinding } from 'toolwright/resources';
import { Sql } from './Sql';

/** The transaction that a library passes to a callback: it commits when the callback ends, and rolls back when that throws. */
export interface CallbackTransaction {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
}

/** A library that takes a callback, as `prisma.$transaction` does, or `drizzle`'s `db.transaction`. */
export interface CallbackClient extends CallbackTransaction {
  transaction<R>(run: (transaction: CallbackTransaction) => Promise<R>): Promise<R>;
}

/** Repositories find the transaction of the call that is running; outside of calls, the database itself. */
export class CallbackDatabase extends Sql {
  /** Belongs to the resources of the application. */
  readonly calls: CallTransactionBinding<CallbackTransaction>;

  constructor(private readonly client: CallbackClient) {
    super();
    this.calls = callTransaction<CallbackTransaction>({
      run: (work, { readOnly }) =>
        client.transaction(async (transaction) => {
          if (readOnly) await transaction.query('SET TRANSACTION READ ONLY');
          await work(transaction);
          // PostgreSQL ends a transaction in which a statement has failed with a silent ROLLBACK: this fails instead.
          await transaction.query('SET CONSTRAINTS ALL IMMEDIATE');
        }),
    });
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    return (await (this.calls.current() ?? this.client).query(text, [...values])).rows as Row[];
  }
}
