// Rendering a prompt of many sections, as a ratio to template literals that write the same text; and rendering it again after
// one of its values has changed.
import 'reflect-metadata';
import { createApplication, definePrompt, defineSection, Param } from 'toolwright';
import { measure, type Contender } from './harness/measure.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

class Names {
  @Param('Who') who = 'Ada';
  @Param('What') what = 'orders';
}

const SIZES = { 10: undefined, 50: 3, 1_000: 1.8, 10_000: 1.8 } as const;
const report = new Report('rendering');

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

async function contendersFor(count: number): Promise<Record<string, Contender>> {
  const sections = Array.from({ length: count }, (_, index) =>
    defineSection({
      key: `s${String(index)}`,
      title: `Section ${String(index)}`,
      params: Names,
      template: `Help \${who} with \${what}, chapter ${String(index)}.\nAsk before you change anything.`,
    }),
  );
  const desk = definePrompt({ ns: 'bench', key: 'r', sections });
  const prompt = (await createApplication({ prompts: [desk] })).prompt(desk).bind(new Names());
  const names = new Names();
  const { contenders } = await peersOf('rendering', { count });
  const all = {
    'template literals': () => literal(count, names),
    toolwright: async () => (await prompt.render()).text,
    ...contenders,
  };
  return Object.fromEntries(Object.entries(all).map(([name, run]) => [name, async () => flat(await run())]));
}

/** Engines put texts together only when somebody looks into them; a provider does. */
function flat(text: unknown): string {
  if (typeof text !== 'string' || text.charCodeAt(text.length >> 1) === 0) throw new TypeError('no text came');
  return text;
}

async function main(): Promise<void> {
  for (const [size, bound] of Object.entries(SIZES)) {
    const contenders = await contendersFor(Number(size));
    await assertSame(contenders, literal(Number(size), new Names()));
    const measured = await measure(contenders);
    for (const name of Object.keys(contenders).filter((each) => each !== 'template literals'))
      report.add(
        `${size} sections, ${name} / template literals`,
        measured.ratio(name, 'template literals'),
        'x',
        name === 'toolwright' ? bound : undefined,
      );
  }
  report.keep();
}

void main();
