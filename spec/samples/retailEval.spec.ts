import 'reflect-metadata';
import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runEval } from '@toolwright/evals';
import { hashOf } from '../../samples/20-retail-desk/comparison/canonicalJson.js';
import type { RetailTask } from '../../samples/20-retail-desk/comparison/readInput.js';
import { agents } from '../../samples/20-retail-desk/eval/agents.js';
import { defineDeskEval } from '../../samples/20-retail-desk/eval/defineDeskEval.js';
import { runDeskEval } from '../../samples/20-retail-desk/eval/runDeskEval.js';
import { generateRetailData } from '../../samples/20-retail-desk/generate.js';
import { RetailStore } from '../../samples/20-retail-desk/store/RetailStore.js';
import type { OrderRow } from '../../samples/20-retail-desk/store/rows.js';

const data = generateRetailData(11);
const address = { address1: '5 Elm Court', address2: '', city: 'Reno', state: 'NV', country: 'USA', zip: '89501' };

function ordersIn(status: OrderRow['status']): readonly [OrderRow, OrderRow] {
  const [one, other] = Object.values(data.orders).filter((order) => order.status === status);
  return [one!, other!];
}

const [first, second] = ordersIn('pending');
const [delivered] = ordersIn('delivered');
const move = ({ order_id }: OrderRow, error = false) => ({
  name: 'modify_pending_order_address',
  args: { order_id, ...address },
  error,
});
const moved = (...orders: readonly OrderRow[]) => ({
  orders: Object.fromEntries(orders.map((order) => [order.order_id, hashOf({ ...order, address })])),
});

/** An exchange of an item, with the record that it leaves. */
function createExchange(): RetailTask {
  const { item_id, product_id, price } = delivered.items[0]!;
  const { variants } = data.products[product_id]!;
  const chosen = Object.values(variants).find(({ available, item_id: id }) => available && id !== item_id)!;
  const method = Object.values(data.users[delivered.user_id]!.payment_methods).find(
    ({ source }) => source !== 'gift_card',
  )!;
  const args = {
    order_id: delivered.order_id,
    item_ids: [item_id],
    new_item_ids: [chosen.item_id],
    payment_method_id: method.id,
  };
  const after = {
    ...delivered,
    status: 'exchange requested',
    exchange_items: [item_id],
    exchange_new_items: [chosen.item_id],
    exchange_payment_method_id: method.id,
    exchange_price_difference: Number((chosen.price - price).toFixed(2)),
  };
  return {
    label: 'exchange',
    instruction: 'Exchange an item.',
    calls: [{ name: 'exchange_delivered_order_items', args, error: false }],
    changed: { orders: { [delivered.order_id]: hashOf(after) } },
  };
}

const tasks: readonly RetailTask[] = [
  { label: 'move', instruction: 'Move it.', calls: [move(first)], changed: moved(first) },
  { label: 'moves', instruction: 'Move both.', calls: [move(first), move(second)], changed: moved(first, second) },
  {
    label: 'refused move',
    instruction: 'Move what you can.',
    calls: [move(delivered, true), move(second)],
    changed: moved(second),
  },
  createExchange(),
];

const trajectories = ['strict', 'unordered', 'superset', 'writes', 'subset args'];
const readsRefused = ['strict', 'unordered', 'subset args'];

describe('the eval of the retail desk', () => {
  let folder: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'retail-eval-'));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('each agent is refused by the scorers that can see its fault, in every task', async () => {
    const base = RetailStore.of(data);
    const refused: Record<string, readonly string[]> = {};
    for (const agent of agents) {
      const report = await runEval(defineDeskEval(agent, tasks, data, base)!);
      expect(report.runs.errors).toBe(0);
      const shares = report.scorers.map(({ name, share }) => [name, share?.value] as const);
      expect(shares.filter(([, share]) => share !== 0 && share !== 1)).toEqual([]);
      refused[agent.name] = shares.filter(([, share]) => share === 0).map(([name]) => name);
    }
    expect(refused).toEqual({
      'makes the recorded calls': [],
      'looks everything up first': readsRefused,
      'serves the orders in reverse': ['strict', 'writes'],
      'makes no call that fails': trajectories,
      'skips the last write': ['state', ...trajectories],
      'repeats the last write': ['strict', 'unordered', 'writes', 'subset args'],
      'takes another item of the product': ['state', ...trajectories],
      "changes another customer's order": ['state', ...trajectories, 'own orders'],
      'swaps two arguments': ['state', ...trajectories],
      'leaves out an argument': ['state', 'strict', 'unordered', 'superset', 'writes'],
      'also changes the default address': ['state', 'strict', 'unordered', 'writes', 'subset args'],
      "reads other customers' orders": [...readsRefused, 'own orders'],
      'reads an order thirty times': [...readsRefused, 'budget'],
      'gives up after a failed call': ['state', ...trajectories],
      'names another order in the answer': ['answer'],
    });
  });

  test('a killed eval of the desk continues with its results, and prints the same', async () => {
    const run = async (html?: string) => {
      const lines: string[] = [];
      const print = (line: string) => void lines.push(line);
      expect(await runDeskEval(data, tasks, { results: join(folder, 'results'), html, print })).toBe(true);
      return lines;
    };
    const whole = await run();
    expect(whole.at(-1)).toBe('retail eval: 4 tasks, 15 agents, 48 runs, 0 errors; 11 of 11 faults found');
    const file = join(folder, 'results', 'skips-the-last-write.jsonl');
    const before = readFileSync(file, 'utf8');
    truncateSync(file, before.length - 20);
    expect(await run(join(folder, 'html'))).toEqual(whole);
    const [lines, linesBefore] = [readFileSync(file, 'utf8'), before].map((text) => text.split('\n'));
    // The finished runs are the recorded ones, to the millisecond.
    expect(lines?.slice(0, -2)).toEqual(linesBefore?.slice(0, -2));
    expect(lines).toHaveLength(linesBefore?.length ?? 0);
    expect(readdirSync(join(folder, 'html'))).toHaveLength(agents.length);
  });

  test('recorded calls that do not leave the recorded state end the eval of the desk with a failure', async () => {
    const [task] = tasks;
    const wrong = { ...task!, changed: moved(second) };
    expect(await runDeskEval(data, [wrong], { print: () => undefined })).toBe(false);
  });
});
