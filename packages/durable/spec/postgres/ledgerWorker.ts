// A process that works on the runs of a ledger: `node main.js JSON`. It ends by SIGKILL at a statement, or when no run is open.
import { writeSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SqlConnection, SqlPool } from 'toolwright/resources';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { book, openLedger } from './ledger.js';

export interface LedgerConfig {
  readonly connection: object;
  /** The module of `pg`. */
  readonly pg: string;
  /** How the statement begins at which the process ends, which of them it is, and if the process ends before it or after it. */
  readonly kill?: readonly [statement: string, nth: number, when: 'before' | 'after'];
  readonly start?: string;
}

interface Pool extends SqlPool {
  on(event: 'error', listener: () => void): unknown;
  end(): Promise<void>;
}

const config = JSON.parse(process.argv[2] ?? '{}') as LedgerConfig;

async function main(): Promise<void> {
  const { default: pg } = (await import(config.pg)) as { readonly default: { readonly Pool: new (o: object) => Pool } };
  const pool = new pg.Pool(config.connection);
  pool.on('error', () => undefined);
  // What `Pool.query` does is not looked at: that is no transaction of a call.
  const watched: SqlPool = {
    totalCount: 0,
    query: (statement, values) => pool.query(statement, values),
    connect: async () => killedIn(await pool.connect()),
  };
  const runs = await openLedger(watched, new PostgresRuns(watched), {
    ...{ tools: { book }, turns: [['book', 'book'], ['book']], work: true },
  });
  const { start } = config;
  if (start !== undefined)
    await runs.start({ id: start, conversation: start, messages: [{ role: 'user', content: 'Go.' }] });
  while ((await runs.list({ status: ['queued', 'running'] })).length > 0) await sleep(10);
  writeSync(1, 'done\n');
  await runs.drain(1_000);
  await pool.end();
}

let seen = 0;

function killedIn(connection: SqlConnection): SqlConnection {
  const query = connection.query.bind(connection);
  const [statement, nth, when] = config.kill ?? ['none', 0, 'before'];
  return {
    release: (error) => connection.release(error),
    async query(given, values) {
      const text = typeof given === 'string' ? given : given.text;
      const isNow = text.startsWith(statement) && ++seen === nth;
      if (isNow && when === 'before') process.kill(process.pid, 'SIGKILL');
      const result = await query(given, values);
      if (isNow) process.kill(process.pid, 'SIGKILL');
      return result;
    },
  };
}

main().catch((error: unknown) => {
  console.error(error);
  process.exit(1);
});
