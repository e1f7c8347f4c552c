// Measures the time from new declarations to their schemas, to an application, and to validators, in milliseconds a tool, and whether
// it stays the same for a thousand tools.
import 'reflect-metadata';
import { IsOptional, Matches } from 'class-validator';
import { createApplication, definePrompt, defineSection, defineTool, Param, type Constructor } from 'toolwright';
import { schemaOf } from 'toolwright/schema';
import { inForm } from './harness/effort.js';
import { figureOf, type Figure } from './harness/Figure.js';
import { peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';

const SIZES = [10, 100, 1_000] as const;
const ROUNDS = inForm(15, 9);
const PROPERTIES = ['amount', 'id', 'inner', 'note'];
const value = { id: '#1', amount: 2, note: 'n', inner: { street: 's', zip: '12345' } };
const report = new Report('start');

/** Prepares work for a number of tools. The returned function is timed once. */
type Prepare = (count: number) => () => unknown;
/** The result for each tool: its properties, or true if it exists. */
type Given = readonly (readonly string[] | boolean)[];

/** Creates a new params class each time, so that contenders do not profit from each other's caches. */
function createParamsClass(): Constructor {
  class Inner {
    street!: string;
    zip!: string;
  }
  Param('Street')(Inner.prototype, 'street');
  Param({ description: 'Zip', type: String, pattern: /^\d{5}$/ })(Inner.prototype, 'zip');
  Reflect.defineMetadata('design:type', String, Inner.prototype, 'street');
  class Params {
    id!: string;
    amount = 1;
    note?: string;
    inner!: Inner;
  }
  Param({ description: 'Id', type: String })(Params.prototype, 'id');
  Matches(/^#\d+$/)(Params.prototype, 'id');
  Param({ description: 'Amount', min: 1 })(Params.prototype, 'amount');
  Param({ description: 'Note', type: String, optional: true })(Params.prototype, 'note');
  IsOptional()(Params.prototype, 'note');
  Param({ description: 'Inner', type: Inner })(Params.prototype, 'inner');
  return Params;
}

function propertiesOf({ properties }: { readonly properties?: unknown }): readonly string[] {
  return Object.keys(properties ?? {}).sort();
}

/** Prepares reading the classes and writing their schemas for a provider. */
function prepareSchemas(count: number): () => Given {
  const classes = Array.from({ length: count }, createParamsClass);
  return () => classes.map((type) => propertiesOf(schemaOf(type, { target: 'openai', strict: true })));
}

/** Prepares the same including the declarations, which an application makes once on loading. */
function prepareDeclaredSchemas(count: number): () => Given {
  return () => prepareSchemas(count)();
}

/** Prepares the schemas with everything else that an application needs: checks of declarations, the tree, the text. */
function prepareApplication(count: number): () => Promise<Given> {
  const render = promptOf(count);
  return async () =>
    (await render()).toolSchemas('openai', { strict: true }).map(({ parameters }) => propertiesOf(parameters));
}

function promptOf(count: number) {
  const tools = Array.from({ length: count }, (_, index) =>
    defineTool({
      name: `tool_${String(index)}`,
      description: 'Does it.',
      params: createParamsClass(),
      handler: () => null,
    }),
  );
  const prompt = definePrompt({ ns: 'bench', key: 's', sections: [defineSection({ key: 's', title: 'S', tools })] });
  return async () => (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
}

/** Measures the first check of each tool's params, which creates its validator. */
async function measureFirstUse(count: number): Promise<number> {
  const { tools } = await promptOf(count)();
  const start = performance.now();
  const isGood = tools.every(({ metadata }) => metadata.parse(value).ok);
  const cost = (performance.now() - start) / count;
  if (!isGood || tools.length !== count) throw new TypeError('a validator refuses a valid value');
  return cost;
}

/** Measures milliseconds a tool for each contender in each round, with new declarations in each round. */
async function measureRounds(
  contenders: Readonly<Record<string, Prepare>>,
  count: number,
): Promise<Map<string, number[]>> {
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, prepare] of Object.entries(contenders)) {
      const run = prepare(count);
      const start = performance.now();
      const given = (await run()) as Given;
      const cost = performance.now() - start;
      assertAll(name, given, count);
      times.get(name)?.push(cost / count);
    }
  return times;
}

/** Checks that all contenders report the same number of tools, with the same properties. */
function assertAll(name: string, given: Given, count: number): void {
  const isSame = given.every((each) => each === true || String(each) === String(PROPERTIES));
  if (!isSame || given.length !== count) throw new TypeError(`${name} gives ${JSON.stringify(given.slice(0, 3))}`);
}

async function main(): Promise<void> {
  const peers = await peersOf<number>('start', {});
  const contenders = {
    'schemas, toolwright': prepareSchemas,
    'declarations and schemas, toolwright': prepareDeclaredSchemas,
    'a whole application, toolwright': prepareApplication,
    ...(peers.contenders as Readonly<Record<string, Prepare>>),
  };
  await measureRounds(contenders, 100);
  const ours = new Map<number, readonly number[]>();
  for (const size of SIZES) {
    const times = await measureRounds(contenders, size);
    const own = times.get('schemas, toolwright') ?? [];
    ours.set(size, own);
    for (const [name, costs] of times)
      report.add(`${String(size)} tools, ${name}`, figureOf(costs), 'ms a tool', boundOf(name, size));
    const zod = times.get('zod toJSONSchema');
    if (zod === undefined || size !== 1_000) continue;
    report.add('1,000 tools, schemas, toolwright / zod toJSONSchema', comparePairs(own, zod), 'x', 1 / 3);
    const [all, zods] = [times.get('declarations and schemas, toolwright'), times.get('declarations and schemas, zod')];
    report.add('1,000 tools, with their declarations, toolwright / zod', comparePairs(all ?? [], zods ?? []), 'x');
  }
  const few = ours.get(100) ?? [];
  report.add('schemas, 1,000 tools / 100 tools', comparePairs(ours.get(1_000) ?? [], few), 'x', 1.3);
  const costs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) costs.push(await measureFirstUse(1_000));
  report.add('validator, made and used for the first time', figureOf(costs), 'ms a tool', 0.2);
  report.keep();
}

function boundOf(name: string, size: number): number | undefined {
  return name === 'schemas, toolwright' && size === 1_000 ? 0.05 : undefined;
}

function comparePairs(left: readonly number[], right: readonly number[]): Figure {
  return figureOf(left.map((cost, round) => cost / (right[round] ?? Number.NaN)));
}

void main();
