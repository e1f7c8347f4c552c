// `npm run soak`: runs honest traffic by itself, then beside attacks of every kind, then work that must leave nothing behind, in turns.
// Prints the latencies of the honest traffic with and without attacks, and memory, handles and processor time at the beginning and at the
// end. Fails when a bound is missed.
//
//   npm run soak                                  30 minutes
//   npm run soak -- --seconds 60                  the short form
//   npm run soak -- --seconds 60 --print-times    prints times without judging them: on a busy machine they say nothing about the code
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { build } from '../../scripts/build.mjs';
import { fail } from '../../scripts/process.mjs';
import { openSoakDesk } from './soakDesk.mjs';

const MOST_SLOWER = 3;
const FEWEST_ROUNDS = 4;
/** Milliseconds between an answer and the next request. */
const PAUSE_MS = 20;
const SETTLING_MS = 2_000;
/** Megabytes by which memory may be larger at the end than after five twelfths of the time: of objects, of buffers, and of the process. */
const MOST_GROWTH_MB = { heap: 32, buffers: 32, process: 128 };
/** Handles by which the process may have more at the end. */
const MOST_MORE_HANDLES = 8;
/** How many times the processor time of the beginning a turn may take at the end: the least of several batches. */
const MOST_MORE_CPU = 2;
const CPU_BATCHES = 5;
const TURNS_A_BATCH = 10;

const { values } = parseArgs({
  options: { seconds: { type: 'string', default: '1800' }, 'print-times': { type: 'boolean', default: false } },
});
const judgesTimes = !values['print-times'];
const seconds = Number(values.seconds);
if (!(seconds >= 20)) fail('soak: --seconds takes a number from 20 up');

await build();
const { createApplication, definePrompt, defineSection, defineTool, bind } = await import('toolwright');
const { InMemoryFilesystem, Filesystem } = await import('toolwright/resources');
const { WorkspaceSection } = await import('toolwright/sections');
const { Toolkit } = await import('@toolwright/programs');
const { serveMcp } = await import('@toolwright/mcp');
const { jsonSchema } = await import('@toolwright/json-schema');
await import('reflect-metadata');

const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
const add = defineTool({
  name: 'add',
  description: 'Adds.',
  params: jsonSchema({
    type: 'object',
    properties: { a: { type: 'number' }, b: { type: 'number' }, note: { type: 'string', pattern: '^[a-z ]*$' } },
    required: ['a', 'b'],
  }),
  handler: ({ a, b }) => a + b,
});
const files = new InMemoryFilesystem();
const Desk = definePrompt({
  ns: 'soak',
  key: 'desk',
  sections: [defineSection({ key: 'sums', title: 'Sums', tools: [add] }), WorkspaceSection],
});
const app = await createApplication({
  prompts: [Desk],
  resources: [bind(Filesystem, { value: files })],
  logger: silent,
});
const rendered = await app.prompt(Desk).render();
const honestKit = await Toolkit.from([add], { logger: silent });
const hostileKit = await Toolkit.from([add], { logger: silent, timeoutMs: 500 });
const server = serveMcp(app, app.prompt(Desk));
const desk = await openSoakDesk();
const url = await server.listen({ port: 0 });

await app.invoke(rendered, 'write_file', { path: 'a.txt', content: `${'a'.repeat(2_000)}\n`.repeat(100) });

const post = (body, headers = {}) =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
  });

const rpc = (id, method, params) => JSON.stringify({ jsonrpc: '2.0', id, method, params });
const hello = rpc(1, 'initialize', {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'soak', version: '1' },
});
const answered = async (response) => {
  await response.text();
  return response;
};

const greeting = await answered(await post(hello, { authorization: 'Bearer honest' }));
const honest = {
  authorization: 'Bearer honest',
  'mcp-session-id': greeting.headers.get('mcp-session-id'),
  'mcp-protocol-version': '2025-06-18',
};

/** What honest users do; each throws where the answer is not the right one. */
const traffic = {
  call: async () => {
    const outcome = await app.invoke(rendered, 'add', { a: 1, b: 2, note: 'one and two' });
    if (outcome.kind !== 'succeeded') throw new Error(`a call is ${outcome.kind}: ${outcome.message.content}`);
  },
  program: async () => {
    const { status, returnValue, error } = await honestKit.execute(
      'return (await add({ a: 1, b: 2 })) + (await add({ a: 3, b: 4 }));',
    );
    if (returnValue !== 10) throw new Error(`a program is ${status}: ${JSON.stringify(error)}`);
  },
  mcp: async () => {
    const response = await post(rpc(2, 'tools/call', { name: 'add', arguments: { a: 1, b: 2 } }), honest);
    const text = await response.text();
    if (!text.includes('3')) throw new Error(`MCP answered ${response.status}: ${text.slice(0, 200)}`);
  },
};

const wide = JSON.stringify(Object.fromEntries(Array.from({ length: 90_000 }, (_, i) => [`k${i}`, i])));
const deep = '['.repeat(100_000) + ']'.repeat(100_000);
// Attackers make these elsewhere: to make them here, each time, would hold this process.
const megabyte = `throw new Error(${JSON.stringify('a = '.repeat(200_000))});`;
const fourMegabytes = `[${'{},'.repeat(1_300_000)}{}]`;
const wideBody = rpc(3, 'tools/call', { name: 'add', arguments: JSON.parse(wide) });
/** The client of attackers, in a thread of its own that gives way to all others: what they send is not the work of the host. */
const attacker = new Worker(
  `const { parentPort, workerData } = require('node:worker_threads');
  const { platform, setPriority } = require('node:os');
  // Only Linux gives threads priorities of their own.
  if (platform() === 'linux') setPriority(0, 19);
  const bodies = Object.fromEntries(Object.entries(workerData).map(([name, text]) => [name, Buffer.from(text)]));
  parentPort.on('message', async ({ url, name, times }) => {
    const body = bodies[name];
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const send = async () => (await fetch(url, { method: 'POST', headers, body })).text();
    try {
      await Promise.all(Array.from({ length: times }, send));
      parentPort.postMessage({});
    } catch (error) {
      parentPort.postMessage({ problem: String(error) });
    }
  });`,
  { eval: true, workerData: { hello, fourMegabytes, wideBody } },
);
/** @param name of a body, which the thread has: to hand it four megabytes each time would hold this process */
async function sent(name, times = 1) {
  attacker.postMessage({ url, name, times });
  const [{ problem }] = await once(attacker, 'message');
  if (problem !== undefined) throw new Error(problem);
}
/** What others do; whatever the answer is, it must come, and not in the way of the rest. */
const attacks = {
  'pattern of grep': () => app.invoke(rendered, 'grep', { pattern: 'a*a*a*a*a*b' }),
  'pattern of an argument': () => app.invoke(rendered, 'add', { a: 1, b: 2, note: `${'a '.repeat(50_000)}!` }),
  'file that multiplies': () =>
    app.invoke(rendered, 'edit_file', {
      path: 'a.txt',
      old_text: 'a',
      new_text: 'b'.repeat(10_000),
      replace_all: true,
    }),
  'wide arguments': () => app.callTool(rendered, { id: 'c', name: 'add', arguments: wide }),
  'deep arguments': () => app.callTool(rendered, { id: 'c', name: 'add', arguments: deep }),
  'checker by nesting': () => hostileKit.execute('async('.repeat(30)),
  'checker by length': () => hostileKit.execute(`const x = ${'1+'.repeat(5_000)}1;`),
  'hint of a megabyte': () => hostileKit.execute(megabyte),
  'endless loop': () => hostileKit.execute('for (;;) {}'),
  memory: () => hostileKit.execute('const all = []; for (;;) all.push(new Array(10_000).fill({}));'),
  clones: () => hostileKit.execute('const o = { f() {} }; for (;;) { try { structuredClone(o); } catch {} }'),
  output: () => hostileKit.execute("for (;;) console.log('x'.repeat(100_000));"),
  sessions: () => sent('hello', 50),
  'body of four megabytes': () => sent('fourMegabytes'),
  'body that is wide': () => sent('wideBody'),
};

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc');
const megabytes = async () => {
  for (let round = 0; round < 4; round++) {
    gc();
    await sleep(50);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed / 2 ** 20, buffers: external / 2 ** 20, process: rss / 2 ** 20 };
};

/**
 * Runs honest traffic until something else is over; the latencies of each kind in milliseconds, from the moment at which a request is due: that the host
 * is held before it takes it is part of them.
 */
async function measured(other) {
  let isOver = false;
  const ended = other.then(() => (isOver = true));
  const taken = Object.fromEntries(Object.keys(traffic).map((kind) => [kind, []]));
  await Promise.all(
    Object.entries(traffic).map(async ([kind, act]) => {
      let due = performance.now();
      while (!isOver) {
        await act();
        taken[kind].push(performance.now() - due);
        due = performance.now() + PAUSE_MS;
        await sleep(PAUSE_MS);
      }
    }),
  );
  await ended;
  return taken;
}

/** Does turns of every kind, one after the other, until something else is over. */
async function worked(other) {
  let isOver = false;
  const ended = other.then(() => (isOver = true));
  while (!isOver)
    for (const turn of Object.values(desk.turns)) {
      await turn();
      await sleep(PAUSE_MS);
    }
  await ended;
}

/** Milliseconds of the processor that a turn of each kind takes, with all threads. */
async function processorTimes() {
  const times = {};
  for (const [kind, turn] of Object.entries(desk.turns)) {
    const batches = [];
    for (let batch = 0; batch < CPU_BATCHES; batch++) {
      const before = process.cpuUsage();
      for (let count = 0; count < TURNS_A_BATCH; count++) await turn();
      const { user, system } = process.cpuUsage(before);
      batches.push((user + system) / 1_000 / TURNS_A_BATCH);
    }
    times[kind] = Math.min(...batches);
  }
  return times;
}

const percentile = (list, share) =>
  list.toSorted((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))];

const counts = {};

/** Attacks, one after the other, for a time and until each kind has come equally often. */
async function attacked(durationMs) {
  const end = Date.now() + durationMs;
  while (Date.now() < end)
    for (const [name, attack] of Object.entries(attacks)) {
      const begin = performance.now();
      await attack().catch(
        (error) => (process.stdout.write(`  ${name} rejects: ${String(error).slice(0, 200)}\n`), undefined),
      );
      const entry = (counts[name] ??= { times: 0, longest: 0 });
      entry.times++;
      entry.longest = Math.max(entry.longest, performance.now() - begin);
    }
}

const rounds = Math.max(FEWEST_ROUNDS, Math.round(seconds / 100));
const quarterMs = (seconds * 1_000) / rounds / 4;
const [alone, beside, memory, handles, processor] = [[], [], [], [], []];
await measured(sleep(3_000));
// Alone and beside attacks in turns, so that both meet the same machine, however its speed changes.
for (let round = 1; round <= rounds; round++) {
  alone.push(await measured(sleep(quarterMs)));
  beside.push(await measured(attacked(2 * quarterMs)));
  await worked(sleep(quarterMs));
  // What the attacks have left behind is no part of the time alone.
  await sleep(SETTLING_MS);
  processor.push(await processorTimes());
  memory.push(await megabytes());
  handles.push(process.getActiveResourcesInfo().length);
  const sizes = Object.entries(memory.at(-1)).map(([what, size]) => `${what} ${size.toFixed(1)} MB`);
  const turns = Object.entries(processor.at(-1)).map(([kind, ms]) => `${kind} ${ms.toFixed(1)} ms`);
  process.stdout.write(
    `soak: round ${round} of ${rounds}: ${sizes.join(', ')}, ${handles.at(-1)} handles; processor: ${turns.join(', ')}\n`,
  );
}
// Threads and the allocator have what they keep by then.
const settledAt = Math.floor((rounds * 5) / 12);
const [before, after] = [memory[settledAt - 1], memory.at(-1)];

const problems = [];
for (const kind of Object.keys(traffic)) {
  const all = beside.flatMap((taken) => taken[kind]);
  const apart = percentile(
    alone.flatMap((taken) => taken[kind]),
    0.99,
  );
  const together = percentile(all, 0.99);
  const ratio = together / apart;
  process.stdout.write(
    `soak: ${kind}: p99 ${apart.toFixed(1)} ms alone, ${together.toFixed(1)} ms beside attacks, ${ratio.toFixed(2)} times (${all.length} measured)\n`,
  );
  if (judgesTimes && ratio > MOST_SLOWER)
    problems.push(`${kind} takes ${ratio.toFixed(2)} times as long at the 99th percentile`);
}
for (const [name, { times, longest }] of Object.entries(counts))
  process.stdout.write(`  ${name}: ${times} times, answered in ${longest.toFixed(0)} ms at most\n`);
for (const [what, most] of Object.entries(MOST_GROWTH_MB)) {
  process.stdout.write(
    `soak: ${what} ${before[what].toFixed(1)} MB after round ${settledAt}, ${after[what].toFixed(1)} MB at the end\n`,
  );
  const growth = after[what] - before[what];
  if (growth > most) problems.push(`the memory of the ${what} grew by ${growth.toFixed(1)} MB`);
}
const moreHandles = handles.at(-1) - handles[settledAt - 1];
process.stdout.write(
  `soak: ${handles[settledAt - 1]} handles after round ${settledAt}, ${handles.at(-1)} at the end\n`,
);
if (moreHandles > MOST_MORE_HANDLES) problems.push(`the process has ${moreHandles} handles more`);
for (const [kind, first] of Object.entries(processor[settledAt - 1])) {
  const last = processor.at(-1)[kind];
  process.stdout.write(
    `soak: a turn of ${kind} takes ${first.toFixed(2)} ms of the processor, ${last.toFixed(2)} ms at the end\n`,
  );
  if (judgesTimes && last > first * MOST_MORE_CPU)
    problems.push(`${kind} takes ${(last / first).toFixed(1)} times as much of the processor`);
}

await desk.close();
await Promise.all([attacker.terminate(), honestKit.close(), hostileKit.close(), server.close()]);
await app.close();
if (problems.length > 0) fail(`soak: ${problems.join('; ')}`);
process.stdout.write('soak: held\n');
