// Measures CPU time and memory of a new process that declares a tool and calls it once, over an empty process.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { inForm } from './harness/effort.js';
import { figureOf, type Figure } from './harness/Figure.js';
import { peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

const ROUNDS = inForm(25, 9);
const MEGABYTE = 1024 * 1024;
const root = process.cwd();
const report = new Report('cold');

/** The arguments of the call, and the result of every contender. */
const given = { orderId: 'o1', count: 2, tags: ['new'] };
const result = { orderId: 'o1', total: 2 };

/** The measurements that a process prints when it ends. */
interface Cost {
  /** Milliseconds of all threads, user and system. */
  readonly cpu: number;
  readonly bytes: number;
  readonly result: unknown;
}

/** A program that sets the constant `result`, and the folder from which its imports are resolved. */
interface Program {
  readonly text: string;
  readonly from: string;
}

/** Declares and calls the tool; `rules` are further decorators. Compilers emit the metadata for decorated members. */
const callOnce = (rules = ''): Program => ({
  from: root,
  text: `
    import 'reflect-metadata';
    import { createApplication, definePrompt, defineSection, defineTool, Param } from 'toolwright';
    class Order { count = 1; }
    const types = { orderId: String, count: Number, note: String, tags: Array };
    for (const [name, type] of Object.entries(types)) Reflect.defineMetadata('design:type', type, Order.prototype, name);
    Param('Order id')(Order.prototype, 'orderId');
    Param({ description: 'How many', integer: true, min: 1 })(Order.prototype, 'count');
    Param({ description: 'Note', optional: true })(Order.prototype, 'note');
    Param({ description: 'Tags', type: [String] })(Order.prototype, 'tags');
    ${rules}
    const handler = ({ orderId, count }) => ({ orderId, total: count });
    const tool = defineTool({ name: 'order', description: 'Does it.', params: Order, handler });
    const section = defineSection({ key: 'orders', title: 'Orders', template: 'Orders.', tools: [tool] });
    const prompt = definePrompt({ ns: 'bench', key: 'cold', sections: [section] });
    const app = await createApplication({ prompts: [prompt] });
    const outcome = await app.invoke(await app.prompt(prompt).render(), 'order', given);
    const result = outcome.result.value;`,
});

const FIVE_RULES = `
    const { IsInt, IsOptional, IsString, Length, Min } = await import('class-validator');
    Length(1, 9)(Order.prototype, 'orderId');
    IsInt()(Order.prototype, 'count');
    Min(1)(Order.prototype, 'count');
    IsString()(Order.prototype, 'note');
    IsOptional()(Order.prototype, 'note');`;

const PEERS_OF_RULES = ['reflect-metadata', 'class-validator', 'class-transformer'];

/** Modules of Node that a first call loads. */
const NODE_MODULES = ['module', 'timers/promises', 'stream', 'vm', 'crypto'];
const LEAST = 'bound: reflect-metadata and the modules of Node that a call loads';

const own = {
  nothing: { from: root, text: 'const result = undefined;' },
  'toolwright, types of @Param': callOnce(),
  'toolwright, five rules of class-validator': callOnce(FIVE_RULES),
  [LEAST]: {
    from: root,
    text: `import 'reflect-metadata';
    ${NODE_MODULES.map((name) => `import 'node:${name}';`).join('\n')}
    const result = undefined;`,
  },
  'class-validator and class-transformer, imported only': {
    from: root,
    text: `${PEERS_OF_RULES.map((name) => `import '${name}';`).join('\n')}\nconst result = undefined;`,
  },
} satisfies Readonly<Record<string, Program>>;

function measureProcess({ text, from }: Program): Cost {
  const program = `const given = ${JSON.stringify(given)};
${text}
const { user, system } = process.cpuUsage();
const bytes = process.memoryUsage.rss();
console.log(JSON.stringify({ cpu: (user + system) / 1_000, bytes, result }));`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { cwd: from, encoding: 'utf8' })) as Cost;
}

/** Checks that a contender called the tool. */
function assertResult(name: string, cost: Cost): void {
  if (cost.result !== undefined && JSON.stringify(cost.result) !== JSON.stringify(result))
    throw new TypeError(`${name} gives ${JSON.stringify(cost.result)}`);
}

/** Measures the programs in turn, so that noise of the machine affects all of them. */
function measureRounds(programs: Readonly<Record<string, Program>>): readonly Readonly<Record<string, Cost>>[] {
  const entries = Object.entries(programs);
  for (const [name, program] of entries) assertResult(name, measureProcess(program));
  return Array.from({ length: ROUNDS }, (_, round) => {
    const costs = entries.map((_entry, turn) => {
      const [name, program] = entries[(turn + round) % entries.length]!;
      return [name, measureProcess(program)] as const;
    });
    return Object.fromEntries(costs);
  });
}

async function main(): Promise<void> {
  const { contenders } = await peersOf('cold', {});
  const peers = Object.entries(contenders).map(
    ([name, program]) => [name, { text: program() as string, from: join(root, 'bench') }] as const,
  );
  const programs: Readonly<Record<string, Program>> = { ...own, ...Object.fromEntries(peers) };
  const rounds = measureRounds(programs);
  const over = (of: string, base: string, cost: (of: Cost) => number): Figure =>
    figureOf(rounds.map((round) => cost(round[of]!) - cost(round[base]!)));
  const cpu = (cost: Cost): number => cost.cpu;
  const memory = ({ bytes }: Cost): number => bytes / MEGABYTE;
  const ours = 'toolwright, types of @Param';
  for (const name of Object.keys(programs).slice(1)) {
    report.add(`${name}, over an empty process, CPU`, over(name, 'nothing', cpu), 'ms', name === ours ? 60 : undefined);
    report.add(
      `${name}, over an empty process, memory`,
      over(name, 'nothing', memory),
      'MB',
      name === ours ? 16 : undefined,
    );
  }
  const ruled = 'toolwright, five rules of class-validator';
  const libraries = 'class-validator and class-transformer, imported only';
  report.add(`${ruled}, over both libraries, CPU`, over(ruled, libraries, cpu), 'ms');
  report.add(`${ruled}, over both libraries, memory`, over(ruled, libraries, memory), 'MB');
  report.keep();
}

void main();
