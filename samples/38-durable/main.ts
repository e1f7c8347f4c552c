// Orders on four workers that are killed while you watch: each order waits an hour for a supervisor, and has five effects in three
// services outside. An hour takes three seconds here. In the end, every effect is there once.
import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Runs } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { effects, ending } from './desk.js';
import { openOrders, type Order } from './orders.js';
import { OutsideServices } from './OutsideServices.js';

const ORDERS = 12;
const WORKERS = 4;
/** Real time is 1,200 times slower. */
const HOUR_MS = 3_000;
const orderIds = Array.from({ length: ORDERS }, (_none, index) => `W${String(index + 1)}`);

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-sample-'));
  const services = await OutsideServices.start();
  const { url } = services;
  const store = new SqliteRuns(join(folder, 'runs.db'));
  const runs = await openOrders({ store, url, pollMs: 100 }, false);
  const workers = Array.from({ length: WORKERS }, () => new Worker([store.path, url]));
  try {
    await handleOrders(runs, services, workers);
  } finally {
    for (const worker of workers) await worker.kill();
    await runs.drain(0);
    await store.close();
    await services.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs a process that works on orders, and starts the next one after it. */
class Worker {
  #process: ChildProcess;

  constructor(private readonly place: readonly string[]) {
    this.#process = this.#start();
  }

  /** Ends the process at once, without running any of its code. */
  async kill(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }

  restart(): void {
    this.#process = this.#start();
  }

  #start(): ChildProcess {
    return spawn(process.execPath, [join(__dirname, 'worker.js'), ...this.place], {
      stdio: ['pipe', 'ignore', 'inherit'],
    });
  }
}

async function handleOrders(runs: Runs<Order>, services: OutsideServices, workers: readonly Worker[]): Promise<void> {
  console.log(
    `${String(ORDERS)} orders on ${String(WORKERS)} workers; an hour takes ${String(HOUR_MS / 1_000)} seconds`,
  );
  for (const orderId of orderIds) {
    const messages = [{ role: 'user', content: `Handle ${orderId}.` }] as const;
    await runs.start({ id: orderId, input: { orderId }, messages });
  }

  for (const [index, worker] of workers.entries()) {
    await until(() => services.effects.length > index * 2);
    await worker.kill();
    console.log(`kill ${String(index + 1)}: worker ${String(index + 1)}, among the first effects`);
    worker.restart();
  }

  await until(async () => (await runs.questions()).length === ORDERS);
  console.log(`${String(ORDERS)} orders wait for the supervisor, and no process holds them`);
  for (const worker of workers) await worker.kill();
  console.log('kills 5 to 8: all workers, while the orders wait');
  await sleep(HOUR_MS);
  const questions = await runs.questions();
  for (const { run, id } of questions) await runs.reply(run, id, { kind: 'approved', by: 'kim' });
  console.log(`an hour later: the supervisor approves ${String(questions.length)} orders, while no worker is there`);
  for (const worker of workers) worker.restart();

  const before = services.effects.length;
  for (const [index, worker] of workers.entries()) {
    await until(() => services.effects.length > before + index * 8);
    await worker.kill();
    console.log(`kill ${String(index + 9)}: worker ${String(index + 1)}, among the last effects`);
    worker.restart();
  }
  for (const orderId of orderIds) assert.equal((await runs.result(orderId)).text, ending);
  console.log('--- What was done outside ---');
  report(services);
}

function report(services: OutsideServices): void {
  let [lost, twice] = [0, 0];
  for (const [service, what] of effects) {
    const times = orderIds.map(
      (id) => services.effects.filter((effect) => effect.orderId === id && effect.what === what).length,
    );
    const missing = times.filter((count) => count === 0).length;
    const repeated = times.filter((count) => count > 1).length;
    console.log(
      `${service.padEnd(9)} ${what.padEnd(7)} of ${String(ORDERS)} orders: ${String(missing)} lost, ${String(repeated)} twice`,
    );
    lost += missing;
    twice += repeated;
  }
  console.log(`durable: ${String(3 * WORKERS)} kills, ${String(lost)} lost, ${String(twice)} twice`);
  assert.equal(lost + twice, 0);
}

/** Waits until a condition holds, for a minute at most. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await holds())) {
    assert.ok(Date.now() < end, 'the orders do not get on');
    await sleep(20);
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
