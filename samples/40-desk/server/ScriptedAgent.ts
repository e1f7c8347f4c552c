// Plays the customer service, so that the sample runs the same each time, without network or key. It is not a model: it looks for a few
// words in the messages, and says so when it finds none.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Message, ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { ScriptedModel, type ScriptedTurn } from 'toolwright/testing';
import { call, open } from '../../20-retail-desk/demo/script.js';
import { MoneyService } from '../../20-retail-desk/services/MoneyService.js';
import type { OrderRow, UserRow } from '../../20-retail-desk/store/rows.js';

const money = new MoneyService();

export class ScriptedAgent implements ModelAdapter {
  readonly name = 'scripted (not a model)';

  /** @param paceMs milliseconds between two words, so that a person can watch; 0 for a test */
  constructor(private readonly paceMs: number) {}

  complete(request: ModelRequest): Promise<ModelResponse> {
    return new ScriptedModel([() => withIds(request, answer(new Reading(request)))]).complete(request);
  }

  async *stream(request: ModelRequest): AsyncGenerator<ModelPart, void> {
    const parts = new ScriptedModel([() => withIds(request, answer(new Reading(request)))]).stream(request);
    for await (const part of parts) {
      // A turn without text takes as long as a few words.
      await sleep(part.kind === 'text' ? this.paceMs : this.paceMs * 8, undefined, { signal: request.signal });
      yield part;
    }
  }
}

/** Makes the ids of calls unique within a conversation. */
function withIds({ messages }: ModelRequest, { toolCalls = [], ...turn }: ScriptedTurn): ScriptedTurn {
  const place = messages.filter(({ role }) => role === 'assistant').length;
  return { ...turn, toolCalls: toolCalls.map((each, index) => ({ id: `call_${place + 1}_${index + 1}`, ...each })) };
}

type ToolMessage = Extract<Message, { readonly role: 'tool' }>;

/** What the agent finds in its conversation. */
class Reading {
  readonly #messages: readonly Message[];
  /** The messages of the customer that are not answered yet, also those that came in between. */
  readonly asked: readonly string[];
  /** The last answer before them. */
  readonly lastAnswer: string;
  /** The results since then. */
  readonly recent: readonly ToolMessage[];
  readonly #tools: ReadonlySet<string>;

  constructor({ messages, toolSchemas }: ModelRequest) {
    const place = messages.findLastIndex((message) => message.role === 'assistant' && !message.toolCalls?.length);
    const since = messages.slice(place + 1);
    const last = messages[place];
    this.#messages = messages;
    this.lastAnswer = last?.role === 'assistant' ? (last.content ?? '') : '';
    this.asked = since.flatMap((each) => (each.role === 'user' && each.note === undefined ? [each.content] : []));
    this.recent = since.filter((each) => each.role === 'tool');
    this.#tools = new Set(toolSchemas('json-schema').map(({ name }) => name));
  }

  wants(words: RegExp): boolean {
    return this.asked.some((text) => words.test(text));
  }

  get email(): string {
    const [system] = this.#messages;
    return /email address ([^\s,]+@[^\s,]*\w)/.exec(system?.content ?? '')?.[1] ?? '';
  }

  get orderId(): string | undefined {
    return /#W\d{7}/.exec(this.asked.join(' '))?.[0];
  }

  get userId(): string | undefined {
    return this.#resultsOf('find_user_id_by_email').at(-1)?.content;
  }

  get user(): UserRow | undefined {
    return parse<UserRow>(this.#resultsOf('get_user_details').at(-1));
  }

  /** Orders that were looked up since the last answer, by id. */
  get orders(): ReadonlyMap<string, OrderRow | undefined> {
    const found = this.recent.filter(({ name }) => name === 'get_order_details').map((each) => parse<OrderRow>(each));
    return new Map(found.flatMap((order) => (order === undefined ? [] : [[order.order_id, order]])));
  }

  isOpen(tool: string): boolean {
    return this.#tools.has(tool);
  }

  recentOf(name: string): ToolMessage | undefined {
    return this.recent.findLast((message) => message.name === name);
  }

  #resultsOf(name: string): readonly ToolMessage[] {
    return this.#messages.filter(
      (each): each is ToolMessage => each.role === 'tool' && each.name === name && !each.failed,
    );
  }
}

/** The proposals of the agent, as it writes and recognises them. */
const RETURN = /send back everything of order (#W\d{7}), with the refund of \S+ to (\w+)\./;
const CANCEL = /cancel order (#W\d{7}), /;

function answer(reading: Reading): ScriptedTurn {
  const { userId, user, email } = reading;
  if (reading.wants(/^\s*(yes|please do|go ahead)\b/i)) return carryOut(reading);
  if (reading.wants(/^\s*no\b/i)) return { text: 'All right, nothing has been changed. Is there anything else?' };
  if (reading.wants(/\bsell\b|\bproducts?\b/i)) return listProducts(reading);
  const isKnown = reading.wants(/\borders?\b|\breturn|\brefund|\bcancel/i);
  if (!isKnown) return { text: excuse(reading) };
  if (userId === undefined) return call('find_user_id_by_email', { email });
  if (user === undefined) return call('get_user_details', { user_id: userId });
  const wanted = reading.orderId === undefined ? user.orders : [reading.orderId];
  const refused = reading.recentOf('get_order_details');
  if (refused?.failed === true) return { text: `I cannot look that order up. ${refused.content}` };
  const missing = wanted.find((id) => !reading.orders.has(id));
  if (missing !== undefined) return call('get_order_details', { order_id: missing });
  const [order] = [...reading.orders.values()];
  if (order !== undefined && reading.wants(/\breturn|\brefund/i)) return proposeReturn(reading, user, order);
  if (order !== undefined && reading.wants(/\bcancel/i)) return proposeCancel(reading, order);
  return { text: describeOrders(reading, user) };
}

function proposeReturn(reading: Reading, user: UserRow, order: OrderRow): ScriptedTurn {
  if (order.status !== 'delivered')
    return { text: `Order ${order.order_id} is "${order.status}". Only a delivered order can be returned.` };
  if (!reading.isOpen('return_delivered_order_items'))
    return open(['orders.delivered'], 'The customer wants to give something back.');
  const card = Object.values(user.payment_methods).find(({ source }) => source === 'gift_card');
  const used = order.payment_history[0]?.payment_method_id ?? '';
  const method = reading.wants(/gift card/i) ? (card?.id ?? used) : used;
  const total = money.format(order.items.reduce((sum, { price }) => sum + price, 0));
  const text =
    `Order ${order.order_id} has ${order.items.length} items: ${order.items.map(({ name }) => name).join(', ')}. I can ` +
    `send back everything of order ${order.order_id}, with the refund of ${total} to ${method}. Shall I go ahead (yes/no)?`;
  return { text: noteAdditions(reading, text) };
}

function proposeCancel(reading: Reading, order: OrderRow): ScriptedTurn {
  if (order.status !== 'pending')
    return { text: `Order ${order.order_id} is "${order.status}". Only a pending order can be cancelled.` };
  if (!reading.isOpen('cancel_pending_order'))
    return open(['orders.pending'], 'The customer wants to cancel an order.');
  const text =
    `Order ${order.order_id} is still pending, with ${order.items.map(({ name }) => name).join(', ')}. I can cancel ` +
    `order ${order.order_id}, and refund what was paid. Shall I go ahead (yes/no)?`;
  return { text: noteAdditions(reading, text) };
}

/** Does what the last answer has proposed. */
function carryOut(reading: Reading): ScriptedTurn {
  const [, returned, method] = RETURN.exec(reading.lastAnswer) ?? [];
  const [, cancelled] = CANCEL.exec(reading.lastAnswer) ?? [];
  const orderId = returned ?? cancelled;
  if (orderId === undefined) return { text: 'I am not sure what you agree to. What shall I do?' };
  const tool = returned === undefined ? 'cancel_pending_order' : 'return_delivered_order_items';
  const done = reading.recentOf(tool);
  if (done !== undefined) return { text: noteAdditions(reading, reportOutcome(done, orderId)) };
  const order = reading.orders.get(orderId);
  if (order === undefined) return call('get_order_details', { order_id: orderId });
  if (returned === undefined) return call(tool, { order_id: orderId, reason: 'no longer needed' });
  const item_ids = order.items.map(({ item_id }) => item_id);
  return call(tool, { order_id: orderId, item_ids, payment_method_id: method });
}

function reportOutcome(done: ToolMessage, orderId: string): string {
  const order = done.failed ? undefined : parse<OrderRow>(done);
  const [, reason] = /was denied: (.*)/.exec(done.content) ?? [];
  if (reason !== undefined)
    return `I am sorry, a supervisor has not agreed: “${reason}” Order ${orderId} is as it was. What shall I do instead?`;
  if (order === undefined) return `I am sorry, this was not possible. ${done.content} Order ${orderId} is as it was.`;
  if (order.status === 'cancelled')
    return (
      `Done: order ${orderId} is cancelled. Refunds to a gift card arrive at once, all others within five to seven ` +
      'business days. Thank you for telling us so early. Is there anything else that I can do for you today?'
    );
  return (
    `Done: ${order.return_items?.length ?? 0} items of order ${orderId} go back, and the refund goes to ` +
    `${order.return_payment_method_id ?? ''}. You will get an email that says how to send them. Please keep the parcels ` +
    'until the courier has collected them. Is there anything else that I can do for you today?'
  );
}

function describeOrders(reading: Reading, user: UserRow): string {
  const lines = [...reading.orders.values()].flatMap((order) => (order === undefined ? [] : [describeOrder(order)]));
  const { address } = user;
  const place = reading.wants(/\baddress\b|\bwhere\b/i)
    ? ` Your parcels go to ${address.address1}, ${address.city}, ${address.state} ${address.zip}.`
    : '';
  const text =
    `Hello ${user.name.first_name}, here is the state of ${lines.length === 1 ? 'your order' : `your ${lines.length} orders`}.\n\n` +
    `${lines.join('\n')}\n\nOrders that are still pending can be changed or cancelled, and delivered ones can be returned or ` +
    `exchanged once.${place} Just tell me the number of the order, and what you would like me to do with it.`;
  return noteAdditions(reading, text);
}

function describeOrder({ order_id, status, items, payment_history }: OrderRow): string {
  const total = items.reduce((sum, { price }) => sum + price, 0);
  const method = payment_history[0]?.payment_method_id ?? 'nothing';
  return `• ${order_id} is ${status}: ${items.map(({ name }) => name).join(', ')}, ${money.format(total)} with ${method}.`;
}

function listProducts(reading: Reading): ScriptedTurn {
  if (!reading.isOpen('list_all_product_types')) return open(['catalogue'], 'The customer asks what we sell.');
  const list = reading.recentOf('list_all_product_types');
  if (list === undefined) return call('list_all_product_types', {});
  const names = Object.keys(parse<Readonly<Record<string, string>>>(list) ?? {});
  return { text: noteAdditions(reading, `We sell ${names.length} kinds of things: ${names.join(', ')}.`) };
}

/** Says which messages came while the agent worked. */
function noteAdditions({ asked }: Reading, text: string): string {
  const [, ...added] = asked;
  return added.length === 0
    ? text
    : `${added.map((each) => `I have read that you added “${each}”.`).join(' ')} ${text}`;
}

function excuse({ asked }: Reading): string {
  return (
    `I am a script and stand in for a model, so I do not understand “${asked.at(-1) ?? ''}”. Ask me for the state of your ` +
    'orders, to return or to cancel an order by its number, or what we sell.'
  );
}

/** Reads the JSON of a result, which may stand between notes about it. */
function parse<T>(message: ToolMessage | undefined): T | undefined {
  const start = message?.content.indexOf('{') ?? -1;
  if (message === undefined || start < 0) return undefined;
  try {
    return JSON.parse(message.content.slice(start).split('\n')[0] ?? '') as T;
  } catch {
    return undefined;
  }
}
