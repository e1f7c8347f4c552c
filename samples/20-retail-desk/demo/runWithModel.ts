import type { ModelAdapter } from 'toolwright';
import { createRetailApplication, quietLogger } from '../application.js';
import { generateRetailData } from '../generate.js';
import { RetailDesk } from '../RetailDesk.js';
import { Supervisor } from '../services/Supervisor.js';
import { RetailStore } from '../store/RetailStore.js';
import { CallLog } from './CallLog.js';
import { Conversation } from './Conversation.js';
import { DeskView } from './DeskView.js';
import { describeOptions, findScenario } from './scenario.js';
import type { Terminal } from './Terminal.js';

/** Runs the same desk with a real model; each entry of `requests` is one message of the customer. */
export async function runWithModel(
  terminal: Terminal,
  adapter: ModelAdapter,
  requests: readonly string[],
  seed = 20,
): Promise<void> {
  const data = generateRetailData(seed);
  const view = new DeskView(terminal);
  view.heading(`Retail desk with ${adapter.name}`, 'The shop is generated; every argument is one message to the desk.');
  const store = RetailStore.of(data).begin();
  const approver = new Supervisor((decision) => {
    view.supervisor(decision);
  });
  const app = await createRetailApplication(store, { logger: quietLogger, approver });
  const prompt = app.prompt(RetailDesk);
  view.prompt(await prompt.render());
  const conversation = new Conversation(app, prompt, adapter, new CallLog(store), view);
  for (const request of requests.length > 0 ? requests : defaultRequests(data)) await conversation.hear(request);
}

function defaultRequests(data: ReturnType<typeof generateRetailData>): readonly string[] {
  const scenario = findScenario(data);
  if (scenario === undefined) return ['Hello, which products do you sell?'];
  const { user, order, item, wanted, otherMethod } = scenario;
  return [
    `Hello, my email is ${user.email}. In order ${order.order_id} I got the ${item.name} (${describeOptions(item)}). ` +
      `Please exchange it for another one (${describeOptions(wanted)}); ${otherMethod.id} pays the difference. ` +
      'It is the only item.',
    'Yes, go ahead.',
  ];
}
