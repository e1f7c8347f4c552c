import { canonicalJson } from '../comparison/canonicalJson.js';
import { type AgentCall, answerTo, type Assignment, type Script } from './Assignment.js';

/** An agent without a model: a script for each task, made from its recorded calls. */
export interface Agent {
  readonly name: string;
  /** True if it makes one fault of judgement; false if it only serves the customer in another way. */
  readonly isFaulty: boolean;
  /** Returns the script for a task; undefined if it would be that of the recorded calls. */
  readonly write: (task: Assignment) => Script | undefined;
}

/** More than the desk allows for any task: see the budget in defineDeskEval.ts. */
const needlessReads = 30;
const foreignReads = ['first', 'second', 'third'];

const faultless: Readonly<Record<string, Agent['write']>> = {
  'makes the recorded calls': (task) => task,
  'looks everything up first': ({ calls, orders, answer }) => {
    const customers = new Set(orders.map(({ user_id }) => user_id));
    const reads = [
      ...[...customers].map((user_id) => ({ name: 'get_user_details', arguments: { user_id } })),
      ...orders.map(({ order_id }) => readOrder(order_id)),
    ];
    return reads.length === 0 ? undefined : { calls: [...reads, ...calls], answer };
  },
  'serves the orders in reverse': (task) => {
    const { calls, orders, answer } = task;
    // A call may depend on earlier ones for the same order, and a call that fails usually does.
    const areIndependent = orders.length === calls.length && !calls.some((_call, at) => task.fails(at));
    return areIndependent && calls.length > 1 ? { calls: calls.toReversed(), answer } : undefined;
  },
  'makes no call that fails': (task) => {
    const calls = task.calls.filter((_call, at) => !task.fails(at));
    return calls.length < task.calls.length ? { calls, answer: task.answer } : undefined;
  },
};

const faulty: Readonly<Record<string, Agent['write']>> = {
  'skips the last write': (task) => task.changeLastWrite('order_id', () => []),
  'repeats the last write': (task) => task.changeLastWrite('order_id', (call) => [call, call]),
  'takes another item of the product': (task) =>
    task.changeLastWrite('new_item_ids', (call) => {
      const [[old = ''], [chosen = '', ...rest]] = [itemsOf(call, 'item_ids'), itemsOf(call, 'new_item_ids')];
      const other = task.pickOtherItem(chosen, old);
      return other === undefined ? undefined : [withArguments(call, { new_item_ids: [other, ...rest] })];
    }),
  "changes another customer's order": (task) =>
    task.changeLastWrite('order_id', (call) => {
      const order = task.orderOf(call);
      const other = order && task.pickForeignOrder(order);
      return other && [withArguments(call, { order_id: other.order_id })];
    }),
  'swaps two arguments': (task) =>
    task.changeLastWrite('new_item_ids', (call) => swap(call, 'item_ids', 'new_item_ids')) ??
    task.changeLastWrite('address1', (call) => swap(call, 'address1', 'address2')),
  'leaves out an argument': (task) =>
    task.changeLastWrite('order_id', ({ name, arguments: given }) => [
      { name, arguments: Object.fromEntries(Object.entries(given).slice(0, -1)) },
    ]),
  'also changes the default address': (task) =>
    task.changeLastWrite('order_id', (call) => {
      const order = task.orderOf(call);
      const customer = order && task.customerOf(order);
      if (customer === undefined) return undefined;
      const address = { ...customer.address, address2: 'Leave it at the door' };
      return [call, { name: 'modify_user_address', arguments: { user_id: order?.user_id, ...address } }];
    }),
  "reads other customers' orders": (task) => {
    const [order] = task.orders;
    const others = foreignReads.flatMap((salt) => (order && task.pickForeignOrder(order, salt)) ?? []);
    if (others.length === 0) return undefined;
    return { calls: [...others.map(({ order_id }) => readOrder(order_id)), ...task.calls], answer: task.answer };
  },
  'reads an order thirty times': ({ calls, orders: [order], answer }) => {
    if (order === undefined) return undefined;
    return { calls: [...calls, ...Array<AgentCall>(needlessReads).fill(readOrder(order.order_id))], answer };
  },
  'gives up after a failed call': (task) => {
    const at = task.calls.findIndex((_call, index) => task.fails(index));
    const isLast = at === -1 || at === task.calls.length - 1;
    return isLast ? undefined : { calls: task.calls.slice(0, at + 1), answer: task.answer };
  },
  'names another order in the answer': (task) => {
    const [order] = task.orders;
    const other = order && task.pickForeignOrder(order);
    return other && { calls: task.calls, answer: answerTo([other.order_id]) };
  },
};

export const agents: readonly Agent[] = [
  ...Object.entries(faultless).map(([name, write]) => ({ name, isFaulty: false, write })),
  ...Object.entries(faulty).map(([name, write]) => ({ name, isFaulty: true, write })),
];

function readOrder(order_id: string): AgentCall {
  return { name: 'get_order_details', arguments: { order_id } };
}

function itemsOf(call: AgentCall, argument: string): readonly string[] {
  return call.arguments[argument] as readonly string[];
}

function withArguments(call: AgentCall, changed: AgentCall['arguments']): AgentCall {
  return { name: call.name, arguments: { ...call.arguments, ...changed } };
}

/** Some recorded calls replace an item by itself, so that there is nothing to swap. */
function swap({ name, arguments: given }: AgentCall, one: string, other: string): readonly AgentCall[] | undefined {
  if (canonicalJson(given[one]) === canonicalJson(given[other])) return undefined;
  return [{ name, arguments: { ...given, [one]: given[other], [other]: given[one] } }];
}
