// State changes by events and reducers; it is restored from a snapshot, and moved as JSON. Subscribers receive events.
import 'reflect-metadata';
import assert from 'node:assert/strict';
import {
  createApplication,
  type Logger,
  Param,
  Prompt,
  Reducer,
  type RunEvent,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
  ToolResult,
} from 'toolwright';
import type { SliceDeclaration } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import {
  PrefixMeasured,
  PromptExecuted,
  PromptRendered,
  ToolInvoked,
  ToolProgressed,
  ToolsRendered,
} from 'toolwright/events';

// An event describes a change. It is declared before the state that it changes.
class ExpenseBooked {
  constructor(
    readonly what: string,
    readonly euros: number,
  ) {}
}

// State: each event produces a new value, and the old one never changes. Values in a slice are frozen.
class Trip {
  constructor(
    readonly total: number,
    readonly expenses: readonly string[],
  ) {}

  @Reducer(() => ExpenseBooked)
  book({ what, euros }: ExpenseBooked): SliceOp<Trip> {
    return SliceOps.replace(new Trip(this.total + euros, [...this.expenses, what]));
  }
}

// Every call dispatches its outcome to the session's reducers. A slice that counts them is a log: it is never rolled back.
class Calls {
  constructor(readonly kinds: readonly string[]) {}

  @Reducer(() => ToolInvoked)
  count({ name, kind }: ToolInvoked): SliceOp<Calls> {
    return SliceOps.replace(new Calls([...this.kinds, `${name} ${kind}`]));
  }
}

const slices: readonly SliceDeclaration[] = [
  { type: Trip, name: 'trip', initial: () => new Trip(0, []) },
  { type: Calls, name: 'calls', initial: () => new Calls([]), policy: 'log' },
];

class PayParams {
  @Param('What for')
  what!: string;

  @Param('Amount in euros')
  euros!: number;

  @Param({ description: 'Number of the card', secret: true })
  card!: string;
}

@Section({ title: 'Expenses' })
class ExpensesSection {
  @Tool('Pay by card and book it.')
  payByCard({ what, euros, card }: PayParams, context: ToolContext): ToolResult {
    context.session.dispatch(new ExpenseBooked(what, euros));
    context.reportProgress({ fraction: 0.5, message: `Asking the bank about ${what}` });
    if (euros > 500) throw new Error(`the bank refused card ${card}, request token-7f3a`);
    return ToolResult.ok(null, `Paid ${String(euros)} euros with ${card}.`);
  }
}

@Prompt({ ns: 'samples', key: 'expenses', sections: [ExpensesSection] })
class Expenses {}

async function main(): Promise<void> {
  const log: string[] = [];
  const note = (message: string, fields?: unknown): void => void log.push(`${message} ${JSON.stringify(fields)}`);
  const logger: Logger = { debug: note, info: note, warn: note, error: note };
  const app = await createApplication({
    prompts: [Expenses],
    logger,
    // Applied to every text that is kept; the model and the handlers see the texts as they are.
    redact: (text) => text.replace(/token-\w+/g, '[token]'),
  });

  // The bus receives the events of every run of the application. A subscriber that fails is logged, and changes nothing.
  const heard: string[] = [];
  app.eventBus.subscribe(ToolInvoked, async ({ name, kind }) => {
    await Promise.resolve(); // somewhere slow
    heard.push(`${name} ${kind}`);
  });
  const unsubscribe = app.eventBus.subscribe(ToolInvoked, () => {
    throw new Error('this subscriber is broken');
  });

  console.log('--- A run: one call succeeds, one fails ---');
  const card = '4000-1234-5678';
  const session = new Session({ slices });
  const adapter = new ScriptedModel([
    { toolCalls: [{ name: 'pay_by_card', arguments: { what: 'train', euros: 40, card } }] },
    { toolCalls: [{ name: 'pay_by_card', arguments: { what: 'yacht', euros: 900, card } }] },
    { text: 'The train is paid, the yacht is not.' },
  ]);
  const events: RunEvent[] = [];
  const response = await app.evaluate(app.prompt(Expenses), {
    adapter,
    session,
    onEvent: (event) => void events.push(event), // receives the events of this run only
  });
  console.log(`${events.map((event) => event.constructor.name).join('\n')}\n`);
  assert.deepEqual(
    events.map((event) => event.constructor),
    [
      ...[PromptRendered, ToolsRendered, PrefixMeasured],
      ...[ToolProgressed, ToolInvoked, PrefixMeasured, ToolProgressed, ToolInvoked, PrefixMeasured],
      PromptExecuted,
    ],
  );

  console.log('--- What subscribers made of it ---');
  await app.eventBus.flush(); // waits for asynchronous ones
  unsubscribe();
  console.log(`${heard.join('\n')}\n${log.find((line) => line.includes('subscriber')) ?? ''}\n`);
  assert.deepEqual(heard, ['pay_by_card succeeded', 'pay_by_card failed']);
  assert.equal(log.filter((line) => line.includes('this subscriber is broken')).length, 2);

  console.log('--- The state: what failed is not in it; the log has both ---');
  const state = (of: Session): string =>
    `trip: ${JSON.stringify(of.slice(Trip).latest())}\ncalls: ${of.slice(Calls).latest()?.kinds.join(', ') ?? 'none'}`;
  console.log(`${state(session)}\n`);
  assert.deepEqual(session.slice(Trip).latest(), new Trip(40, ['train']));
  assert.equal(session.slice(Calls).latest()?.kinds.length, 2);

  console.log('--- A snapshot, a change, the snapshot again: logs stay ---');
  const snapshot = session.snapshot();
  session.dispatch(new ExpenseBooked('hotel', 200));
  assert.equal(session.slice(Trip).latest()?.total, 240);
  session.restore(snapshot);
  console.log(`${state(session)}\n`);
  assert.equal(session.slice(Trip).latest()?.total, 40);
  assert.equal(session.slice(Calls).latest()?.kinds.length, 2);

  console.log('--- As JSON, and read again: the reducers go on; logs are left out ---');
  const json = JSON.stringify(session);
  const later = Session.fromJSON(JSON.parse(json), { slices });
  later.dispatch(new ExpenseBooked('bus', 3));
  console.log(`${state(later)}\n`);
  assert.ok(later.slice(Trip).latest() instanceof Trip);
  assert.equal(later.id, session.id);
  assert.equal(later.slice(Trip).latest()?.total, 43);
  assert.equal(session.slice(Trip).latest()?.total, 40);

  console.log('--- Where the secret and the token are kept ---');
  const invoked = events.filter((value) => value instanceof ToolInvoked);
  console.log(`params: ${JSON.stringify(invoked[0]?.params)}\nerror: ${String(invoked[1]?.error)}`);
  const kept = {
    events,
    errors: invoked.map(({ error }) => String(error)),
    transcript: response.transcript,
    log,
    json,
  };
  for (const [place, value] of Object.entries(kept)) {
    const text = JSON.stringify(value);
    console.log(`${place}: ${text.includes(card) || text.includes('token-7f3a') ? 'shown' : 'hidden'}`);
    assert.ok(!text.includes(card), place);
    assert.ok(!text.includes('token-7f3a'), place);
  }
  // The text for the model contains no secret of the call either. It does contain the token: redact applies only to records.
  const told = adapter.requests.at(-1)?.messages.filter(({ role }) => role === 'tool') ?? [];
  console.log(`\nThe model read:\n${told.map(({ content }) => wrap(content ?? '')).join('\n')}`);
  assert.ok(!JSON.stringify(told).includes(card));
  assert.ok(JSON.stringify(told).includes('token-7f3a'));
}

/** Breaks lines that an 80-column terminal would cut. */
function wrap(text: string): string {
  return text.replace(/(?=.{76})(.{1,75}) /g, '$1\n');
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
