// A tool call is a transaction: if its handler fails, in any way, the state is unchanged, and the model reads how to go on.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  createApplication,
  Deadline,
  type Logger,
  Param,
  Prompt,
  PromptEvaluationError,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
  ToolResult,
  ToolValidationError,
} from 'toolwright';
import { TransactionalTable } from 'toolwright/resources';

// State of the session: it changes by events only.
class ItemTaken {
  constructor(readonly item: string) {}
}

class Basket {
  constructor(readonly items: readonly string[]) {}

  @Reducer(() => ItemTaken)
  take(event: ItemTaken): SliceOp<Basket> {
    return SliceOps.replace(new Basket([...this.items, event.item]));
  }
}

// State outside the session: each call has an overlay of it, which is committed when the call succeeds and dropped otherwise.
class Stock extends TransactionalTable<string, number> {
  take(item: string): void {
    this.set(item, (this.get(item) ?? 0) - 1);
  }
}

class ItemParams {
  @Param('Item to take')
  item!: string;
}

// Every handler first takes the item out of the stock into the basket; then each ends in its own way.
@Section({ title: 'Shop' })
class ShopSection {
  @Tool('Take an item.')
  take({ item }: ItemParams, context: ToolContext): ToolResult {
    context.resources.get(Stock).take(item);
    context.session.dispatch(new ItemTaken(item));
    return ToolResult.ok(null, `Took: ${item}.`);
  }

  @Tool('Take an item, then return an error.')
  returnError(params: ItemParams, context: ToolContext): ToolResult {
    this.take(params, context);
    return ToolResult.error(`Nobody may take: ${params.item}. Choose another item.`);
  }

  @Tool('Take an item, then throw.')
  throwError(params: ItemParams, context: ToolContext): ToolResult {
    this.take(params, context);
    throw new Error('the till is out of order');
  }

  @Tool('Take an item, then find a fault in the arguments.')
  throwValidationError(params: ItemParams, context: ToolContext): ToolResult {
    this.take(params, context);
    throw new ToolValidationError(`"${params.item}" is not sold today; there are apples`);
  }

  @Tool({ description: 'Take an item, then be slow.', timeoutMs: 20 })
  async timeOut(params: ItemParams, context: ToolContext): Promise<ToolResult> {
    this.take(params, context);
    return sleep(60_000, ToolResult.ok(), { signal: context.signal }); // the signal ends the waiting
  }

  @Tool('Take an item, then be slow without a timeout of its own.')
  async passDeadline(params: ItemParams, context: ToolContext): Promise<ToolResult> {
    this.take(params, context);
    return sleep(60_000, ToolResult.ok(), { signal: context.signal });
  }

  @Tool('Take an item, then call another tool, which fails.')
  async callAnother(params: ItemParams, context: ToolContext): Promise<ToolResult> {
    this.take(params, context);
    const nested = await context.callTool({ id: context.newId(), name: 'return_error', arguments: { item: 'pear' } });
    return ToolResult.ok(null, `Took: ${params.item}. And then: ${nested.text}`);
  }
}

@Prompt({ ns: 'samples', key: 'shop', sections: [ShopSection] })
class Shop {}

// By default, warnings for the developer go to the console; this sample shows only the texts for the model.
const logger: Logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

async function main(): Promise<void> {
  const stock = new Stock([
    ['apple', 3],
    ['pear', 3],
  ]);
  const session = new Session();
  session.install(Basket, { initial: () => new Basket([]) });
  const app = await createApplication({ prompts: [Shop], resources: [bind(Stock, { value: stock })], logger });
  const rendered = await app.prompt(Shop).render({ session });

  const state = (): string =>
    `basket: ${session.slice(Basket).latest()?.items.join(', ')} | stock: ` +
    [...stock].map(([item, count]) => `${item} ${count}`).join(', ');

  const taken = await app.invoke(rendered, 'take', { item: 'apple' }, { session });
  console.log(`take -> ${taken.kind}\n${taken.text}\n[${state()}]\n`);
  assert.equal(state(), 'basket: apple | stock: apple 2, pear 3');
  const before = state();

  for (const name of ['return_error', 'throw_error', 'throw_validation_error', 'time_out']) {
    const outcome = await app.invoke(rendered, name, { item: 'pear' }, { session });
    console.log(`${name} -> ${outcome.kind}\n${wrap(outcome.text)}\n[${state()}]\n`);
    assert.equal(outcome.kind, name === 'time_out' ? 'timed_out' : 'failed');
    assert.equal(outcome.result.success, false);
    assert.equal(state(), before);
  }

  // The deadline belongs to the run, not to the call: it ends the run, so the model reads nothing.
  const late: unknown = await app
    .invoke(rendered, 'pass_deadline', { item: 'pear' }, { session, deadline: Deadline.in(1_000) })
    .catch((error: unknown) => error);
  assert.ok(late instanceof PromptEvaluationError);
  console.log(`pass_deadline -> ${late.name}, phase "${late.phase}"\n${late.message}\n[${state()}]\n`);
  assert.equal(late.phase, 'tool');
  assert.equal(state(), before);

  // A call from a handler is a savepoint: its changes are undone if it fails, earlier changes of the caller stay.
  const outer = await app.invoke(rendered, 'call_another', { item: 'apple' }, { session });
  console.log(`call_another -> ${outer.kind}\n${wrap(outer.text)}\n[${state()}]`);
  assert.equal(outer.kind, 'succeeded');
  assert.equal(state(), 'basket: apple, apple | stock: apple 1, pear 3');
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
