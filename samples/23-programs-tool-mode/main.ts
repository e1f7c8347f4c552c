// The model sends its programs through one tool of the prompt; each of them commits as a whole, or not at all.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolRefusal } from 'toolwright';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { programs } from '@toolwright/programs';
import { ToolInvoked } from 'toolwright/events';

/** A line of the stock list. */
class Booking {
  constructor(
    readonly item: string,
    readonly quantity: number,
  ) {}
}

class BookParams {
  @Param('What is taken out') item!: string;
  @Param({ description: 'How many', integer: true, min: 1 }) quantity!: number;
}

@Section({ title: 'Stock', template: 'Ten pieces of each item are in stock.' })
class StockSection {
  @Tool({ description: 'How many pieces of an item are left.', result: Number, hints: { readOnly: true } })
  countItem(@Param('item', 'The item') item: string, { session }: ToolContext): number {
    const taken = session.slice(Booking).where((booking) => booking.item === item);
    return taken.reduce((left, { quantity }) => left - quantity, 10);
  }

  @Tool({ description: 'Take pieces of an item out of the stock.' })
  takeOut({ item, quantity }: BookParams, context: ToolContext): string {
    const left = this.countItem(item, context);
    if (quantity > left) throw new ToolRefusal(`Only ${left} of ${item} are left.`);
    context.session.dispatch(new Booking(item, quantity));
    return `Took ${quantity} of ${item}.`;
  }
}

// The model is offered programs in place of the tools; `beside` (the default) offers both.
@Prompt({ ns: 'shop', key: 'stock', sections: [StockSection], extensions: [programs({ offer: 'instead' })] })
class StockPrompt {}

const send = (code: string): ScriptedTurn => ({ toolCalls: [{ name: 'execute_program', arguments: { code } }] });

// Not a model: a script. Its first program fails half-way, its second one checks first.
const script: readonly ScriptedTurn[] = [
  send(`for (const [item, quantity] of [["lamp", 4], ["chair", 12]] as const) {
  console.log(await take_out({ item, quantity }));
}`),
  send(`const items = ["lamp", "chair"];
const left = await Promise.all(items.map((item) => count_item({ item })));
for (const [index, item] of items.entries()) {
  await take_out({ item, quantity: Math.min(left[index] ?? 0, 4) });
}
return left;`),
  { text: 'Four of each are packed.' },
];

async function main(): Promise<void> {
  await using app = await createApplication({
    prompts: [StockPrompt],
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const session = new Session();
  const heard: string[] = [];
  app.eventBus.subscribe(ToolInvoked, ({ name, kind, caller }) => {
    heard.push(`${caller === 'program' ? '  ' : ''}${name} ${kind}`);
  });

  const adapter = new ScriptedModel(script);
  const response = await app.evaluate(app.prompt(StockPrompt), { adapter, session });
  const offered = adapter.requests[0]?.toolSchemas('json-schema').map(({ name }) => name);
  console.log(`offered: ${String(offered)}`);
  for (const message of response.transcript) {
    if (message.role === 'tool')
      console.log(`\n--- ${message.failed ? 'failed' : 'succeeded'} ---\n${message.content}`);
  }
  console.log(`\n--- Events: calls of programs come before the program's own ---\n${heard.join('\n')}`);

  const bookings = session.slice(Booking).all();
  assert.deepEqual(
    bookings.map(({ item, quantity }) => `${quantity} ${item}`),
    ['4 lamp', '4 chair'],
  );
  assert.equal(response.text, 'Four of each are packed.');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
