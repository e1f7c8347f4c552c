// `node takeover.mjs`, on Node 22.12 or newer: measures the time until another worker takes over the run of a killed worker, over
// pg-boss. The worker is killed at a random moment between two heartbeats.
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { postgresBinaries, startPostgres } from '../../../spec/support/postgres.cjs';
import { fail, root } from '../../../scripts/process.mjs';
import { HEARTBEAT_SECONDS, openPgBossOrders, listWorkerArguments } from './pgBoss.mjs';
import { Slot } from './Workers.mjs';

const KILLS = 7;
const { OutsideServices } = createRequire(import.meta.url)(join(root, 'build/samples/38-durable/OutsideServices.js'));

/** Waits until the run has another owner, and returns it. */
async function waitForOwner(runs, id, before) {
  for (;;) {
    const { owner, status } = await runs.get(id);
    if (status !== 'queued' && status !== 'running') fail(`takeover: ${id} is ${status}`);
    if (owner !== null && owner !== before) return owner;
    await sleep(20);
  }
}

const binaries = postgresBinaries();
if (binaries === undefined) console.log('absent: takeover (npm has no PostgreSQL for this machine)');
else {
  const server = await startPostgres(binaries, { isSynced: true });
  // The service answers after an hour, so the run stays in its first call.
  const services = await OutsideServices.start(() => 3_600_000);
  const place = { connection: server.connection, url: services.url };
  const { runs, close } = await openPgBossOrders(place, false);
  let slot = new Slot(process.execPath, listWorkerArguments(place));
  slot.start();
  await slot.begun;
  await runs.start({ id: 'W1', input: { orderId: 'W1' }, messages: [{ role: 'user', content: 'Handle W1.' }] });
  let owner = await waitForOwner(runs, 'W1', null);
  const seconds = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const next = new Slot(process.execPath, listWorkerArguments(place));
    next.start();
    await next.begun;
    await sleep(Math.random() * HEARTBEAT_SECONDS * 1_000);
    await slot.end('SIGKILL');
    const killed = performance.now();
    owner = await waitForOwner(runs, 'W1', owner);
    seconds.push((performance.now() - killed) / 1_000);
    slot = next;
  }
  await slot.end('SIGKILL');
  await close();
  await services.stop();
  await server.stop();
  const sorted = seconds.toSorted((a, b) => a - b);
  const median = sorted[KILLS >> 1];
  console.log(`takeover over heartbeat, pg-boss, median of ${KILLS} kills: ${(median / HEARTBEAT_SECONDS).toFixed(3)}`);
  console.log(`  ${sorted.map((each) => each.toFixed(1)).join(', ')} s`);
  // The service has not answered yet.
  process.exit(0);
}
