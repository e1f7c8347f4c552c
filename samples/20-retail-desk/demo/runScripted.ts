import { ScriptedModel } from 'toolwright/testing';
import { Container } from 'typedi';
import { createRetailApplication, quietLogger } from '../application.js';
import { generateRetailData } from '../generate.js';
import { RetailDesk } from '../RetailDesk.js';
import { DeskParams } from '../sections/DeskParams.js';
import { CourierService } from '../services/CourierService.js';
import { RetailStore } from '../store/RetailStore.js';
import { CallLog, type LoggedCall } from './CallLog.js';
import { Conversation } from './Conversation.js';
import { DeskView } from './DeskView.js';
import { findScenario, type Scenario } from './scenario.js';
import { writeScript } from './script.js';
import type { Terminal } from './Terminal.js';
import { UnreliableCourier, type Booking } from './UnreliableCourier.js';

interface Check {
  readonly text: string;
  readonly holds: boolean;
}

/** Plays the scripted conversation and tells whether everything came out as it has to. */
export async function runScripted(terminal: Terminal, seed = 20): Promise<boolean> {
  const data = generateRetailData(seed);
  const scenario = findScenario(data);
  if (scenario === undefined) {
    terminal.say('', `The data of seed ${seed} has no customer for this conversation.`, 'bad');
    return false;
  }
  const view = new DeskView(terminal);
  view.heading(
    'Retail desk: a scripted conversation',
    'No model answers here: the agent reads its lines from a script (set OPENAI_API_KEY for a real one). The prompt, ' +
      'the tools, the transactions and the generated shop are what a model would get. "store" is a hash over all ' +
      'records; the courier fails once, on purpose.',
  );
  const store = RetailStore.of(data).begin();
  const log = new CallLog(store);
  const courier = new UnreliableCourier(1, (booking) => {
    view.courier(booking);
  });
  await converse(scenario, store, courier, log, view);
  const checks = checksOf(scenario, log.calls, courier.bookings, store);
  view.heading('What has to hold', 'The program ends with exit code 1 when one of these does not.');
  for (const { text, holds } of checks) view.check(text, holds);
  return checks.every(({ holds }) => holds);
}

async function converse(
  scenario: Scenario,
  store: RetailStore,
  courier: UnreliableCourier,
  log: CallLog,
  view: DeskView,
): Promise<void> {
  // A container of its own, so that the bad courier serves nobody else in this process.
  const containerId = 'retail-demo';
  try {
    Container.of(containerId).set(CourierService, courier);
    const app = await createRetailApplication(store, { containerId, logger: quietLogger });
    const prompt = app.prompt(RetailDesk).bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'EST' });
    view.prompt(await prompt.render());
    const script = writeScript(scenario);
    const conversation = new Conversation(app, prompt, new ScriptedModel(script.model), log, view);
    for (const message of script.customer) await conversation.hear(message);
  } finally {
    Container.reset(containerId);
  }
}

function checksOf(
  { userId, order, item, wanted, otherMethod }: Scenario,
  calls: readonly LoggedCall[],
  bookings: readonly Booking[],
  store: RetailStore,
): readonly Check[] {
  const exchanges = calls.filter((call) => call.name === 'exchange_delivered_order_items');
  const [refused, thrown, done] = exchanges;
  const leftNoTrace = (call: LoggedCall | undefined): boolean =>
    call !== undefined && !call.succeeded && call.before === call.after && call.changes.length === 0;
  const { orders, products, users } = store.changes();
  const changed = [...orders.keys(), ...products.keys(), ...users.keys()];
  const now = store.orders.get(order.order_id);
  return [
    { text: 'The customer was found by email, before anything else.', holds: calls[0]?.text === userId },
    { text: 'The gift card was refused; that call left no trace.', holds: leftNoTrace(refused) },
    {
      text: 'The courier failed when the order was already changed inside its call.',
      holds: bookings[0]?.taken === false && bookings[0].order.status === 'exchange requested',
    },
    { text: 'That call was rolled back: every record is as it was before.', holds: leftNoTrace(thrown) },
    { text: 'The next attempt succeeded.', holds: done?.succeeded === true && exchanges.length === 3 },
    {
      text: 'Exactly one record differs from the generated data: the order.',
      holds: changed.length === 1 && changed[0] === order.order_id,
    },
    {
      text: `It asks for ${wanted.item_id} instead of ${item.item_id}, the difference by ${otherMethod.id}.`,
      holds:
        now?.status === 'exchange requested' &&
        now.exchange_items?.join() === item.item_id &&
        now.exchange_new_items?.join() === wanted.item_id &&
        now.exchange_payment_method_id === otherMethod.id,
    },
  ];
}
