// Measures the rendering of a prompt of many sections with new values each time, as a ratio to template literals that write the same
// text.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, Param, type BoundPrompt } from 'toolwright';
import { inForm } from './harness/effort.js';
import { measure, type Contender } from './harness/measure.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

class Names {
  @Param('Who') who = 'Ada';
  @Param('What') what = 'orders';
}

/** A contender. It may ignore the values if it has its own. */
type Render = (names: Names) => unknown;

const BOUNDS: Readonly<Record<number, number | undefined>> = { 50: 2, 1_000: 1.2, 10_000: 1.2 };
const SIZES = inForm([10, 50, 1_000, 10_000], [50, 1_000]);
const FLOOR = 'template literals';
const report = new Report('rendering');
let times = 0;

function literal(count: number, { who, what }: Names): string {
  const parts: string[] = [];
  for (let index = 0; index < count; index++) {
    const [number, key] = [String(index + 1), `s${String(index)}`];
    parts.push(
      `## ${number}. Section ${String(index)} (${key})\n\nHelp ${who} with ${what}, chapter ${String(index)}.\nAsk before you change anything.`,
    );
  }
  return parts.join('\n\n');
}

async function promptOf(count: number): Promise<BoundPrompt> {
  const sections = Array.from({ length: count }, (_, index) =>
    defineSection({
      key: `s${String(index)}`,
      title: `Section ${String(index)}`,
      params: Names,
      template: `Help \${who} with \${what}, chapter ${String(index)}.\nAsk before you change anything.`,
    }),
  );
  const desk = definePrompt({ ns: 'bench', key: 'r', sections });
  return (await createApplication({ prompts: [desk] })).prompt(desk);
}

async function contendersFor(count: number): Promise<Readonly<Record<string, Render>>> {
  const prompt = await promptOf(count);
  const { contenders } = await peersOf<Names>('rendering', { count });
  return {
    [FLOOR]: (names) => literal(count, names),
    toolwright: async (names) => (await prompt.bind(names).render()).text,
    ...contenders,
  };
}

/** Forces the engine to flatten a concatenated string, as a provider would by reading it. */
function flatten(text: unknown): string {
  if (typeof text !== 'string' || text.charCodeAt(text.length >> 1) === 0) throw new TypeError('no text came');
  return text;
}

function bindNames(all: Readonly<Record<string, Render>>, names: () => Names): Record<string, Contender> {
  return Object.fromEntries(Object.entries(all).map(([name, run]) => [name, async () => flatten(await run(names()))]));
}

/** Creates values that were not rendered before. */
function newNames(): Names {
  return Object.assign(new Names(), { who: `Ada ${String(++times)}`, what: `orders of week ${String(times)}` });
}

async function main(): Promise<void> {
  for (const size of SIZES) {
    const all = await contendersFor(size);
    await assertSame(
      bindNames(all, () => new Names()),
      literal(size, new Names()),
    );
    const measured = await measure(bindNames(all, newNames), { clock: 'processor' });
    for (const name of Object.keys(all).filter((each) => each !== FLOOR))
      report.add(
        `${String(size)} sections, ${name} / ${FLOOR}`,
        measured.ratio(name, FLOOR),
        'x',
        name === 'toolwright' ? BOUNDS[size] : undefined,
      );
  }
  report.keep();
}

void main();
