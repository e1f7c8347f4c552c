import { hashOf } from '../comparison/canonicalJson.js';
import type { RetailTask } from '../comparison/readInput.js';
import type { OrderRow, RetailData } from '../store/rows.js';

/** A call that an agent makes. */
export interface AgentCall {
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** The calls of an agent in their order, and its answer after them. */
export interface Script {
  readonly calls: readonly AgentCall[];
  readonly answer: string;
}

type Change = (call: AgentCall) => readonly AgentCall[] | undefined;

/** A recorded task, for agents that play it with changes. Choices depend on the label of the task alone. */
export class Assignment implements Script {
  readonly calls: readonly AgentCall[];
  readonly answer: string;

  constructor(
    private readonly task: RetailTask,
    private readonly data: RetailData,
  ) {
    this.calls = task.calls.map(({ name, args }) => ({ name, arguments: args as AgentCall['arguments'] }));
    this.answer = answerTo(Object.keys(task.changed.orders ?? {}));
  }

  /** The orders that the calls name, each once. */
  get orders(): readonly OrderRow[] {
    const ids = new Set(this.calls.map((call) => String(call.arguments['order_id'])));
    return [...ids].flatMap((id) => this.data.orders[id] ?? []);
  }

  fails(at: number): boolean {
    return this.task.calls[at]?.error === true;
  }

  /** Replaces the last write that succeeds and has the argument; undefined if there is none, or no change of it. */
  changeLastWrite(argument: string, change: Change): Script | undefined {
    const at = this.calls.findLastIndex(
      (call, index) => isWrite(call) && !this.fails(index) && argument in call.arguments,
    );
    const call = this.calls[at];
    const changed = call === undefined ? undefined : change(call);
    return changed && { calls: this.calls.toSpliced(at, 1, ...changed), answer: this.answer };
  }

  orderOf(call: AgentCall): OrderRow | undefined {
    return this.data.orders[String(call.arguments['order_id'])];
  }

  customerOf({ user_id }: OrderRow) {
    return this.data.users[user_id];
  }

  /** Picks an order of another customer in the same status. */
  pickForeignOrder(order: OrderRow, salt = ''): OrderRow | undefined {
    const { user_id, status } = order;
    return this.pick(
      Object.values(this.data.orders).filter((other) => other.user_id !== user_id && other.status === status),
      salt,
    );
  }

  /** Picks another available item of the same product. */
  pickOtherItem(itemId: string, except: string): string | undefined {
    const product = Object.values(this.data.products).find(({ variants }) => itemId in variants);
    const others = Object.values(product?.variants ?? {}).filter(({ available }) => available);
    return this.pick(others.filter(({ item_id }) => item_id !== itemId && item_id !== except))?.item_id;
  }

  private pick<T>(choices: readonly T[], salt = ''): T | undefined {
    return choices[Number.parseInt(hashOf(`${this.task.label}${salt}`).slice(0, 8), 16) % choices.length];
  }
}

/** Returns the answer of an agent that has changed these orders. */
export function answerTo(orderIds: readonly string[]): string {
  return orderIds.length === 0 ? 'Nothing was changed.' : `Done: ${[...orderIds].sort().join(', ')}.`;
}

/** True for calls that change a record. */
export function isWrite({ name }: { readonly name: string }): boolean {
  return /^(?:cancel|exchange|modify|return)_/.test(name);
}
