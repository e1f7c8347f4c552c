// Calls of tools, from JSON text to the text that the model reads.
import 'reflect-metadata';
import { createApplication, Param, Prompt, Section, Session, Tool } from 'toolwright';
import type { GuardedRows } from '../harness/GuardedRows.js';
import type { Contender } from '../harness/measure.js';
import { Archive, OrdersSection } from '../tasks/orderTools.js';
import { mistaken, Placed, valid } from '../tasks/placeOrder.js';

const SESSION_CALLS = 10_000;
const LONG_TEXT = 'x'.repeat(200_000);

class Text {
  @Param('A text') text!: string;
}

@Section({ key: 'texts', title: 'Texts' })
class TextsSection {
  @Tool('Measure a text.')
  measureText({ text }: Text): number {
    return text.length;
  }

  @Tool('Read a text.')
  readText(): string {
    return LONG_TEXT;
  }
}

@Prompt({ ns: 'guard', key: 'orders', sections: [OrdersSection, TextsSection] })
class Orders {}

async function prepareCall(
  name: string,
  args: object,
  kind = 'succeeded',
  session = new Session(),
): Promise<Contender> {
  const logger = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Orders], logger });
  const rendered = await app.prompt(Orders).render();
  const text = JSON.stringify(args);
  return async () => {
    const outcome = await app.callTool(rendered, { id: 'c1', name, arguments: text }, { session });
    if (outcome.kind !== kind) throw new TypeError(`${outcome.kind}: ${outcome.text}`);
  };
}

/** Prepares calls that note an order in a session with many orders. The session is reset, because each call adds an order. */
async function prepareLongSession(): Promise<Contender> {
  const session = createSession();
  const call = await prepareCall('note_order', valid, 'succeeded', session);
  const orders = Array.from({ length: SESSION_CALLS }, () => new Placed('c_1', 1));
  let calls = 0;
  return () => {
    if (calls++ % SESSION_CALLS === 0) session.slice(Placed).seed(orders);
    return call();
  };
}

async function prepareRollback(): Promise<Contender> {
  const session = createSession();
  session.install(Archive);
  session.slice(Archive).seed(new Archive(Array.from({ length: 10_000 }, () => 'x'.repeat(1_000))));
  return prepareCall('refuse_order', valid, 'failed', session);
}

function createSession(): Session {
  const session = new Session();
  session.slice(Placed).register(Placed, (_view, event) => ({ kind: 'append', value: event }));
  return session;
}

export const rows: GuardedRows = {
  'tiny call': () => prepareCall('double', { i: 2 }),
  'valid call': () => prepareCall('place_order', valid),
  'mistaken call': () => prepareCall('place_order', mistaken, 'rejected'),
  'valid call with timeoutMs': () => prepareCall('place_in_time', valid),
  'valid call with a policy': () => prepareCall('place_allowed', valid),
  'call that a policy denies': () => prepareCall('place_denied', valid, 'denied'),
  'valid call that reads its idempotency key': () => prepareCall('place_once', valid),
  'call with an event, in a session of 10,000 events': prepareLongSession,
  'rollback with 10 MB of state': prepareRollback,
  'call with 200 kB of text': () => prepareCall('measure_text', { text: LONG_TEXT }),
  'result of 200 kB of text': () => prepareCall('read_text', {}),
};
