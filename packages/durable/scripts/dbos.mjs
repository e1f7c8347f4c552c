// Durable runs beside workflows of DBOS: `node dbos.mjs [--dbos FOLDER]`, on Node 22.12 or newer. A run asks a model in the same process
// and calls a tool; a workflow has as many steps. DBOS for Node.js works on PostgreSQL only.
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openRuns } from '@toolwright/durable';
import { pgBossEngine, pgBossSettings } from '@toolwright/durable/pg-boss';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { SqliteRuns } from '@toolwright/durable/sqlite';
import { postgresBinaries, startPostgres } from '../../../spec/support/postgres.cjs';
import { root } from '../../../scripts/process.mjs';
import { app, Desk, longModel, median, model, report, shortModel, text } from './desk.mjs';

const { values } = parseArgs({ options: { dbos: { type: 'string', default: join(root, 'bench') } } });
/** The steps of a long run: answers of the model, and a call after each of them except the last. */
const STEPS = 99;
/** The number of concurrent runs of each contender. */
const RUNS = 60;
const PAIRS = 7;

const binaries = postgresBinaries();
const { Pool } = createRequire(import.meta.url)('pg');
if (binaries === undefined) console.log('absent: PostgreSQL (npm has none for this machine)');
else await compareAll(await startPostgres(binaries, { isSynced: true }));
process.exit();

async function compareAll(server) {
  const pool = new Pool(server.connection);
  pool.on('error', () => undefined);
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
  try {
    const dbos = await startDbos(pool, server.connection);
    const sqlite = new SqliteRuns(join(folder, 'runs.db'));
    await compareSteps(new PostgresRuns(pool), dbos);
    await compareRuns('PostgreSQL, 12 steps', { store: new PostgresRuns(pool), model }, () => dbos.run(12));
    await compareRuns('PostgreSQL, 3 steps', { store: new PostgresRuns(pool), model: shortModel }, () => dbos.run(3));
    await compareRuns('an SQLite file, 3 steps', { store: sqlite, model: shortModel }, () => dbos.run(3));
    await sqlite.close();
    await comparePgBoss(pool, server.connection, dbos);
    await dbos.stop();
  } catch (error) {
    console.log(`absent: DBOS (${error.message.split('\n')[0]}); npm install --prefix bench, or --dbos FOLDER`);
  } finally {
    rmSync(folder, { recursive: true });
    await pool.end();
    await server.stop();
  }
}

async function startDbos(pool, { host }) {
  const { DBOS } = createRequire(join(values.dbos, 'package.json'))('@dbos-inc/dbos-sdk');
  await pool.query('CREATE DATABASE dbos');
  DBOS.setConfig({
    name: 'figures',
    applicationVersion: '1',
    logLevel: 'error',
    runAdminServer: false,
    systemDatabaseUrl: `postgresql://postgres@localhost/dbos?host=${encodeURIComponent(host)}`,
  });
  const steps = DBOS.registerWorkflow(
    async (count) => {
      for (let step = 0; step < count; step++) await DBOS.runStep(() => Promise.resolve(text), { name: 'act' });
    },
    { name: 'steps' },
  );
  await DBOS.launch();
  return {
    run: async (count) => (await DBOS.startWorkflow(steps)(count)).getResult(),
    stop: () => DBOS.shutdown(),
  };
}

/** Measures long runs one at a time, so that the time of a run is the time of its steps. */
async function compareSteps(store, dbos) {
  const answers = (STEPS + 1) / 2;
  const prepare = () => ({ prompt: Desk, adapter: longModel(answers), maxTurns: answers });
  const runs = await openRuns(app, { store, prepare, pollMs: 500 });
  const { ours, theirs } = await takeTurns(1, runOf(runs), () => dbos.run(STEPS));
  report(`a step in PostgreSQL, time over DBOS, ${STEPS} steps a run`, median(ratios(ours, theirs, ({ ms }) => ms)));
  console.log(
    `  ${(medianOf(ours, 'ms') / STEPS).toFixed(2)} ms and ${(medianOf(theirs, 'ms') / STEPS).toFixed(2)} ms`,
  );
  await runs.drain(1_000);
}

/** Measures the same runs through pg-boss, and pg-boss with empty jobs, which is the least time of such a run. */
async function comparePgBoss(pool, connection, dbos) {
  const { PgBoss } = await import('pg-boss');
  const boss = new PgBoss({ ...connection, ...pgBossSettings });
  boss.on('error', () => undefined);
  await boss.start();
  const engine = pgBossEngine(boss);
  const store = new PostgresRuns(pool, { schema: 'queued' });
  await compareRuns('PostgreSQL and pg-boss, 3 steps', { store, model: shortModel, engine }, () => dbos.run(3));
  const job = await emptyJobs(boss);
  const empty = await takeTurns(RUNS, job, () => dbos.run(3));
  const rateOver = ({ ours, theirs }) => median(ratios(theirs, ours, ({ ms }) => ms));
  report('  bound: jobs of pg-boss that do nothing, rate over DBOS', rateOver(empty));
  const prepare = () => ({ prompt: Desk, adapter: shortModel });
  const besides = new PostgresRuns(pool, { schema: 'unqueued' });
  const runs = await openRuns(app, { store: besides, prepare, concurrency: RUNS, pollMs: 500 });
  await runs.work();
  const run = runOf(runs);
  const both = await takeTurns(
    RUNS,
    async () => job().then(run),
    () => dbos.run(3),
  );
  report('  bound: such a job, then the same run without a queue, rate over DBOS', rateOver(both));
  await runs.drain(1_000);
  await boss.stop({ graceful: false, close: true });
}

async function emptyJobs(boss) {
  await boss.createQueue('empty', { policy: 'singleton', notify: true, heartbeatSeconds: 10 });
  const waiting = new Map();
  const settings = {
    batchSize: 1,
    includeMetadata: true,
    pollingIntervalSeconds: 0.5,
    notifyPollingIntervalSeconds: 2,
  };
  for (let count = 0; count < 16; count++) {
    let id = '';
    id = await boss.work('empty', settings, async ([job]) => {
      waiting.get(job.data.key)();
      boss.notifyWorker(id);
    });
  }
  let last = 0;
  return () =>
    new Promise((resolve) => {
      const key = `job ${last++}`;
      waiting.set(key, resolve);
      void boss.send('empty', { key }, { singletonKey: key });
    });
}

async function compareRuns(where, { store, model: adapter, engine }, theirRun) {
  const prepare = () => ({ prompt: Desk, adapter });
  const runs = await openRuns(app, { store, engine, prepare, concurrency: engine ? undefined : RUNS, pollMs: 500 });
  await runs.work();
  const { ours, theirs } = await takeTurns(RUNS, runOf(runs), theirRun);
  report(`runs in ${where}, rate over DBOS, ${RUNS} at a time`, median(ratios(theirs, ours, ({ ms }) => ms)));
  console.log(`  ${rateOf(ours)} and ${rateOf(theirs)} runs a second`);
  report('  CPU time of this process over DBOS', median(ratios(ours, theirs, ({ cpu }) => cpu)));
  await runs.drain(1_000);
}

function runOf(runs) {
  let count = 0;
  return async () => (await runs.start({ messages: [{ role: 'user', content: `go ${count++}` }] })).result();
}

/** Measures a number of concurrent runs; the two contenders take turns. */
async function takeTurns(count, ourRun, theirRun) {
  const [ours, theirs] = [[], []];
  for (const run of [ourRun, theirRun]) await measure(count, run);
  for (let pair = 0; pair < PAIRS; pair++) {
    ours.push(await measure(count, ourRun));
    theirs.push(await measure(count, theirRun));
  }
  return { ours, theirs };
}

async function measure(count, run) {
  const [began, before] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: count }, run));
  const { user, system } = process.cpuUsage(before);
  return { ms: performance.now() - began, cpu: user + system };
}

function ratios(list, others, valueOf) {
  return list.map((each, index) => valueOf(each) / valueOf(others[index]));
}

function medianOf(list, key) {
  return median(list.map((each) => each[key]));
}

function rateOf(list) {
  return ((RUNS * 1_000) / medianOf(list, 'ms')).toFixed(0);
}
