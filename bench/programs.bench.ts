// Measures programs in the sandbox: the time of a warm trivial program, the cost of a tool call compared with a round trip to a worker
// thread, and whether the host stays responsive and its memory bounded. The floor is plain evaluation without a sandbox. Other
// engines, if installed, run the same programs, each in a fresh instance.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { runInThisContext } from 'node:vm';
import { Worker } from 'node:worker_threads';
import { QuickJsSandbox, type SandboxBridge, type SandboxLimits } from '@toolwright/programs';
import { inForm, isShort } from './harness/effort.js';
import { measure, type Contender, type Measured } from './harness/measure.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';
import { limits } from './tasks/sandboxLimits.js';

const BODIES = {
  trivial: 'return 1;',
  hundred: sequential(100),
  sequential: sequential(1_000),
  parallel: `const all = await Promise.all(Array.from({ length: 1000 }, (_, i) => tool({ i })));
let sum = 0; for (const { twice } of all) sum += twice; return sum;`,
} as const;
const RESULTS: Readonly<Record<Task, number>> = { trivial: 1, hundred: 9_900, sequential: 999_000, parallel: 999_000 };
type Task = keyof typeof BODIES;
const TASKS = inForm<readonly Task[]>(Object.keys(BODIES) as Task[], ['sequential']);

const bridge: SandboxBridge = {
  call: async ({ json }) => {
    const [argument] = JSON.parse(json) as [{ i?: number }?];
    return { ok: true, json: JSON.stringify(answer(argument ?? {})) };
  },
  write: () => undefined,
};
const sandbox = new QuickJsSandbox();
const report = new Report('programs');

/** The tool of every contender, on the host. */
function answer({ i = 0 }: { readonly i?: number }): { readonly twice: number } {
  return { twice: 2 * i };
}

function sequential(calls: number): string {
  return `let sum = 0; for (let i = 0; i < ${String(calls)}; i++) sum += (await tool({ i })).twice; return sum;`;
}

async function run(body: string, some: Partial<SandboxLimits> = {}): Promise<unknown> {
  const end = await sandbox.run({ body, tools: ['tool'] }, bridge, { ...limits, ...some });
  return end.kind === 'completed' && end.value.kind === 'json' ? JSON.parse(end.value.json ?? 'null') : end.kind;
}

/** Measures the least cost of calls from a worker: one message there and one back. */
async function roundTrips(worker: Worker, calls: number): Promise<void> {
  for (let call = 0; call < calls; call++)
    await new Promise((resolve) => {
      worker.once('message', resolve);
      worker.postMessage({ call });
    });
}

async function plain(body: string): Promise<unknown> {
  const make = runInThisContext(`(async (tool) => {${body}})`) as (
    tool: (argument: object) => Promise<unknown>,
  ) => Promise<unknown>;
  return make(async (argument: object) => JSON.parse(JSON.stringify(answer(argument))) as unknown);
}

async function main(): Promise<void> {
  const peers = await peersOf('programs', { bodies: BODIES, answer, memoryBytes: limits.memoryBytes });
  const worker = new Worker(
    "const { parentPort } = require('node:worker_threads'); parentPort.on('message', (m) => parentPort.postMessage(m));",
    { eval: true },
  );
  const contenders: Record<string, Contender> = { ...peers.contenders };
  for (const task of TASKS) {
    contenders[`toolwright ${task}`] = () => run(BODIES[task]);
    contenders[`plain evaluation ${task}`] = () => plain(BODIES[task]);
    const ofTask = Object.entries(contenders).filter(([name]) => name.endsWith(` ${task}`));
    await assertSame(Object.fromEntries(ofTask), RESULTS[task]);
  }
  for (const calls of [100, 1_000]) contenders[`trips ${String(calls)}`] = () => roundTrips(worker, calls);
  // The time until a waiting thread is woken varies on a shared machine and would hide a regression.
  const measured = await measure(contenders, { clock: inForm('wall', 'processor') });
  if (!isShort) reportTimes(measured, Object.keys(contenders));
  const thousand = measured.ratio('toolwright sequential', 'trips 1000');
  const what = '1,000 calls one after the other / bare round trips of a worker';
  report.add(inForm(what, `${what}, processor time`), thousand, 'x', 3);
  await worker.terminate();
  await peers.close?.();
  if (!isShort) await reportHost();
  await sandbox.close();
  report.keep();
}

function reportTimes(measured: Measured<string>, names: readonly string[]): void {
  const bounds: Readonly<Record<string, number>> = { 'toolwright trivial': 2, 'toolwright parallel': 30 };
  for (const name of names) report.add(name, measured.time(name), 'ms', bounds[name]);
  const hundred = measured.ratio('toolwright hundred', 'trips 100');
  report.add('100 calls one after the other / bare round trips of a worker', hundred, 'x', 3);
}

/** Reports the delay of the host's event loop while programs misbehave, and the growth of its memory. */
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
  report.addOne('longest wait of the host for its turn', blocked, 'ms', 50);
  report.addOne('growth of memory / the memory limit', (most - before) / limits.memoryBytes, 'x', 2);
}

void main();
