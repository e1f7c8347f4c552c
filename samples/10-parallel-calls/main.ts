// The calls of one turn: reads run together, writes run one at a time and in order, and each call is atomic.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  createApplication,
  type Logger,
  Param,
  Prompt,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  type ToolCall,
  ToolContext,
  type ToolOutcome,
  ToolResult,
} from 'toolwright';
import { failAfter } from 'toolwright/testing';

class Stocked {
  constructor(
    readonly item: string,
    readonly count: number,
  ) {}
}

class Shelf {
  constructor(readonly counts: Readonly<Record<string, number>>) {}

  @Reducer(() => Stocked)
  stock({ item, count }: Stocked): SliceOp<Shelf> {
    return SliceOps.replace(new Shelf({ ...this.counts, [item]: count }));
  }
}

/** When handlers began and ended, in order. */
const timeline: string[] = [];

/** Runs once while a handler waits: a change from outside. */
let meanwhile: (() => void) | undefined;

async function noted<T>(what: string, work: () => T): Promise<T> {
  timeline.push(`${what} begins`);
  await sleep(50);
  meanwhile?.();
  meanwhile = undefined;
  const result = work();
  timeline.push(`${what} ends`);
  return result;
}

const countOf = (context: ToolContext, item: string): number =>
  context.session.slice(Shelf).latest()?.counts[item] ?? 0;

class ItemParams {
  @Param('Item on the shelf')
  item!: string;
}

class CountParams extends ItemParams {
  @Param('How many there are')
  count!: number;
}

@Section({ title: 'Shelf' })
class ShelfSection {
  @Tool({ description: 'Say how many there are.', hints: { readOnly: true } })
  async countItems({ item }: ItemParams, context: ToolContext): Promise<string> {
    return noted(`count ${item}`, () => `${item}: ${String(countOf(context, item))}`);
  }

  @Tool('Take one.')
  async takeItem({ item }: ItemParams, context: ToolContext): Promise<ToolResult> {
    const before = countOf(context, item);
    return noted(`take ${item}`, () => {
      context.session.dispatch(new Stocked(item, before - 1));
      return before > 0 ? ToolResult.ok(null, `Took: ${item}.`) : ToolResult.error(`There is no ${item}.`);
    });
  }

  // Idempotent, so that it may be repeated after a conflict.
  @Tool({ description: 'Set how many there are.', hints: { idempotent: true } })
  async setCount({ item, count }: CountParams, context: ToolContext): Promise<string> {
    const before = countOf(context, item);
    return noted(`set ${item}, attempt ${String(context.call.attempt)}`, () => {
      context.session.dispatch(new Stocked(item, count));
      return `${item}: ${String(before)} before, ${String(count)} now`;
    });
  }

  @Tool('Take one, and another item with it if there is any.')
  async takeBoth({ item }: ItemParams, context: ToolContext): Promise<ToolResult> {
    context.session.dispatch(new Stocked(item, countOf(context, item) - 1));
    const nested = await context.callTool({ id: context.newId(), name: 'take_item', arguments: { item: 'lemon' } });
    return ToolResult.ok(null, `Took: ${item}. With it: ${nested.text}`);
  }

  @Tool('Pack what is on the shelf.')
  packAll(context: ToolContext): string {
    context.session.slice(Shelf).seed(new Shelf({}));
    return 'Packed.';
  }
}

@Prompt({ ns: 'samples', key: 'shelf', sections: [ShelfSection] })
class ShelfPrompt {}

async function main(): Promise<void> {
  const silent = (): void => {};
  const logger: Logger = { debug: silent, info: silent, warn: silent, error: silent };
  const app = await createApplication({
    prompts: [ShelfPrompt],
    logger,
    interceptors: [failAfter('pack_all')], // its handler runs to the end, and then the call fails
  });
  const session = new Session();
  session.install(Shelf, { initial: () => new Shelf({}) });
  session.dispatch(new Stocked('apple', 2));
  const rendered = await app.prompt(ShelfPrompt).render({ session });
  const shelf = (): string => JSON.stringify(session.slice(Shelf).latest()?.counts);
  let calls = 0;
  const call = (name: string, item: string): ToolCall => ({ id: `c${String(++calls)}`, name, arguments: { item } });
  const show = (outcomes: readonly ToolOutcome[]): void => {
    for (const { kind, text } of outcomes) console.log(wrap(`${kind}: ${text}`));
    console.log(`shelf: ${shelf()}\n`);
  };

  console.log('--- One turn: two reads, a write, a write that fails, a read ---');
  const outcomes = await app.callTools(
    rendered,
    [
      call('count_items', 'apple'),
      call('count_items', 'lemon'),
      call('take_item', 'apple'),
      call('take_item', 'lemon'),
      call('count_items', 'apple'),
    ],
    { session },
  );
  console.log(`${timeline.join('\n')}\n`);
  show(outcomes);
  assert.deepEqual(timeline.slice(0, 4), [
    'count apple begins',
    'count lemon begins',
    'count apple ends',
    'count lemon ends',
  ]);
  assert.deepEqual(timeline.slice(4, 6), ['take apple begins', 'take apple ends']);
  assert.deepEqual(
    outcomes.map(({ text }) => text),
    ['apple: 2', 'lemon: 0', 'Took: apple.', 'There is no lemon.', 'apple: 1'],
  );
  assert.equal(shelf(), '{"apple":1}'); // no lemon: -1

  console.log('--- Somebody else changes what a call has read ---');
  meanwhile = () => session.dispatch(new Stocked('apple', 9));
  const lost = await app.callTool(rendered, call('take_item', 'apple'), { session });
  show([lost]);
  assert.equal(lost.kind, 'conflicted');
  assert.equal(shelf(), '{"apple":9}');

  console.log('--- The same, met by an idempotent tool: it runs once more ---');
  timeline.length = 0;
  meanwhile = () => session.dispatch(new Stocked('apple', 4));
  const again = await app.invoke(rendered, 'set_count', { item: 'apple', count: 5 }, { session });
  console.log(timeline.join('\n'));
  show([again]);
  assert.equal(again.text, 'apple: 4 before, 5 now'); // it saw the change
  assert.equal(timeline.length, 4);

  console.log('--- A call within a call is a savepoint ---');
  const both = await app.callTool(rendered, call('take_both', 'apple'), { session });
  show([both]);
  assert.equal(both.text, 'Took: apple. With it: There is no lemon.');
  assert.equal(shelf(), '{"apple":4}'); // the apple is taken, the lemon is as it was

  console.log('--- A failure injected after the handler: nothing of it is left ---');
  const packed = await app.invoke(rendered, 'pack_all', {}, { session });
  show([packed]);
  assert.equal(packed.kind, 'failed');
  assert.equal(shelf(), '{"apple":4}');
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
