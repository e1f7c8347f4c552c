// Measures checks of programs: milliseconds for a program of 30 lines in a warm thread, with and without its types, and the CPU time
// and the memory of the first program of a process.
import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inForm } from './harness/effort.js';
import { figureOf, type Figure } from './harness/Figure.js';
import { Report } from './harness/Report.js';

/** The number of checks before the measurement, so that it shows a long-running process. */
const WARM_UP = 80;
const ROUNDS = 40;
const BOUND = 40;
const PROCESSES = inForm(9, 5);

interface Checks {
  checkProgram(
    source: string,
    options: { readonly check: 'types' | 'syntax'; readonly tools: readonly object[] },
  ): Promise<{ readonly ok: boolean; readonly fault?: { readonly message: string } }>;
}

const item = { type: 'object', title: 'Item', properties: { sku: { type: 'string' }, qty: { type: 'integer' } } };
const order = {
  type: 'object',
  title: 'Order',
  properties: { id: { type: 'string' }, total: { type: 'number' }, items: { type: 'array', items: item } },
  required: ['id', 'total', 'items'],
};
const tools = [
  tool('list_orders', { user_id: { type: 'integer' }, page: { type: 'integer' } }, { type: 'array', items: order }),
  tool('get_order', { order_id: { type: 'string' } }, order),
  tool('send_email', { to: { type: 'string' }, body: { type: 'string' } }, { type: 'boolean' }),
];

function tool(name: string, properties: object, returnSchema: object): object {
  const schema = { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
  return { name, description: 'Does it.', params: null, schema, result: null, returnSchema };
}

/** Writes a program of 30 lines, different each time. */
function program(index: number): string {
  const part = (name: string): string => `
async function ${name}(user_id: number) {
  const orders = await list_orders({ user_id, page: ${String(index)} });
  const totals: Record<string, number> = {};
  for (const { id, total } of orders) totals[id] = (totals[id] ?? 0) + total;
  const best = orders.reduce((most, each) => (each.total > most.total ? each : most), orders[0]);
  const skus = [...new Set(orders.flatMap((each) => each.items.map(({ sku }) => sku)))].sort();
  if (best === undefined) return { totals, skus, lines: [] };
  const { items } = await get_order({ order_id: best.id });
  const lines = items.map((each) => \`\${each.sku}: \${each.qty}\`);
  await send_email({ to: 'a@example.com', body: lines.join('\\n') });
  return { totals, skus, lines };
}`;
  return `${part('first')}${part('second')}\nconst all = await Promise.all([first(1), second(2)]);\nreturn all.map(({ lines }) => lines.length);`;
}

async function cost(checks: Checks, check: 'types' | 'syntax'): Promise<Figure> {
  const times: number[] = [];
  for (let index = 0; index < WARM_UP + ROUNDS; index++) {
    const start = performance.now();
    const { ok, fault } = await checks.checkProgram(program(index), { check, tools });
    if (!ok) throw new TypeError(`refused: ${fault?.message ?? ''}`);
    if (index >= WARM_UP) times.push(performance.now() - start);
  }
  return figureOf(times);
}

/** The cost of a process, from its start of the work to the end. */
interface ProcessCost {
  readonly milliseconds: number;
  readonly megabytes: number;
}

/** Runs a script of bench/tasks in a new process. */
function runTask(
  script: string,
  isGood: (output: Readonly<Record<string, number>>) => boolean,
  ...options: readonly string[]
): ProcessCost {
  const output = execFileSync(process.execPath, [`build/bench/tasks/${script}.js`, ...options], { encoding: 'utf8' });
  const given = JSON.parse(output) as Record<string, number>;
  const { milliseconds, megabytes } = given;
  if (!isGood(given) || milliseconds === undefined || megabytes === undefined) throw new TypeError(output);
  return { milliseconds, megabytes };
}

/** Compares the first program of a process with the compiler alone, and with the program whose types are not checked, in turns. */
function reportFirstPrograms(report: Report): void {
  const rounds = Array.from({ length: PROCESSES }, () => ({
    first: runTask('firstProgram', ({ returnValue }) => returnValue === 1),
    unchecked: runTask('firstProgram', ({ returnValue }) => returnValue === 1, 'syntax'),
    bare: runTask('bareCheck', ({ problems }) => problems === 0),
  }));
  const figure = (of: (round: (typeof rounds)[number]) => number): Figure => figureOf(rounds.map(of));
  const what = 'first program of a process, by types: CPU until ready';
  report.add(
    what,
    figure(({ first }) => first.milliseconds),
    'ms',
    1_000,
  );
  report.add(
    'bound: first program, the compiler alone',
    figure(({ bare }) => bare.milliseconds),
    'ms',
  );
  report.add(
    'bound: first program, the compiler alone and the program without its types',
    figure(({ unchecked, bare }) => unchecked.milliseconds + bare.milliseconds),
    'ms',
  );
  report.add(
    'first program, memory',
    figure(({ first }) => first.megabytes),
    'MB',
    200,
  );
  report.add(
    'bound: first program, memory, the compiler alone',
    figure(({ bare }) => bare.megabytes),
    'MB',
  );
}

async function main(): Promise<void> {
  const folder = resolve('build/check-program');
  // The checker is not exported, so it is bundled from its source.
  const source = 'packages/programs/src/check/ProgramChecker.ts';
  const args = ['spec/support/bundleSources.mjs', source, folder, resolve('packages/programs/dist')];
  execFileSync(process.execPath, args, { stdio: 'inherit' });
  const checks = (await import(pathToFileURL(resolve(folder, 'main.mjs')).href)) as Checks;
  const report = new Report('typecheck-programs');
  report.add('check of a program of 30 lines, syntax', await cost(checks, 'syntax'), 'ms');
  report.add('check of a program of 30 lines, types', await cost(checks, 'types'), 'ms', BOUND);
  reportFirstPrograms(report);
  report.keep();
}

void main();
