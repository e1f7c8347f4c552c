// The whole transactional dispatch of a valid call with eight fields, as a ratio to the least that any tool call costs:
// JSON.parse, a compiled Ajv schema, and the handler. And whether it stays flat as a session
// grows, and with it the cost of a rollback.
import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolContext, ToolResult } from 'toolwright';
import { median, measure, report } from './measure.js';

class Address {
  @Param({ description: 'Street and number', minLength: 1 }) street!: string;
  @Param({ description: 'Postal code', pattern: /^\d{5}$/ }) zip!: string;
}

class Item {
  @Param('Item id') itemId!: string;
  @Param({ description: 'Pieces', integer: true, min: 1, max: 100 }) quantity!: number;
}

class PlaceOrderParams {
  @Param({ description: 'Customer id', pattern: /^c_\d+$/ }) customerId!: string;
  @Param({ description: 'E-mail', pattern: /^[^@\s]+@[^@\s]+$/ }) email!: string;
  @Param({ description: 'Kind of delivery', enum: ['standard', 'express'] }) delivery!: 'standard' | 'express';
  @Param({ description: 'Priority', integer: true, min: 0, max: 9 }) priority!: number;
  @Param('Gift wrapping') gift!: boolean;
  @Param({ description: 'Address', type: Address }) address!: Address;
  @Param({ description: 'Items', type: [Item], minItems: 1 }) items!: Item[];
  @Param({ description: 'Note', maxLength: 200 }) note = '';
}

class Placed {
  constructor(
    readonly customerId: string,
    readonly pieces: number,
  ) {}
}

const pieces = (items: readonly { readonly quantity: number }[]): number =>
  items.reduce((sum, { quantity }) => sum + quantity, 0);

@Section({ key: 'orders', title: 'Orders' })
class OrdersSection {
  @Tool('Place an order.')
  placeOrder(params: PlaceOrderParams): ToolResult {
    return ToolResult.ok({ customer: params.customerId, pieces: pieces(params.items) }, 'Placed.');
  }

  @Tool('Place an order and note it in the session.')
  noteOrder(params: PlaceOrderParams): ToolResult {
    return ToolResult.ok(new Placed(params.customerId, pieces(params.items)), 'Placed.');
  }
}

@Section({ key: 'slow', title: 'Slow' })
class SlowSection {
  @Tool({ description: 'Place an order in time.', timeoutMs: 60_000 })
  async placeInTime(params: PlaceOrderParams): Promise<ToolResult> {
    return ToolResult.ok({ customer: params.customerId, pieces: pieces(params.items) }, 'Placed.');
  }

  @Tool('Note an order, then refuse it.')
  refuseOrder(params: PlaceOrderParams, context: ToolContext): ToolResult {
    context.session.dispatch(new Placed(params.customerId, pieces(params.items)));
    return ToolResult.error('Refused.');
  }
}

@Prompt({ ns: 'bench', key: 'orders', sections: [OrdersSection, SlowSection] })
class Orders {}

const text = JSON.stringify({
  customerId: 'c_4711',
  email: 'ada@example.com',
  delivery: 'express',
  priority: 3,
  gift: false,
  address: { street: 'Long Street 1', zip: '12345' },
  items: [
    { itemId: 'i1', quantity: 2 },
    { itemId: 'i2', quantity: 1 },
  ],
  note: 'Ring twice.',
});

async function main(): Promise<void> {
  const quiet = { debug() {}, info() {}, warn() {}, error() {} };
  const app = await createApplication({ prompts: [Orders], logger: quiet });
  const rendered = await app.prompt(Orders).render();
  const schema = rendered.toolSchemas('json-schema')[0]?.parameters ?? {};
  const validate = new Ajv2020().compile<PlaceOrderParams>(schema);

  const floor = async (): Promise<unknown> => {
    const value: unknown = JSON.parse(text);
    if (!validate(value)) throw new TypeError('the floor refuses a valid call');
    return JSON.stringify({ customer: value.customerId, pieces: pieces(value.items) });
  };
  const call =
    (session: Session, name: string, kind = 'succeeded') =>
    async (): Promise<unknown> => {
      const outcome = await app.callTool(rendered, { id: 'c1', name, arguments: text }, { session });
      if (outcome.kind !== kind) throw new TypeError(outcome.text);
      return outcome;
    };
  const fresh = new Session();
  const grown = sessionWith(0);
  for (let index = 0; index < 10_000; index++) await call(grown, 'note_order')();
  const [small, large] = [sessionWith(1_000), sessionWith(10_000_000)];

  const rounds = await measure({
    floor,
    stateless: call(fresh, 'place_order'),
    timed: call(fresh, 'place_in_time'),
    young: keptYoung(sessionWith(0), (session) => call(session, 'note_order')),
    grown: call(grown, 'note_order'),
    small: keptYoung(small, (session) => call(session, 'note_order')),
    large: keptYoung(large, (session) => call(session, 'note_order')),
    smallRollback: call(small, 'refuse_order', 'failed'),
    largeRollback: call(large, 'refuse_order', 'failed'),
  });
  const ratio = (one: keyof (typeof rounds)[number], other: keyof (typeof rounds)[number]): number =>
    median(rounds.map((round) => round[one] / round[other]));
  report('dispatch, valid 8-field call / floor', ratio('stateless', 'floor'), 3);
  report('dispatch with timeoutMs / floor', ratio('timed', 'floor'), 4);
  report('dispatch with an event into a slice / floor', ratio('young', 'floor'));
  report('growth after 10,000 calls in the session', ratio('grown', 'young'), 1.2);
  report('10 MB of state / 1 kB', ratio('large', 'small'), 1.2);
  report('rollback with 10 MB of state / 1 kB', ratio('largeRollback', 'smallRollback'), 1.2);
  console.log(`floor: ${(median(rounds.map((round) => round.floor)) * 1000).toFixed(2)} µs a call on this machine`);
}

class Archive {
  constructor(readonly pages: readonly string[]) {}
}

/** A session that notes orders, beside an archive of so many bytes. */
function sessionWith(bytes: number): Session {
  const session = new Session();
  session.slice(Placed).register(Placed, (_view, event) => ({ kind: 'append', value: event }));
  session.install(Archive);
  if (bytes > 0)
    session.slice(Archive).seed(new Archive(Array.from({ length: bytes / 1_000 }, () => 'x'.repeat(1_000))));
  return session;
}

/** Otherwise the measuring itself would make it old. */
function keptYoung(session: Session, dispatch: (session: Session) => () => Promise<unknown>): () => Promise<unknown> {
  const run = dispatch(session);
  let calls = 0;
  return () => {
    if (++calls % 100 === 0) session.slice(Placed).clear();
    return run();
  };
}

void main();
