import { Matches } from 'class-validator';
import {
  bind,
  createApplication,
  Field,
  md,
  Param,
  Prompt,
  Reducer,
  Section,
  Session,
  type SliceOp,
  SliceOps,
  Tool,
  ToolContext,
  ToolRefusal,
  ToolResult,
  type Transactional,
} from 'toolwright';
import { fromTypedi } from 'toolwright/adapters';
import { ScriptedModel } from 'toolwright/testing';
import { ToolInvoked } from 'toolwright/events';
import { Container, Service } from 'typedi';

// A support desk exchanges an order: it books the goods back in, then the card is declined. Nothing of the exchange may
// stay, neither on the shelf nor in the notes of the conversation, and the model has to read so, in order to continue.

interface Row {
  readonly id: string;
  readonly status: 'delivered' | 'exchanged';
  readonly cents: number;
}

/** The shelf of orders: an overlay keeps the rows that it wrote. */
class OrderShelf implements Transactional<OrderShelf> {
  readonly #rows = new Map<string, Row>();
  readonly #under: OrderShelf | undefined;

  constructor(under?: OrderShelf) {
    this.#under = under;
  }

  find(id: string): Row | undefined {
    return this.#rows.get(id) ?? this.#under?.find(id);
  }

  put(row: Row): void {
    this.#rows.set(row.id, row);
  }

  begin(): OrderShelf {
    return new OrderShelf(this);
  }

  commit(overlay: OrderShelf): void {
    for (const row of overlay.#rows.values()) this.put(row);
  }
}

@Service()
class CardService {
  limitInCents = 10_000;
  charged = 0;

  async charge(cents: number): Promise<void> {
    await Promise.resolve();
    if (cents > this.limitInCents)
      throw new ToolRefusal('The card was declined.', { value: { limit: this.limitInCents } });
    this.charged += cents;
  }
}

class CaseNoted {
  constructor(readonly line: string) {}
}
class CaseFile {
  constructor(readonly lines: readonly string[] = []) {}

  @Reducer(() => CaseNoted)
  note({ line }: CaseNoted): SliceOp<CaseFile> {
    return SliceOps.replace(new CaseFile([...this.lines, line]));
  }
}

class OrderId {
  @Param('Order id, with its leading #')
  @Matches(/^#W\d{3}$/)
  orderId!: string;
}
class Exchange extends OrderId {
  @Param({ description: 'Price of the new goods in cents', integer: true, min: 1 }) newPrice!: number;
}
class OrderView {
  @Field('Order id') id!: string;
  @Field({ enum: ['delivered', 'exchanged'] }) status!: 'delivered' | 'exchanged';
}
class DeskParams {
  @Param('Tool to try first') primaryTool = 'get_order';
}

@Section({
  title: 'Orders',
  params: DeskParams,
  template: md`Look an order up with ${'primaryTool'} before you change it.`,
})
class OrdersSection {
  constructor(private readonly cards: CardService) {}

  @Tool({ description: 'Fetch one order.', result: OrderView, hints: { readOnly: true } })
  getOrder({ orderId }: OrderId, { resources }: ToolContext): ToolResult<OrderView> {
    const row = resources.get(OrderShelf).find(orderId);
    if (row === undefined) return ToolResult.error(`No order ${orderId}.`);
    return ToolResult.ok(Object.assign(new OrderView(), { id: row.id, status: row.status }));
  }

  @Tool('Exchange the goods of an order for others.')
  async exchange({ orderId, newPrice }: Exchange, context: ToolContext): Promise<ToolResult> {
    const shelf = context.resources.get(OrderShelf);
    const row = shelf.find(orderId);
    if (row === undefined) throw new ToolRefusal(`No order ${orderId}.`);
    shelf.put({ ...row, status: 'exchanged', cents: newPrice });
    context.session.dispatch(new CaseNoted(`exchanged ${orderId}`));
    await this.cards.charge(newPrice - row.cents);
    return ToolResult.ok(null, `Order ${orderId} was exchanged.`);
  }
}

@Prompt({ ns: 'support', key: 'desk', sections: [OrdersSection] })
class SupportDesk {}

test('a support desk that fails in the middle leaves no trace, and the conversation continues', async () => {
  Container.reset();
  const shelf = new OrderShelf();
  shelf.put({ id: '#W001', status: 'delivered', cents: 5_000 });
  const app = await createApplication({
    prompts: [SupportDesk],
    container: fromTypedi(Container),
    resources: [bind(OrderShelf, { value: shelf })],
    fieldNames: 'snake_case',
    logger: { debug() {}, info() {}, warn() {}, error() {} },
  });
  const session = new Session();
  session.install(CaseFile, { initial: () => new CaseFile() });
  const audit: string[] = [];
  app.eventBus.subscribe(ToolInvoked, ({ name, kind }) => {
    audit.push(`${name} ${kind}`);
  });

  const exchange = (newPrice: number) => ({ name: 'exchange', arguments: { order_id: '#W001', new_price: newPrice } });
  const model = new ScriptedModel([
    { toolCalls: [{ name: 'get_order', arguments: '{"order_id":"W001"}' }] },
    { toolCalls: [{ name: 'get_order', arguments: '{"order_id":"#W001"}' }, exchange(20_000)] },
    () => {
      // The card was declined after the goods had been booked: at this moment nothing of it may be seen.
      expect(shelf.find('#W001')).toEqual({ id: '#W001', status: 'delivered', cents: 5_000 });
      expect(session.slice(CaseFile).all()).toEqual([]);
      return { toolCalls: [exchange(6_000)] };
    },
    ({ messages }) => ({ text: `It is done: ${messages.at(-1)?.content}` }),
  ]);
  const prompt = app.prompt(SupportDesk).bind(DeskParams, { primaryTool: 'get_order' });
  const response = await app.evaluate(prompt, {
    adapter: model,
    session,
    messages: [{ role: 'user', content: 'I want the bigger one.' }],
  });

  expect(response.text).toBe('It is done: Order #W001 was exchanged.');
  expect(response.transcript[0]?.content).toBe(
    '## 1. Orders (orders)\n\nLook an order up with get_order before you change it.',
  );
  const told = response.transcript.flatMap((message) => (message.role === 'tool' ? [message.content] : []));
  expect(told[0]).toContain('order_id');
  expect(told[1]).toBe('{"id":"#W001","status":"delivered"}');
  expect(told[2]).toBe('The card was declined.\n\n{"limit":10000}');
  expect(audit).toEqual(['get_order rejected', 'get_order succeeded', 'exchange failed', 'exchange succeeded']);

  expect(shelf.find('#W001')).toEqual({ id: '#W001', status: 'exchanged', cents: 6_000 });
  expect(session.slice(CaseFile).latest()?.lines).toEqual(['exchanged #W001']);
  expect(Container.get(CardService).charged).toBe(1_000);
});
