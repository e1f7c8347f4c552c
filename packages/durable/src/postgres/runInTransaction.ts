import type { SqlClient, SqlPool } from 'toolwright/resources';
import { HeldConnection, isPool } from 'toolwright/internal';

/** The transactions of PGlite. */
interface SqlTransactions extends SqlClient {
  transaction<T>(work: (tx: SqlClient) => Promise<T>): Promise<T>;
}

/** The transaction that each single connection is in. */
const waiting = new WeakMap<SqlClient, Promise<unknown>>();

/**
 * Runs work in a transaction, on a connection of a pool or on a single connection. Rolls back if the work fails.
 *
 * @throws the error of the work or the database
 */
export async function runInTransaction<T>(client: SqlClient, work: (tx: SqlClient) => Promise<T>): Promise<T> {
  if (hasTransactions(client)) return client.transaction(work);
  if (isPool(client)) return runInConnection(client, work);
  const before = waiting.get(client) ?? Promise.resolve();
  const result = before.then(() => runBetween(client, work));
  waiting.set(
    client,
    result.catch(() => undefined),
  );
  return result;
}

async function runInConnection<T>(pool: SqlPool, work: (tx: SqlClient) => Promise<T>): Promise<T> {
  const held = await HeldConnection.begin(pool, ['BEGIN']);
  try {
    const result = await work(held.client);
    await held.commit();
    return result;
  } catch (error) {
    await held.rollback();
    throw error;
  }
}

async function runBetween<T>(connection: SqlClient, work: (tx: SqlClient) => Promise<T>): Promise<T> {
  await connection.query('BEGIN');
  try {
    const result = await work(connection);
    await connection.query('COMMIT');
    return result;
  } catch (error) {
    await connection.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function hasTransactions(client: SqlClient): client is SqlTransactions {
  return typeof (client as Partial<SqlTransactions>).transaction === 'function';
}
