// Measures the time from parsed JSON to an instance of the params class, as a ratio to Ajv's check of the same value; the time to find
// four mistakes; and whether other decorated classes in the process change it (class-validator searches its storage linearly).
import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import { IsString, Min } from 'class-validator';
import { createApplication, defineSection, definePrompt, defineTool } from 'toolwright';
import { inForm } from './harness/effort.js';
import { figureOf, type Figure } from './harness/Figure.js';
import { measure, type Contender } from './harness/measure.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';
import { Address, Item, mistaken, mistakes, PlaceOrderParams, valid } from './tasks/placeOrder.js';

const TIMES = 100;
const BOUND = 'Ajv and instances written by hand';
const CROWDS = inForm([0, 100, 1_000], [0]);
const report = new Report('validation');
let others = 0;

/** Declares classes unrelated to the call, as in a large application. */
function declareOthers(count: number): void {
  for (; others < count; others++) {
    class Other {
      name!: string;
      amount!: number;
    }
    IsString()(Other.prototype, 'name');
    Min(1)(Other.prototype, 'amount');
  }
}

async function toolOf(): Promise<{
  readonly parse: (value: unknown) => { readonly ok: boolean; readonly issues?: readonly unknown[] };
  readonly schema: object;
}> {
  const tool = defineTool({
    name: 'place',
    description: 'Place an order.',
    params: PlaceOrderParams,
    handler: () => null,
  });
  const section = defineSection({ key: 's', title: 'S', tools: [tool] });
  const prompt = definePrompt({ ns: 'bench', key: 'v', sections: [section] });
  const rendered = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  const parse = rendered.tools[0]?.metadata.parse;
  if (!parse?.(valid).ok) throw new TypeError('the benchmark refuses a valid value');
  return { parse, schema: rendered.toolSchemas('json-schema')[0]?.parameters ?? {} };
}

/** Creates instances of the params classes from a checked value: all that Toolwright does and Ajv does not. */
function createParams(value: typeof valid): PlaceOrderParams {
  const params = new PlaceOrderParams();
  params.customerId = value.customerId;
  params.email = value.email;
  params.delivery = value.delivery as PlaceOrderParams['delivery'];
  params.priority = value.priority;
  params.gift = value.gift;
  params.address = createAddress(value.address);
  params.items = value.items.map(createItem);
  params.note = value.note;
  return params;
}

function createAddress({ street, zip }: (typeof valid)['address']): Address {
  const address = new Address();
  address.street = street;
  address.zip = zip;
  return address;
}

function createItem({ itemId, quantity }: (typeof valid)['items'][number]): Item {
  const item = new Item();
  item.itemId = itemId;
  item.quantity = quantity;
  return item;
}

async function main(): Promise<void> {
  const { schema } = await toolOf();
  const check = new Ajv2020().compile(schema);
  if (!check(valid)) throw new TypeError('the floor refuses a valid value');
  const peers = await peersOf<unknown>('validation', {});
  let alone: readonly number[] | undefined;
  for (const crowd of CROWDS) {
    declareOthers(crowd);
    const { parse } = await toolOf();
    const contenders: Record<string, Contender> = {
      ajv: repeatCheck(() => check(valid)),
      toolwright: repeatCheck(() => parse(valid).ok),
      [BOUND]: repeatCheck(() => check(valid) && createParams(valid) instanceof PlaceOrderParams),
    };
    for (const [name, run] of Object.entries(peers.contenders)) contenders[name] = repeatCheck(() => run(valid));
    await assertSame(contenders, true);
    const measured = await measure(contenders);
    const ours = measured.ratios('toolwright', 'ajv');
    alone ??= ours;
    for (const name of Object.keys(contenders).filter((each) => each !== 'ajv'))
      report.add(
        `${name === BOUND ? 'bound: ' : ''}${name}, beside ${String(crowd)} decorated classes / Ajv`,
        measured.ratio(name, 'ajv'),
        'x',
        name === 'toolwright' ? 1 : undefined,
      );
    if (crowd > 0)
      report.add(`growth, beside ${String(crowd)} classes / beside none`, compareGrowth(ours, alone), 'x', 1.1);
    report.add(`Ajv, beside ${String(crowd)} decorated classes, ${String(TIMES)} values`, measured.time('ajv'), 'ms');
  }
  await compareMistakes(check);
  report.keep();
}

/** Compares the search for all mistakes with Ajv's search for the first one. */
async function compareMistakes(check: (value: unknown) => boolean): Promise<void> {
  const { parse } = await toolOf();
  const contenders = {
    ajv: repeatCheck(() => !check(mistaken)),
    toolwright: repeatCheck(() => parse(mistaken).issues?.length === mistakes.length),
  };
  await assertSame(contenders, true);
  const measured = await measure(contenders, { clock: 'processor' });
  report.add('four mistakes, toolwright / first error of Ajv', measured.ratio('toolwright', 'ajv'), 'x', 25);
}

/** Compares ratios to Ajv, round by round. They were measured one after the other, because classes cannot be undeclared. */
function compareGrowth(ours: readonly number[], alone: readonly number[]): Figure {
  return figureOf(ours.map((ratio, round) => ratio / (alone[round] ?? Number.NaN)));
}

/** Repeats a check. Awaiting a promise costs as much as a check, so only real promises are awaited. */
function repeatCheck(run: () => unknown): Contender {
  return async () => {
    let isGood = true;
    for (let time = 0; time < TIMES; time++) {
      const given = run();
      isGood = (given instanceof Promise ? await given : given) === true && isGood;
    }
    return isGood;
  };
}

void main();
