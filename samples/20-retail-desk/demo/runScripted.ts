import type { Session } from 'toolwright';
import { Plan } from 'toolwright/sections';
import { ScriptedModel } from 'toolwright/testing';
import { recordBundle } from 'toolwright/bundles';
import { Container } from 'typedi';
import { createRetailApplication, quietLogger } from '../application.js';
import { generateRetailData } from '../generate.js';
import { RetailDesk } from '../RetailDesk.js';
import { DeskParams } from '../sections/DeskParams.js';
import { CourierService } from '../services/CourierService.js';
import { Supervisor } from '../services/Supervisor.js';
import { RetailStore } from '../store/RetailStore.js';
import { CallLog, type LoggedCall } from './CallLog.js';
import { Conversation } from './Conversation.js';
import { DeskView } from './DeskView.js';
import { findLongRequest, writeLongScript, type LongRequest } from './longRequest.js';
import { findScenario, type Scenario } from './scenario.js';
import { writeScript, type Script } from './script.js';
import type { Terminal } from './Terminal.js';
import { UnreliableCourier, type Booking } from './UnreliableCourier.js';

interface Check {
  readonly text: string;
  readonly holds: boolean;
}

/** Receives the recording of both conversations. */
export type BundleWriter = (text: string) => void;

/** Plays the scripted conversations and returns true if every assertion holds. */
export async function runScripted(terminal: Terminal, seed = 20, write?: BundleWriter): Promise<boolean> {
  const data = generateRetailData(seed);
  const scenario = findScenario(data);
  const longRequest = scenario && findLongRequest(data, scenario.order.order_id);
  if (scenario === undefined || longRequest === undefined) {
    terminal.say('', `The data of seed ${seed} has no customers for these conversations.`, 'bad');
    return false;
  }
  const view = new DeskView(terminal);
  view.heading(
    'Retail desk: two scripted conversations',
    'No model answers here: the agent reads its lines from a script (set OPENAI_API_KEY for a real one). The prompt, ' +
      'the tools, the transactions and the generated shop are what a model would get. "store" is a hash over all ' +
      'records; the courier fails once, on purpose.',
  );
  const store = RetailStore.of(data).begin();
  const log = new CallLog(store);
  const courier = new UnreliableCourier(1, (booking) => {
    view.courier(booking);
  });
  const scripts = [writeScript(scenario), writeLongScript(longRequest)];
  const [, session] = await converse(scripts, store, courier, log, view, write);
  const plan = session?.slice(Plan).latest();
  const checks = [
    ...checksOf(scenario, log.calls, courier.bookings, store),
    ...checksOfLongRequest(longRequest, log.calls, plan, store),
  ];
  view.heading('What has to hold', 'The program ends with exit code 1 when one of these does not.');
  for (const { text, holds } of checks) view.check(text, holds);
  return checks.every(({ holds }) => holds);
}

/** Plays one conversation after the other, each with its own customer and session; returns the sessions. */
async function converse(
  scripts: readonly Script[],
  store: RetailStore,
  courier: UnreliableCourier,
  log: CallLog,
  view: DeskView,
  write: BundleWriter | undefined,
): Promise<readonly Session[]> {
  // Its own container, so that the unreliable courier is not shared with others in this process.
  const containerId = 'retail-demo';
  const approver = new Supervisor((decision) => {
    view.supervisor(decision);
  });
  const sessions: Session[] = [];
  try {
    Container.of(containerId).set(CourierService, courier);
    const app = await createRetailApplication(store, { containerId, logger: quietLogger, approver });
    const recording = write === undefined ? undefined : recordBundle(app);
    const prompt = app.prompt(RetailDesk).bind(DeskParams, { storeName: 'the Harbour Store', timeZone: 'EST' });
    view.prompt(await prompt.render());
    for (const { model, customer } of scripts) {
      const conversation = new Conversation(app, prompt, new ScriptedModel(model), log, view);
      sessions.push(conversation.session);
      for (const message of customer) await conversation.hear(message);
    }
    if (recording !== undefined) write?.(recording.text());
  } finally {
    Container.reset(containerId);
  }
  return sessions;
}

function checksOf(
  { userId, order, item, wanted, otherMethod }: Scenario,
  calls: readonly LoggedCall[],
  bookings: readonly Booking[],
  store: RetailStore,
): readonly Check[] {
  const exchanges = calls.filter((call) => call.name === 'exchange_delivered_order_items');
  const [refused, thrown, done] = exchanges;
  const now = store.orders.get(order.order_id);
  return [
    { text: 'The customer was found by email, before anything else.', holds: calls[0]?.text === userId },
    {
      text: 'The chapters on delivered orders and products were opened before their tools were called.',
      holds:
        isOpenedBefore(calls, 'orders.delivered', 'exchange_delivered_order_items') &&
        isOpenedBefore(calls, 'catalogue', 'get_product_details'),
    },
    { text: 'The gift card was refused; that call left no trace.', holds: leftNoTrace(refused) },
    {
      text: 'The courier failed when the order was already changed inside its call.',
      holds: bookings[0]?.taken === false && bookings[0].order.status === 'exchange requested',
    },
    { text: 'That call was rolled back: every record is as it was before.', holds: leftNoTrace(thrown) },
    { text: 'The next attempt succeeded.', holds: done?.kind === 'succeeded' && exchanges.length === 3 },
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

function checksOfLongRequest(
  { userId, order, paidWith }: LongRequest,
  calls: readonly LoggedCall[],
  plan: Plan | undefined,
  store: RetailStore,
): readonly Check[] {
  const [denied, approved] = calls.filter((call) => call.name === 'return_delivered_order_items');
  const { orders, products, users } = store.differences();
  const changed = [...orders.keys(), ...products.keys(), ...users.keys()];
  const now = store.orders.get(order.order_id);
  return [
    {
      text: 'For the second customer, the chapter on delivered orders was closed again.',
      holds: calls.filter(({ opened }) => opened.includes('orders.delivered')).length === 2,
    },
    {
      text: 'The supervisor denied the large refund to a gift card; that call left no trace.',
      holds: denied?.kind === 'denied' && leftNoTrace(denied),
    },
    {
      text: `The refund to ${paidWith} was approved.`,
      holds: approved?.kind === 'succeeded' && now?.return_payment_method_id === paidWith,
    },
    {
      text: 'The plan of three steps was kept to its end.',
      holds: plan?.steps.length === 3 && plan.status === 'completed',
    },
    {
      text: 'Three records differ from the generated data: two orders, and a profile.',
      holds: changed.length === 3 && changed.includes(order.order_id) && changed.includes(userId),
    },
  ];
}

function isOpenedBefore(calls: readonly LoggedCall[], chapter: string, tool: string): boolean {
  const opening = calls.findIndex(({ opened }) => opened.includes(chapter));
  return opening >= 0 && calls.slice(0, opening).every(({ name }) => name !== tool);
}

function leftNoTrace(call: LoggedCall | undefined): boolean {
  return call !== undefined && call.kind !== 'succeeded' && call.before === call.after && call.changes.length === 0;
}
