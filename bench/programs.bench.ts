// Programs in the sandbox: what a warm trivial one takes, what a tool call costs beside a bare round trip to a worker thread, and
// whether the host keeps its turn and its memory. Plain evaluation stands beside it as the least that is possible, without any
// boundary; other engines (quickjs-emscripten, isolated-vm) are not installed here.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { QuickJsSandbox, type SandboxBridge, type SandboxLimits } from 'toolwright/code';
import { median, report, reportMs } from './measure.js';

const CALLS = 1_000;
const ROUNDS = 15;
const MEGABYTE = 1024 * 1024;

const limits: SandboxLimits = {
  wallMs: 30_000,
  cpuMs: 30_000,
  memoryBytes: 64 * MEGABYTE,
  stackBytes: 256 * 1024,
  maxCalls: 10_000,
  maxConcurrency: 10_000,
  maxArgumentBytes: MEGABYTE,
  maxResultBytes: 8 * MEGABYTE,
  maxOutputBytes: 64 * 1024,
};
const bridge: SandboxBridge = { call: async () => ({ ok: true, json: '{"ok":true}' }), write: () => undefined };
const sandbox = new QuickJsSandbox();

async function run(body: string, some: Partial<SandboxLimits> = {}): Promise<void> {
  await sandbox.run({ body, tools: ['tool'] }, bridge, { ...limits, ...some });
}

const sequential = `for (let i = 0; i < ${String(CALLS)}; i++) await tool({ i });`;
const parallel = `await Promise.all(Array.from({ length: ${String(CALLS)} }, (_, i) => tool({ i })));`;

/** The least that calls of a worker can cost: a message there, and one back. */
async function roundTrips(worker: Worker): Promise<void> {
  for (let call = 0; call < CALLS; call++)
    await new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage({ call });
    });
}

async function plain(body: string): Promise<void> {
  const make = runInThisContext(`(async (tool) => {${body}})`) as (tool: () => unknown) => Promise<void>;
  await make(async () => JSON.parse('{"ok":true}') as unknown);
}

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

async function main(): Promise<void> {
  const worker = new Worker(
    "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m));",
    {
      eval: true,
    },
  );
  const contenders = {
    trivial: () => run('return 1;'),
    trips: () => roundTrips(worker),
    sequential: () => run(sequential),
    parallel: () => run(parallel),
    plainTrivial: () => plain('return 1;'),
    plainSequential: () => plain(sequential),
  };
  const times: Record<string, number[]> = {};
  for (let round = -3; round < ROUNDS; round++)
    for (const [name, work] of Object.entries(contenders)) {
      const ms = await milliseconds(work);
      if (round >= 0) (times[name] ??= []).push(ms);
    }
  await worker.terminate();
  const of = (name: keyof typeof contenders): number => median(times[name] ?? []);

  reportMs('warm trivial program', of('trivial'), 2);
  report(`${String(CALLS)} sequential calls / bare round trips of a worker`, of('sequential') / of('trips'), 4);
  reportMs(`${String(CALLS)} parallel calls`, of('parallel'), 30);
  reportMs(`plain evaluation, no boundary: trivial`, of('plainTrivial'));
  reportMs(`plain evaluation, no boundary: ${String(CALLS)} sequential calls`, of('plainSequential'));
  await reportHost();
  await sandbox.close();
}

/** How long the host waits for its turn while programs misbehave, and what its memory grows to. */
async function reportHost(): Promise<void> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = process.memoryUsage().rss;
  let most = before;
  const look = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
  delay.enable();
  await run('for (;;) {}', { wallMs: 300 });
  await run("for (;;) console.log('x');", { wallMs: 300 });
  await run('for (;;) tool(1);');
  const blocked = delay.max / 1e6;
  await run('const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random()));');
  await run('const kept = []; for (;;) kept.push(new Uint8Array(1e7).fill(1));');
  delay.disable();
  clearInterval(look);
  reportMs('longest wait of the host for its turn', blocked, 50);
  report('growth of memory / the memory limit', (most - before) / limits.memoryBytes, 2);
}

void main();
