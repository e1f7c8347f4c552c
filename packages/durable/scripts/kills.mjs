// `npm run -w @toolwright/durable kills`: handles orders (samples/38-durable) while workers are killed by SIGKILL at random moments,
// restarted and suspended, until the goal of kills is reached. Counts lost and repeated effects, and runs that did not end. The counts
// are saved after each round, so an interrupted command continues.
//
//   npm run -w @toolwright/durable kills                       up to 1,000 kills over one SQLite file, of three workers
//   npm run -w @toolwright/durable kills -- --engine pg-boss   up to 200 over PostgreSQL and pg-boss, on Node 24 from npm if this Node is older
//   npm run -w @toolwright/durable kills -- --kills 25         25 kills; the counts are not saved
//   npm run -w @toolwright/durable kills -- --seconds 40       as many kills as fit into 40 seconds; the counts are not saved
//   npm run -w @toolwright/durable kills -- --state FILE       saves the counts in this file; build/durable.json by default
//   npm run -w @toolwright/durable kills -- --fresh            starts with counts of zero
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { openPgBossOrders, listWorkerArguments } from './pgBoss.mjs';
import { round } from './round.mjs';
import { newNode } from '../../../scripts/node24.mjs';
import { postgresBinaries, startPostgres } from '../../../spec/support/postgres.cjs';
import { fail, root, run } from '../../../scripts/process.mjs';

/** For each engine: `goal`, the kills in total; `size`, the kills of one round; and the pace of `round`, with the latency of services. */
const ENGINES = {
  sqlite: {
    goal: 1_000,
    size: 60,
    pace: { lifeMs: 900, frozenMs: 1_500, patienceMs: 90_000, latencyMs: 25 },
    prepare: prepareSqlite,
  },
  // A takeover takes seconds, so workers live longer, services are slower, and a worker may be suspended beyond its heartbeat.
  'pg-boss': {
    goal: 200,
    size: 25,
    pace: { lifeMs: 9_000, frozenMs: 14_000, patienceMs: 300_000, latencyMs: 1_000 },
    prepare: preparePgBoss,
  },
};
const NOTHING = { kills: 0, freezes: 0, runs: 0, effects: 0, repeated: 0, lost: 0, twice: 0, stuck: 0 };

const { values } = parseArgs({
  options: {
    kills: { type: 'string' },
    seconds: { type: 'string' },
    seed: { type: 'string' },
    engine: { type: 'string', default: 'sqlite' },
    state: { type: 'string', default: 'build/durable.json' },
    fresh: { type: 'boolean', default: false },
  },
});
const { engine } = values;
if (!Object.hasOwn(ENGINES, engine)) fail(`durable: --engine takes one of ${Object.keys(ENGINES).join(', ')}`);
const { goal, size, pace, prepare } = ENGINES[engine];
const stateFile = resolve(root, values.state);
const isShort = values.kills !== undefined || values.seconds !== undefined;
const seconds = Number(values.seconds ?? Infinity);
const most = Number(values.kills ?? (isShort ? Infinity : goal));
const firstSeed = Number(values.seed ?? Date.now() % 1_000_000);
if (!(seconds > 0) || !(most > 0) || !(firstSeed >= 0)) fail('durable: --kills, --seconds and --seed take numbers');

const { node, problem } = engine === 'sqlite' ? { node: process.execPath } : newNode();
if (problem !== undefined) console.log(`absent: durable, ${engine} (it needs Node 22.12: ${problem})`);
else if (node !== process.execPath)
  process.exitCode = run(node, ['packages/durable/scripts/kills.mjs', ...process.argv.slice(2)]);
else await main();

async function main() {
  // The servers and workers are ended when this process exits; a signal alone would skip that.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
  await buildAgainstPackages('samples');
  const place = await prepare();
  if (place === undefined) return;
  const end = Date.now() + seconds * 1_000;
  const isOver = () => Date.now() > end;
  const total = { ...NOTHING, ...(isShort || values.fresh ? {} : readCounts()[engine]) };
  for (let seed = firstSeed; total.kills < most && !isOver(); seed += 1) {
    const counted = await runCountedRound({ place, kills: Math.min(size, most - total.kills), seed, isOver });
    for (const key of Object.keys(NOTHING)) total[key] += counted[key];
    if (!isShort) writeCounts(total);
    report(`seed ${seed}`, counted);
    if (counted.lost + counted.twice + counted.stuck > 0) break;
  }
  await place.stop();
  report(engine, total);
  const { kills, lost, twice, stuck } = total;
  console.log(`durable: ${kills} kills, ${lost} lost, ${twice} twice, ${stuck} stuck`);
  process.exitCode = kills > 0 && lost + twice + stuck === 0 ? 0 : 1;
}

/** Reads the counts of earlier commands, by engine. */
function readCounts() {
  return existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : {};
}

/** Reads the file again before it is written, since a command for the other engine may run at the same time. */
function writeCounts(total) {
  mkdirSync(dirname(stateFile), { recursive: true });
  writeFileSync(stateFile, `${JSON.stringify({ ...readCounts(), [engine]: total })}\n`);
}

/** Runs one round with its own services and its own store. */
async function runCountedRound({ place, kills, seed, isOver }) {
  const sample = requireSample('desk');
  const { OutsideServices } = requireSample('OutsideServices');
  const services = await OutsideServices.start(() => Math.random() * pace.latencyMs);
  const here = await place.fresh(services.url, seed);
  try {
    const { faults, ...counted } = await round({ sample, services, place: here, pace, kills, seed, isOver });
    faults.push(...((await here.check?.()) ?? []));
    for (const { kind, text } of faults) console.log(`${kind}: ${text}`);
    const of = (kind) => faults.filter((fault) => fault.kind === kind).length;
    await here.close(faults.length === 0);
    return { ...counted, lost: of('lost'), twice: of('twice'), stuck: of('stuck') };
  } finally {
    await services.stop();
  }
}

/** Prepares an SQLite file for each round. */
function prepareSqlite() {
  const { openOrders } = requireSample('orders');
  const { SqliteRuns } = createRequire(join(root, 'build/samples/38-durable/orders.js'))('@toolwright/durable/sqlite');
  const fresh = (url) => {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-durable-'));
    const store = new SqliteRuns(join(folder, 'runs.db'));
    return {
      args: [join(root, 'build/samples/38-durable/worker.js'), store.path, url, '100'],
      open: () => openOrders({ store, url, pollMs: 100 }, false),
      check: () => store.close().then(() => checkFile(store.path)),
      close: (isSound) => {
        if (isSound) rmSync(folder, { recursive: true, force: true });
        else console.log(`the runs are in ${store.path}`);
      },
    };
  };
  return { fresh, stop: () => undefined };
}

/** Returns the damage that SQLite finds in a file. A kill must cause none. */
function checkFile(path) {
  const Database = createRequire(import.meta.url)('libsql');
  const database = new Database(path, { readonly: true });
  const found = ['integrity_check', 'foreign_key_check'].flatMap((check) => database.prepare(`PRAGMA ${check}`).all());
  database.close();
  const texts = found.map((row) => JSON.stringify(row)).filter((text) => text !== '{"integrity_check":"ok"}');
  return texts.map((text) => ({ kind: 'lost', text: `the file is damaged: ${text}` }));
}

/** Starts a server that syncs each commit to the disk, with a database for each round. */
async function preparePgBoss() {
  const binaries = postgresBinaries();
  if (binaries === undefined) {
    console.log('absent: durable, pg-boss (npm has no PostgreSQL for this machine)');
    return undefined;
  }
  const server = await startPostgres(binaries, { isSynced: true });
  const { Pool } = createRequire(import.meta.url)('pg');
  const fresh = async (url, seed) => {
    const database = `round_${seed}`;
    const pool = new Pool({ ...server.connection, max: 1 });
    await pool.query(`CREATE DATABASE ${database}`);
    await pool.end();
    const place = { connection: { ...server.connection, database }, url };
    const { runs, close } = await openPgBossOrders(place, false);
    return { args: listWorkerArguments(place), open: () => runs, close };
  };
  return { fresh, stop: () => server.stop() };
}

function requireSample(name) {
  return createRequire(import.meta.url)(join(root, `build/samples/38-durable/${name}.js`));
}

function report(what, { kills, freezes, runs, effects, repeated }) {
  console.log(
    `${what}: ${kills} kills, ${freezes} freezes, ${runs} runs, ${effects} effects, ${repeated} requests repeated`,
  );
}
