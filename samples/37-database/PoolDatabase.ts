import type { BeginOptions, Transactional } from 'toolwright';
import { Sql } from './Sql';

/** A connection, as `pg` gives it. */
export interface Connection {
  query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }>;
  release(): void;
}

/** A pool of connections, such as `new pg.Pool(…)`. */
export interface Pool {
  connect(): Promise<Connection>;
}

/** A database behind a pool. Each tool call that uses it gets a transaction of its own. */
export class PoolDatabase extends Sql implements Transactional<PoolTransaction> {
  constructor(private readonly pool: Pool) {
    super();
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    const connection = await this.pool.connect();
    try {
      return (await connection.query(text, [...values])).rows as Row[];
    } finally {
      connection.release();
    }
  }

  async begin({ readOnly }: BeginOptions): Promise<PoolTransaction> {
    const connection = await this.pool.connect();
    try {
      await connection.query(`BEGIN ISOLATION LEVEL SERIALIZABLE ${readOnly ? 'READ ONLY' : 'READ WRITE'}`);
      return new PoolTransaction(connection);
    } catch (error) {
      connection.release();
      throw error;
    }
  }

  // Called after success and failure of the handler, so that a call counts as a conflict if the database refused it.
  conflicts(transaction: PoolTransaction): boolean {
    return transaction.isConflicted;
  }

  async commit({ connection }: PoolTransaction): Promise<'conflicted' | undefined> {
    try {
      await connection.query('COMMIT');
      return undefined;
    } catch (error) {
      if (isConflict(error)) return 'conflicted';
      throw error;
    } finally {
      connection.release();
    }
  }

  async rollback({ connection }: PoolTransaction): Promise<void> {
    try {
      await connection.query('ROLLBACK');
    } finally {
      connection.release();
    }
  }
}

/** The transaction of one call. A call that its handler makes is a savepoint in it. */
export class PoolTransaction extends Sql implements Transactional<PoolTransaction> {
  isConflicted = false;
  private savepoints = 0;

  constructor(
    readonly connection: Connection,
    private readonly savepoint = '',
  ) {
    super();
  }

  async query<Row>(text: string, values: readonly unknown[] = []): Promise<readonly Row[]> {
    try {
      return (await this.connection.query(text, [...values])).rows as Row[];
    } catch (error) {
      this.isConflicted ||= isConflict(error);
      throw error;
    }
  }

  async begin(): Promise<PoolTransaction> {
    const inner = new PoolTransaction(this.connection, `s${this.savepoint}${String(++this.savepoints)}`);
    await this.connection.query(`SAVEPOINT ${inner.savepoint}`);
    return inner;
  }

  async commit({ savepoint }: PoolTransaction): Promise<void> {
    await this.connection.query(`RELEASE SAVEPOINT ${savepoint}`);
  }

  async rollback({ savepoint }: PoolTransaction): Promise<void> {
    await this.connection.query(`ROLLBACK TO SAVEPOINT ${savepoint}`);
  }
}

/** Recognises PostgreSQL's errors for transactions that cannot be serialized, or that wait for each other. */
function isConflict(error: unknown): boolean {
  return ['40001', '40P01'].includes((error as { code?: string }).code ?? '');
}
