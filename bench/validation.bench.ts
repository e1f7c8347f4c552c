// From parsed JSON to an instance of the params class, as a ratio to Ajv's bare check of the same value; and whether a
// thousand other decorated classes in the process change that (class-validator's own storage is searched linearly).
import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import { IsString, Min } from 'class-validator';
import { createApplication, defineSection, definePrompt, defineTool, Param } from 'toolwright';
import { median, measure, report } from './measure.js';

class Address {
  @Param({ description: 'Street and number', minLength: 1 }) street!: string;
  @Param({ description: 'Postal code', pattern: /^\d{5}$/ }) zip!: string;
}

class Item {
  @Param('Item id') itemId!: string;
  @Param({ description: 'Pieces', integer: true, min: 1, max: 100 }) quantity!: number;
}

class PlaceOrderParams {
  @Param({ description: 'Customer id', pattern: /^c_\d+$/ }) customerId!: string;
  @Param({ description: 'E-mail', pattern: /^[^@\s]+@[^@\s]+$/ }) email!: string;
  @Param({ description: 'Kind of delivery', enum: ['standard', 'express'] }) delivery!: 'standard' | 'express';
  @Param({ description: 'Priority', integer: true, min: 0, max: 9 }) priority!: number;
  @Param('Gift wrapping') gift!: boolean;
  @Param({ description: 'Address', type: Address }) address!: Address;
  @Param({ description: 'Items', type: [Item], minItems: 1 }) items!: Item[];
  @Param({ description: 'Note', maxLength: 200 }) note = '';
}

const value: unknown = {
  customerId: 'c_4711',
  email: 'ada@example.com',
  delivery: 'express',
  priority: 3,
  gift: false,
  address: { street: 'Long Street 1', zip: '12345' },
  items: [
    { itemId: 'i1', quantity: 2 },
    { itemId: 'i2', quantity: 1 },
  ],
  note: 'Ring twice.',
};

/** Classes that have nothing to do with the call, as a large application has them. */
function declareOthers(count: number): void {
  for (let index = 0; index < count; index++) {
    class Other {
      name!: string;
      amount!: number;
    }
    IsString()(Other.prototype, 'name');
    Min(1)(Other.prototype, 'amount');
  }
}

async function parserOf(): Promise<(value: unknown) => unknown> {
  const tool = defineTool({
    name: 'place',
    description: 'Place an order.',
    params: PlaceOrderParams,
    handler: () => null,
  });
  const prompt = definePrompt({
    ns: 'bench',
    key: 'v',
    sections: [defineSection({ key: 's', title: 'S', tools: [tool] })],
  });
  const rendered = await (await createApplication({ prompts: [prompt] })).prompt(prompt).render();
  const parse = rendered.tools[0]?.metadata.parse;
  if (!parse?.(value).ok) throw new TypeError('the benchmark refuses a valid value');
  return parse;
}

async function main(): Promise<void> {
  const alone = await parserOf();
  const app = definePrompt({
    ns: 'bench',
    key: 'schema',
    sections: [
      defineSection({
        key: 's',
        title: 'S',
        tools: [defineTool({ name: 'p', description: 'P.', params: PlaceOrderParams, handler: () => null })],
      }),
    ],
  });
  const rendered = await (await createApplication({ prompts: [app] })).prompt(app).render();
  const check = new Ajv2020().compile(rendered.toolSchemas('json-schema')[0]?.parameters ?? {});
  if (!check(value)) throw new TypeError('the floor refuses a valid value');
  declareOthers(1_000);
  const crowded = await parserOf();
  const rounds = await measure({
    floor: async () => check(value),
    alone: async () => alone(value),
    crowded: async () => crowded(value),
    nothing: async () => true,
  });
  // The cost of awaiting is taken off both sides: it belongs to the measuring.
  const net = (round: (typeof rounds)[number], key: 'floor' | 'alone' | 'crowded'): number =>
    round[key] - round.nothing;
  report(
    'validation into an instance / bare Ajv',
    median(rounds.map((round) => net(round, 'alone') / net(round, 'floor'))),
    1.2,
  );
  report(
    'with 1,000 other decorated classes',
    median(rounds.map((round) => net(round, 'crowded') / net(round, 'alone'))),
    1.2,
  );
}

void main();
