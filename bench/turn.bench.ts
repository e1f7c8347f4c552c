// Measures a whole run of one call: a request, the model's call, and the answer that ends the run. The model is in the same process
// and takes no time, so that only the cost of the loop is measured.
import 'reflect-metadata';
import { createApplication, Prompt, Section, Session, Tool, type ModelAdapter } from 'toolwright';
import { measure, type Contender } from './harness/measure.js';
import { measureBytes } from './harness/measureBytes.js';
import { assertSame, peersOf } from './harness/peersOf.js';
import { Report } from './harness/Report.js';
import { place, placedText, PlaceOrderParams, valid, type Placed } from './tasks/placeOrder.js';

const args = JSON.stringify(valid);
const ask = 'Order what I ordered last time.';
const report = new Report('turn');
let placed = 0;

/** The handler of every contender. Its calls are counted, so that no contender can skip it. */
function placeCounted(order: Pick<PlaceOrderParams, 'customerId' | 'items'>): Placed {
  placed++;
  return place(order);
}

/** Writes the last answer of every model, which contains the tool's result. */
function ending(said: string | null): string {
  return `Placed: ${said ?? ''}`;
}

@Section({ key: 'orders', title: 'Orders', template: 'Place the orders that you are asked for.' })
class OrdersSection {
  @Tool('Place an order.')
  placeOrder(params: PlaceOrderParams): Placed {
    return placeCounted(params);
  }
}

@Prompt({ ns: 'bench', key: 'orders', sections: [OrdersSection] })
class Orders {}

/** A model that calls the tool once, and then answers with its result. */
const adapter: ModelAdapter = {
  name: 'in process (not a model)',
  complete: async ({ messages }) => {
    const last = messages.at(-1);
    const usage = { inputTokens: 1, outputTokens: 1 };
    if (last?.role === 'tool') return { text: ending(last.content), toolCalls: [], finishReason: 'stop', usage };
    return {
      text: null,
      toolCalls: [{ id: 'c1', name: 'place_order', arguments: args }],
      finishReason: 'tool_calls',
      usage,
    };
  },
};

async function toolwright(): Promise<Contender> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Orders], logger: quiet });
  const prompt = app.prompt(Orders);
  const messages = [{ role: 'user', content: ask }] as const;
  return async () => (await app.evaluate(prompt, { adapter, messages, session: new Session() })).text;
}

async function main(): Promise<void> {
  const peers = await peersOf('turn', { args, ask, ending, place: placeCounted });
  const contenders: Readonly<Record<string, Contender>> = { toolwright: await toolwright(), ...peers.contenders };
  for (const [name, run] of Object.entries(contenders)) {
    placed = 0;
    await assertSame({ [name]: run }, ending(placedText));
    if (placed !== 1) throw new TypeError(`${name} places ${String(placed)} orders`);
  }
  const measured = await measure(contenders);
  for (const name of Object.keys(contenders)) report.add(`a run of one call, ${name}`, measured.time(name), 'ms');
  const allocated = await measureBytes(contenders);
  for (const name of Object.keys(contenders))
    report.add(`a run of one call, ${name}, allocated`, allocated.bytes(name), 'B');
  // At least five times as fast as each of them.
  for (const name of Object.keys(peers.contenders))
    report.add(`a run of one call, toolwright / ${name}`, measured.ratio('toolwright', name), 'x', 0.2);
  report.keep();
}

void main();
