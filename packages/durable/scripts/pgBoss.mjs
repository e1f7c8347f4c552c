// The orders of samples/38-durable over PostgreSQL and pg-boss. Processes import it to open the store; `node pgBoss.mjs JSON` is a
// process that works on the orders.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root } from '../../../scripts/process.mjs';

export const HEARTBEAT_SECONDS = 10;
const require = createRequire(join(root, 'build/samples/38-durable/orders.js'));

/** @param place `connection`, options of `pg.Pool`, and `url`, the address of the services */
export async function openPgBossOrders({ connection, url }, work) {
  const { PgBoss } = await import('pg-boss');
  const { Pool } = require('pg');
  const { pgBossEngine, pgBossSettings } = require('@toolwright/durable/pg-boss');
  const { PostgresRuns } = require('@toolwright/durable/postgres');
  const { openOrders } = require('./orders.js');
  const pool = new Pool({ ...connection, max: 4 });
  pool.on('error', () => undefined);
  const boss = new PgBoss({ ...connection, max: 4, ...pgBossSettings });
  boss.on('error', () => undefined);
  await boss.start();
  const engine = pgBossEngine(boss, { concurrency: 4, heartbeatSeconds: HEARTBEAT_SECONDS });
  const runs = await openOrders({ store: new PostgresRuns(pool), engine, url, pollMs: 200 }, work);
  const close = async () => {
    await runs.drain(0);
    await boss.stop({ graceful: false, close: true });
    await pool.end();
  };
  return { runs, close };
}

/** Returns the arguments that start a worker. */
export const listWorkerArguments = (place) => [fileURLToPath(import.meta.url), JSON.stringify(place)];

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await openPgBossOrders(JSON.parse(process.argv[2]), true);
  process.stdout.write('ready\n');
  // If the parent has ended, nothing else would end this process.
  process.stdin.resume().once('end', () => process.exit(0));
}
