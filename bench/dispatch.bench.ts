// The whole transactional dispatch of a valid call with eight fields, as a ratio to the least that any tool call costs:
// JSON.parse, a compiled Ajv schema, and the handler. And whether it stays flat as a session grows.
import 'reflect-metadata';
import Ajv2020 from 'ajv/dist/2020';
import { createApplication, Param, Prompt, Section, Session, Tool, ToolResult } from 'toolwright';
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

@Prompt({ ns: 'bench', key: 'orders', sections: [OrdersSection] })
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
  const app = await createApplication({ prompts: [Orders] });
  const rendered = await app.prompt(Orders).render();
  const schema = rendered.toolSchemas('json-schema')[0]?.parameters ?? {};
  const validate = new Ajv2020().compile<PlaceOrderParams>(schema);

  const floor = async (): Promise<unknown> => {
    const value: unknown = JSON.parse(text);
    if (!validate(value)) throw new TypeError('the floor refuses a valid call');
    return JSON.stringify({ customer: value.customerId, pieces: pieces(value.items) });
  };
  const fresh = new Session();
  const dispatch = (session: Session, name: string) => async (): Promise<unknown> => {
    const outcome = await app.callTool(rendered, { id: 'c1', name, arguments: text }, { session });
    if (outcome.kind !== 'succeeded') throw new TypeError(outcome.text);
    return outcome;
  };
  const grown = new Session();
  grown.slice(Placed).register(Placed, (_view, event) => ({ kind: 'append', value: event }));
  const young = new Session();
  young.slice(Placed).register(Placed, (_view, event) => ({ kind: 'append', value: event }));
  for (let call = 0; call < 10_000; call++) await dispatch(grown, 'note_order')();

  const rounds = await measure({
    floor,
    stateless: dispatch(fresh, 'place_order'),
    young: dispatch(young, 'note_order'),
    grown: dispatch(grown, 'note_order'),
  });
  report('dispatch, valid 8-field call / floor', median(rounds.map((round) => round.stateless / round.floor)), 4);
  report('dispatch with an event into a slice / floor', median(rounds.map((round) => round.young / round.floor)));
  report('growth after 10,000 calls in the session', median(rounds.map((round) => round.grown / round.young)), 1.3);
  console.log(`floor: ${(median(rounds.map((round) => round.floor)) * 1000).toFixed(2)} µs a call on this machine`);
}

void main();
