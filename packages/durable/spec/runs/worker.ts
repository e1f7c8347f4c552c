// One process of a desk: `node main.js COMMAND JSON`. It is bundled by specs, and ends when its command has, or is killed.
import { writeSync } from 'node:fs';
import type { QuestionReply } from 'toolwright/conversations';
import type { SqlClient } from 'toolwright/resources';
import { runEngineContract } from '@toolwright/contracts';
import type { DurableStore, RunEngine } from '@toolwright/durable';
import { pgBossEngine, pgBossSettings } from '@toolwright/durable/pg-boss';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { openDesk, said, type DeskOptions } from './desk.js';

/** What a process is given. */
export interface WorkerConfig {
  readonly folder: string;
  readonly options?: DeskOptions;
  /** A PostgreSQL database in place of an SQLite file. */
  readonly database?: {
    readonly connection: object;
    /** The module of `pg`. */
    readonly pg: string;
    /** The module of pg-boss, if its engine is to be used. */
    readonly boss?: string;
    readonly heartbeatSeconds?: number;
  };
  /** The message, run and conversation of each run to start. */
  readonly start?: readonly (readonly [message: string, id: string, conversation: string])[];
  readonly reply?: readonly [run: string, question: string, reply: QuestionReply];
}

type PoolClass = new (options: object) => SqlClient & {
  on(event: 'error', listener: () => void): void;
  end(): Promise<void>;
  connect(): Promise<SqlClient & { release(): void }>;
};
type Boss = Parameters<typeof pgBossEngine>[0] & { start(): Promise<unknown>; stop(options: object): Promise<void> };

const [command = '', json = '{}'] = process.argv.slice(2);
const config = JSON.parse(json) as WorkerConfig;
const say = (what: unknown): void => void writeSync(1, `${JSON.stringify(what)}\n`);

const closing: (() => Promise<unknown>)[] = [];

async function poolOf({ pg, connection }: NonNullable<WorkerConfig['database']>) {
  const { default: module } = (await import(pg)) as { readonly default: { readonly Pool: PoolClass } };
  const pool = new module.Pool(connection);
  pool.on('error', () => undefined);
  closing.push(() => pool.end());
  return pool;
}

async function bossOf({ boss = '', connection }: NonNullable<WorkerConfig['database']>): Promise<Boss> {
  const { PgBoss } = (await import(boss)) as { readonly PgBoss: new (options: object) => Boss };
  const started = new PgBoss({ ...connection, max: 8, ...pgBossSettings });
  await started.start();
  closing.unshift(() => started.stop({ graceful: false, close: true }));
  return started;
}

async function storeOf({ folder, database }: WorkerConfig): Promise<DurableStore> {
  if (database !== undefined) return new PostgresRuns(await poolOf(database));
  const store = new SqliteRuns(`${folder}/runs.db`);
  closing.push(() => store.close());
  return store;
}

async function desk(works: boolean) {
  const { folder, database, options = {} } = config;
  const store = await storeOf(config);
  let engine: RunEngine | undefined;
  if (database !== undefined) {
    const { boss, heartbeatSeconds } = database;
    if (boss !== undefined) engine = pgBossEngine(await bossOf(database), { concurrency: 4, heartbeatSeconds });
  }
  return openDesk(folder, store, { ...options, engine, work: works });
}

async function contract(): Promise<void> {
  const { database } = config;
  if (database === undefined) throw new TypeError('A database is needed.');
  const pool = await poolOf(database);
  const boss = await bossOf(database);
  const kit = {
    open: () => pgBossEngine(boss, { concurrency: 4 }),
    transaction: async (work: (tx: unknown) => Promise<void>) => {
      const connection = await pool.connect();
      await connection.query('BEGIN');
      try {
        await work(connection);
        await connection.query('COMMIT');
      } catch (error) {
        await connection.query('ROLLBACK');
        throw error;
      } finally {
        connection.release();
      }
    },
  };
  for (const { name, run } of runEngineContract(kit)) {
    const problem = await run().then(
      () => null,
      (error: unknown) => String(error),
    );
    say({ name, problem });
  }
}

async function main(): Promise<void> {
  if (command === 'contract') return contract();
  const runs = await desk(command === 'work');
  if (command === 'work') {
    say('works');
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', () => void runs.drain(20_000).then(resolve));
      // A pipe keeps no process alive.
      setInterval(() => undefined, 1_000).unref();
    });
  }
  for (const [message, id, conversation] of config.start ?? [])
    await runs.start({ id, conversation, messages: said(message) });
  if (config.reply !== undefined) say(await runs.reply(...config.reply));
  await runs.drain(1_000);
}

main()
  .then(async () => {
    for (const close of closing) await close();
    process.exit(0);
  })
  .catch((error: unknown) => {
    console.error(error);
    process.exit(1);
  });
