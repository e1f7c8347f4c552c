// `npm run -w @toolwright/durable figures`: what durable runs cost, as ratios that are measured in one process and on one database: of a step beside
// DBOS, of 200 turns in an SQLite file, and of a run in a conversation beside one in none. docs/benchmarks/durable.md has the bounds.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildAgainstPackages } from '../../../scripts/build.mjs';
import { newNode } from '../../../scripts/node24.mjs';
import { postgresBinaries, startPostgres } from '../../../spec/support/postgres.cjs';
import { root, run } from '../../../scripts/process.mjs';

const { values } = parseArgs({ options: { dbos: { type: 'string', default: join(root, 'bench') } } });
const STEPS = 400;
const RUNS = 60;
const PAIRS = 7;

await buildAgainstPackages('samples');
await import('reflect-metadata');
const { createApplication, definePrompt, defineSection, defineTool, Session } = await import('toolwright');
const { Conversation } = await import('toolwright/conversations');
const { PostgresRuns } = await import('@toolwright/durable/postgres');
const { openRuns } = await import('@toolwright/durable');
const { SqliteRuns } = await import('@toolwright/durable/sqlite');
const { ScriptedModel } = await import('toolwright/testing');
const { jsonSchema } = await import('@toolwright/json-schema');

const quiet = { debug() {}, info() {}, warn() {}, error() {} };
const text = 'x'.repeat(400);
const tool = (name, hints) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    hints,
    params: jsonSchema({ type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }),
    handler: () => text,
  });
const Desk = definePrompt({
  ns: 'figures',
  key: 'desk',
  sections: [
    defineSection({
      key: 'desk',
      title: 'Desk',
      tools: [tool('look', { readOnly: true }), tool('act', { idempotent: true })],
    }),
  ],
});
const app = await createApplication({ prompts: [Desk], logger: quiet });
const median = (list) => list.toSorted((a, b) => a - b)[list.length >> 1];

/** Two answers and the call between them. */
const shortModel = {
  name: 'scripted (not a model)',
  complete({ messages }) {
    const isAsked = messages.at(-1).role === 'user';
    const toolCalls = isAsked ? [{ id: 'call_0', name: 'act', arguments: { id: '1' } }] : [];
    const finishReason = isAsked ? 'tool_calls' : 'stop';
    return Promise.resolve({ text: isAsked ? null : 'Done.', toolCalls, finishReason });
  },
};

/** Four answers and eight calls. It writes a body for each request, in a conversation or not, as adapters of providers do. */
const model = {
  name: 'scripted (not a model)',
  complete(request) {
    const [system, ...messages] = request.messages;
    const tools = request.offeredTools('json-schema');
    request.onSent?.({ tools, system: [system], messages, parameters: {} });
    const begin = messages.map(({ role }) => role).lastIndexOf('user');
    const turn = messages.slice(begin).filter(({ role }) => role === 'assistant').length;
    const call = (index) => ({
      ...{ id: `call_${turn}_${index}`, name: index % 2 ? 'act' : 'look' },
      arguments: { id: `${turn}.${index}` },
    });
    const toolCalls = turn < 3 ? [0, 1, 2].slice(turn === 2 ? 1 : 0).map(call) : [];
    const finishReason = turn < 3 ? 'tool_calls' : 'stop';
    return Promise.resolve({ text: turn < 3 ? null : 'Done.', toolCalls, finishReason });
  },
};

await bytes();
start();
await inMemory();
await beside();
takeover();

/** How soon another worker has the run of one that was killed. */
function takeover() {
  const { node, problem } = newNode();
  if (problem === undefined) run(node, ['packages/durable/scripts/takeover.mjs']);
  else console.log(`absent: takeover (pg-boss needs Node 22.12: ${problem})`);
}

/** The milliseconds until a process with the embedded store and engine takes runs, from its very beginning. */
function start() {
  const program = `import 'reflect-metadata';
import { createApplication, definePrompt, defineSection } from 'toolwright';
import { openRuns } from '@toolwright/durable';
import { SqliteRuns } from '@toolwright/durable/sqlite';
const Desk = definePrompt({ ns: 'figures', key: 'desk', sections: [defineSection({ key: 'desk', title: 'Desk' })] });
const app = await createApplication({ prompts: [Desk] });
const runs = await openRuns(app, { store: new SqliteRuns(process.argv[1]), prepare: () => ({ prompt: Desk }) });
console.log(performance.now());
await runs.drain(0);`;
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
  const args = ['--input-type=module', '--eval', program, join(folder, 'runs.db')];
  const times = Array.from({ length: PAIRS }, () => Number(execFileSync(process.execPath, args, { cwd: root })));
  rmSync(folder, { recursive: true });
  console.log(`embedded start: ${median(times).toFixed(0)} ms`);
}

/** The size of a file after 200 turns, over the state in it: messages as JSON. The growth of its entries, late over early. */
async function bytes() {
  for (const isReopened of [false, true]) {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
    const store = new SqliteRuns(join(folder, 'runs.db'));
    let conversation = await Conversation.open(store, 'c');
    const grown = [];
    for (let turn = 0, count = 0; turn < 200; turn++) {
      if (isReopened) conversation = await Conversation.open(store, 'c');
      const adapter = new ScriptedModel([{ toolCalls: [{ name: 'act', arguments: { id: `${turn}` } }] }, { text }]);
      const messages = [{ role: 'user', content: `${turn}: ${text}` }];
      await app.evaluate(app.prompt(Desk), { adapter, session: new Session(), conversation, messages });
      // As long as the texts in the table.
      const entries = (await store.entries('c', count)).map((entry) => JSON.stringify(entry));
      count += entries.length;
      grown.push(entries.join('').length);
    }
    // The last connection moves everything from the write-ahead log into the file.
    await store.close();
    const useful = JSON.stringify(conversation.messages).length;
    const processes = isReopened ? 'each in another process' : 'one process';
    report(`size of the file over useful state, 200 turns, ${processes}`, statSync(store.path).size / useful);
    report('  entries over useful state', grown.reduce((sum, length) => sum + length) / useful);
    report('  entries of the last turn over those of the second', grown[199] / grown[1]);
    rmSync(folder, { recursive: true });
  }
}

/** A run in a conversation in memory, over one in none; pairs, one after the other, once their code is compiled. */
async function inMemory() {
  // Short pairs: what else the machine does falls on both sides of each.
  const [runs, pairs] = [60, 251];
  const once = async (conversation) => {
    const began = process.cpuUsage();
    for (let run = 0; run < runs; run++)
      await app.evaluate(app.prompt(Desk), {
        ...{ adapter: model, session: new Session(), messages: [{ role: 'user', content: 'go' }] },
        conversation: conversation(),
      });
    const { user, system } = process.cpuUsage(began);
    return user + system;
  };
  const ratios = [];
  const [kept, bare] = [() => new Conversation(), () => undefined];
  // V8 compiles beside the program: after fewer runs, what is measured is half of it compiling.
  for (let round = 0; round < 150; round++) for (const each of [kept, bare]) await once(each);
  for (let pair = 0; pair < pairs; pair++) ratios.push((await once(kept)) / (await once(bare)));
  report('steps in memory over the bare loop, CPU time', median(ratios));
}

/** The same database for both: a step of DBOS, and an append. */
async function beside() {
  const binaries = postgresBinaries();
  if (binaries === undefined) return console.log('absent: PostgreSQL (npm has none for this machine)');
  const server = await startPostgres(binaries, { isSynced: true });
  const require = createRequire(join(values.dbos, 'package.json'));
  const { Pool } = createRequire(import.meta.url)('pg');
  const pool = new Pool(server.connection);
  pool.on('error', () => undefined);
  try {
    const { DBOS } = require('@dbos-inc/dbos-sdk');
    const { host } = server.connection;
    await pool.query('CREATE DATABASE dbos');
    DBOS.setConfig({
      ...{ name: 'figures', applicationVersion: '1', logLevel: 'error', runAdminServer: false },
      systemDatabaseUrl: `postgresql://postgres@localhost/dbos?host=${encodeURIComponent(host)}`,
    });
    const steps = DBOS.registerWorkflow(
      async (count) => {
        for (let step = 0; step < count; step++) await DBOS.runStep(() => Promise.resolve(text), { name: 'act' });
      },
      { name: 'steps' },
    );
    await DBOS.launch();
    await compared(pool, {
      step: async () => (await DBOS.startWorkflow(steps)(STEPS)).getResult(),
      run: async () => (await DBOS.startWorkflow(steps)(12)).getResult(),
      shortRun: async () => (await DBOS.startWorkflow(steps)(3)).getResult(),
    });
    await DBOS.shutdown();
  } catch (error) {
    console.log(`absent: DBOS (${error.message.split('\n')[0]}); npm install --prefix bench, or --dbos FOLDER`);
  } finally {
    await pool.end();
    await server.stop();
  }
}

async function compared(pool, dbos) {
  const store = new PostgresRuns(pool);
  const appended = async (index) => {
    const conversation = `steps-${index}`;
    const { epoch } = await store.open(conversation);
    for (let after = 0; after < STEPS; after++)
      await store.append({ conversation, epoch, after }, [
        { kind: 'note', turn: 1, about: 'limits', message: { role: 'user', content: text } },
      ]);
  };
  const [steps, ours, theirs] = [[], [], []];
  await appended('warm');
  await dbos.step();
  for (let pair = 0; pair < PAIRS; pair++) {
    ours.push(await timed(() => appended(pair)));
    theirs.push(await timed(dbos.step));
    steps.push(ours.at(-1) / theirs.at(-1));
  }
  report('a step over a step of DBOS', median(steps));
  console.log(`  ${(median(ours) / STEPS).toFixed(2)} ms and ${(median(theirs) / STEPS).toFixed(2)} ms`);
  await compareRuns('runs a second, over DBOS, 12 steps each, one process', store, model, dbos.run);
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-figures-'));
  const file = new SqliteRuns(join(folder, 'runs.db'));
  const what = 'runs a second in an SQLite file, over DBOS on PostgreSQL, 3 steps each, one process';
  await compareRuns(what, file, shortModel, dbos.shortRun);
  await file.close();
  rmSync(folder, { recursive: true });
}

/** Runs of a store and workflows, so many at a time, by turns. */
async function compareRuns(what, store, adapter, theirRun) {
  const prepare = () => ({ prompt: Desk, adapter });
  const runs = await openRuns(app, { store, prepare, concurrency: 16, pollMs: 500 });
  const many = async (start) => {
    const began = performance.now();
    await Promise.all(Array.from({ length: RUNS }, start));
    return (RUNS / (performance.now() - began)) * 1_000;
  };
  let count = 0;
  const ourRun = async () => (await runs.start({ messages: [{ role: 'user', content: `go ${count++}` }] })).result();
  await many(ourRun);
  await many(theirRun);
  const [ours, theirs, ratios] = [[], [], []];
  for (let pair = 0; pair < PAIRS; pair++) {
    ours.push(await many(ourRun));
    theirs.push(await many(theirRun));
    ratios.push(ours.at(-1) / theirs.at(-1));
  }
  report(what, median(ratios));
  console.log(`  ${median(ours).toFixed(0)} and ${median(theirs).toFixed(0)} runs a second`);
  await runs.drain(1_000);
}

async function timed(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function report(what, ratio) {
  console.log(`${what}: ${ratio.toFixed(3)}`);
}
