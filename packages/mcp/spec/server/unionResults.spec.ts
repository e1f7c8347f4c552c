import { Type } from 'class-transformer';
import {
  type Application,
  type Constructor,
  createApplication,
  defineTool,
  Field,
  Prompt,
  Section,
  Session,
  type ToolOutcome,
} from 'toolwright';
import { serveMcp } from '@toolwright/mcp';
import { QuickJsSandbox, Toolkit } from '@toolwright/programs';
import type { TypeReference } from 'toolwright/types';
import { silent } from '../../../../spec/support/silent';
import { clientOf, closeAll } from '../support/serverKit';

jest.setTimeout(60_000);
const sandbox = new QuickJsSandbox({ workers: 1 });
afterEach(closeAll);
afterAll(() => sandbox.close());

class OrderLine {
  @Field({ name: 'line_total' }) lineTotal!: number;
}
class OrderFound {
  @Field({ name: 'order_id' }) orderId!: string;
  @Field({ name: 'order_lines', type: [OrderLine], optional: true }) orderLines?: OrderLine[];
}
class OrderMissing {
  @Field({ name: 'asked_for' }) askedFor!: string;
  @Field({ name: 'try_next', type: String, nullable: true }) tryNext!: string | null;
}
/** Has all properties of `OrderFound` and one more. */
class OrderShipped extends OrderFound {
  @Field({ name: 'shipped_at' }) shippedAt!: Date;
}
class Answer {
  @Field({ name: 'best_match', oneOf: [OrderFound, OrderMissing] }) bestMatch!: OrderFound | OrderMissing;
  @Field({ name: 'all_matches', type: { array: { oneOf: [OrderFound, OrderMissing] } } })
  allMatches!: (OrderFound | OrderMissing)[];
}
class CardPayment {
  @Field({ name: 'card_number' }) cardNumber!: string;
}
class GiftPayment {
  @Field({ name: 'gift_code', optional: true }) giftCode?: string;
}
class Paid {
  @Field({ name: 'paid_by' })
  @Type(() => Object, {
    discriminator: {
      property: 'kind',
      subTypes: [
        { value: GiftPayment, name: 'gift' },
        { value: CardPayment, name: 'card' },
      ],
    },
  })
  paidBy!: unknown;
}
/** An entity of a database library: a class that declares nothing here. */
class OrderEntity {
  orderId = '#W1';
}

const made = (type: new () => object, values: object): object => Object.assign(new type(), values);
const either: TypeReference = { oneOf: [OrderFound, OrderMissing] };
const shippedAt = new Date(0);
const shippedWire = { order_id: '#W1', shipped_at: '1970-01-01T00:00:00.000Z' };

const cases: readonly [string, TypeReference, unknown, unknown][] = [
  ['the first option', either, { orderId: '#W1' }, { order_id: '#W1' }],
  ['the second option', either, { askedFor: 'x', tryNext: 'y' }, { asked_for: 'x', try_next: 'y' }],
  ['a null of the second option', either, { askedFor: 'x', tryNext: null }, { asked_for: 'x', try_next: null }],
  [
    'rows below the first option',
    either,
    { orderId: 'a', orderLines: [{ lineTotal: 1 }] },
    { order_id: 'a', order_lines: [{ line_total: 1 }] },
  ],
  ['an instance', either, made(OrderMissing, { askedFor: 'x', tryNext: 'y' }), { asked_for: 'x', try_next: 'y' }],
  [
    'rows below an instance',
    either,
    made(OrderFound, { orderId: 'a', orderLines: [{ lineTotal: 1 }] }),
    { order_id: 'a', order_lines: [{ line_total: 1 }] },
  ],
  ['an option that has more', { oneOf: [OrderFound, OrderShipped] }, { orderId: '#W1', shippedAt }, shippedWire],
  [
    'an instance of an option that has more',
    { oneOf: [OrderFound, OrderShipped] },
    made(OrderShipped, { orderId: '#W1', shippedAt }),
    shippedWire,
  ],
  [
    'an instance of the option that has less',
    { oneOf: [OrderShipped, OrderFound] },
    made(OrderFound, { orderId: '#W1' }),
    { order_id: '#W1' },
  ],
  [
    'a list',
    { array: either },
    [{ orderId: 'a' }, { askedFor: 'b', tryNext: null }],
    [{ order_id: 'a' }, { asked_for: 'b', try_next: null }],
  ],
  ['a list or one', { oneOf: [OrderFound, { array: OrderFound }] }, [{ orderId: 'a' }], [{ order_id: 'a' }]],
  [
    'lists of either',
    { oneOf: [[OrderFound], [OrderMissing]] },
    [{ askedFor: 'b', tryNext: 'c' }],
    [{ asked_for: 'b', try_next: 'c' }],
  ],
  ['a record', { record: either }, { one: { orderId: 'a' } }, { one: { order_id: 'a' } }],
  ['a tuple', { tuple: [String, either] }, ['a', { orderId: 'a' }], ['a', { order_id: 'a' }]],
  [
    'a union in a union',
    { oneOf: [String, { oneOf: [OrderMissing, OrderFound] }] },
    { orderId: 'a' },
    { order_id: 'a' },
  ],
  ['an option or text', { oneOf: [String, OrderFound] }, { orderId: 'a' }, { order_id: 'a' }],
  [
    'properties',
    Answer,
    { bestMatch: { orderId: 'a' }, allMatches: [{ askedFor: 'b', tryNext: null }, { orderId: 'a' }] },
    { best_match: { order_id: 'a' }, all_matches: [{ asked_for: 'b', try_next: null }, { order_id: 'a' }] },
  ],
  [
    'a subtype by its key',
    Paid,
    { paidBy: { kind: 'card', cardNumber: '1' } },
    { paid_by: { kind: 'card', card_number: '1' } },
  ],
  [
    'a subtype by its properties',
    Paid,
    { paidBy: { cardNumber: '1' } },
    { paid_by: { kind: 'card', card_number: '1' } },
  ],
  [
    'a subtype by its class',
    Paid,
    { paidBy: made(CardPayment, { cardNumber: '1' }) },
    { paid_by: { kind: 'card', card_number: '1' } },
  ],
  ['columns that are not declared', either, { orderId: 'a', zip: 1 }, { order_id: 'a' }],
  ['an entity', OrderFound, new OrderEntity(), { order_id: '#W1' }],
  ['an entity in a union', either, new OrderEntity(), { order_id: '#W1' }],
];

async function openDesk(result: TypeReference, value: unknown): Promise<{ app: Application; prompt: Constructor }> {
  const look = defineTool({ name: 'look', description: 'Looks.', result, handler: () => value as never });
  @Section({ title: 'Look', template: 'Look.', tools: [look] })
  class Looks {}
  @Prompt({ ns: 'test', key: 'look', sections: [Looks] })
  class Looking {}
  return { app: await createApplication({ prompts: [Looking], logger: silent }), prompt: Looking };
}

async function callLook({ app, prompt }: Awaited<ReturnType<typeof openDesk>>): Promise<ToolOutcome> {
  const rendered = await app.prompt(prompt).render();
  return app.invoke(rendered, 'look', {}, { session: new Session() });
}

describe('results by union', () => {
  test.each(cases)('text, program and MCP client get wire names: %s', async (_what, result, value, wire) => {
    const desk = await openDesk(result, value);
    const outcome = await callLook(desk);
    expect([outcome.kind, outcome.text && JSON.parse(outcome.text)]).toEqual(['succeeded', wire]);

    const client = await clientOf(serveMcp(desk.app, desk.app.prompt(desk.prompt)));
    await client.listTools();
    const { structuredContent } = await client.callTool({ name: 'look', arguments: {} });
    const isObject = structuredContent !== undefined && !('result' in (structuredContent as object));
    expect(isObject ? structuredContent : (structuredContent as { result: unknown }).result).toEqual(wire);

    const rendered = await desk.app.prompt(desk.prompt).render();
    const kit = await Toolkit.from(rendered, { app: desk.app, session: new Session(), check: 'syntax', sandbox });
    const { returnValue } = await kit.execute('return await look();');
    expect(returnValue).toEqual(wire);
  });

  test.each<[string, TypeReference, unknown, readonly RegExp[]]>([
    [
      'no option fits',
      either,
      { orderId: 1 },
      [
        /result: expected an object of class OrderFound or an object of class OrderMissing, got an object: /,
        /orderId expected a string, got the number 1 \(OrderFound\.orderId\)/,
        /askedFor is required: a string \(OrderMissing\.askedFor\)/,
      ],
    ],
    [
      'wire names in place of properties',
      either,
      { order_id: 'a' },
      [/orderId is required: a string \(OrderFound\.orderId\); return it as "orderId", which is sent as "order_id"/],
    ],
    ['a missing key', OrderFound, {}, [/- orderId: is required: a string \(OrderFound\.orderId\)/]],
    [
      'a key below',
      OrderFound,
      { orderId: 'a', orderLines: [{}] },
      [/- orderLines\[0\]\.lineTotal: .+\(OrderLine\.lineTotal\)/],
    ],
    ['no object', OrderFound, 'a', [/- result: expected an object of class OrderFound, got the string "a"/]],
    [
      'a wrong item',
      OrderFound,
      { orderId: 'a', orderLines: [1] },
      [/- orderLines\[0\]: expected an object of class OrderLine, got the number 1 \(OrderFound\.orderLines\)/],
    ],
    [
      'a property by union',
      Answer,
      { bestMatch: {}, allMatches: [] },
      [/- bestMatch: expected .+ \(Answer\.bestMatch\): orderId is required/],
    ],
    [
      'a key of no subtype',
      Paid,
      { paidBy: { kind: 'cash', cardNumber: '1' } },
      [/- paidBy: expected an object whose kind is one of "gift", "card"/],
    ],
    [
      'a subtype that does not fit',
      Paid,
      { paidBy: { kind: 'card' } },
      [/cardNumber is required: a string \(CardPayment\.cardNumber\)/],
    ],
    [
      'lists of neither',
      { oneOf: [[OrderFound], [OrderMissing]] },
      [{}],
      [/\[0\]\.orderId is required/, /\[0\]\.askedFor is required/],
    ],
  ])('a refusal names class and key: %s', async (_what, result, value, texts) => {
    const { kind, text } = await callLook(await openDesk(result, value));
    expect(kind).toBe('failed');
    for (const each of texts) expect(text).toMatch(each);
  });

  test('a client takes a result that does not meet its type where the tool only warns of that', async () => {
    const { app, prompt } = await openDesk({ type: OrderFound, mismatch: 'warn' } as never, { orderId: 1 });
    const client = await clientOf(serveMcp(app, app.prompt(prompt)));
    const { tools } = await client.listTools();
    expect(tools[0]?.outputSchema).toBeUndefined();
    expect(await client.callTool({ name: 'look' })).toEqual({ content: [{ type: 'text', text: '{"order_id":1}' }] });
  });

  test('a value that holds itself is matched, and its refusal ends', async () => {
    class Knot {
      @Field('Title') title!: string;
      @Field({ name: 'next_one', oneOf: [() => Knot, () => Loop], optional: true }) nextOne?: unknown;
    }
    class Loop {
      @Field({ name: 'loop_back', oneOf: [() => Knot, () => Loop] }) loopBack!: unknown;
    }
    const loop: { loopBack?: unknown } = {};
    loop.loopBack = { title: 'a', nextOne: loop };
    const good = await callLook(await openDesk({ oneOf: [Knot, Loop] }, loop));
    expect([good.kind, good.text]).toEqual([
      'succeeded',
      expect.stringContaining('{"loop_back":{"title":"a","next_one":') as string,
    ]);
    const bad: { loopBack?: unknown } = {};
    bad.loopBack = { loopBack: { loopBack: [bad] } };
    expect((await callLook(await openDesk({ oneOf: [Knot, Loop] }, bad))).kind).toBe('failed');
  });
});
