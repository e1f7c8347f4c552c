import { Type } from 'class-transformer';
import { Field } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { findOutputIssues } from '../../src/builder/findOutputIssues.js';
import { readDeclaredPattern } from '../../src/schema/pattern/readDeclaredPattern.js';
import { ShapeReader } from '../../src/schema/read/ShapeReader.js';

class Line {
  @Field({ description: 'Item', name: 'item_id' }) itemId = 'a';
  @Field({ description: 'Pieces', integer: true, min: 1 }) qty = 1;
}
class OtherLine extends Line {}
class Order {
  @Field('Id') id = '#W1';
  @Field({ type: () => [Line], optional: true }) lines?: readonly Line[];
  @Field({ record: () => Line, optional: true }) byItem?: Readonly<Record<string, Line>>;
  @Field({ type: () => Line, optional: true }) first?: Line;
  @Field({ type: Date, optional: true }) at?: Date;
}
class Refund {
  @Field('Refunded id') refundId = '#R1';
}

function issues(reference: TypeReference, value: unknown): readonly string[] {
  const reader = new ShapeReader('as-is', readDeclaredPattern);
  const type = reader.types.readReference(reference);
  expect(type).not.toHaveProperty('problem');
  expect(reader.faults).toEqual([]);
  return 'kind' in type ? findOutputIssues(type, value).map(({ path, message }) => `${path}: ${message}`) : [];
}

const orderOf = (members: object): Order => Object.assign(new Order(), members);
const plainLine = { item_id: 'b', qty: 2 };

describe('outputIssues', () => {
  test.each<[string, TypeReference, unknown]>([
    ['a plain object that parses', Order, { id: '#W1', lines: [plainLine] }],
    ['one without prototype', Order, Object.assign(Object.create(null) as object, { id: '#W1' })],
    ['an instance', Order, new Order()],
    ['an instance that holds instances', Order, orderOf({ lines: [new Line()], byItem: { a: new Line() } })],
    ['an instance that holds rows, by the names of its properties', Order, orderOf({ first: { itemId: 'b', qty: 2 } })],
    ['an instance with a member that it keeps to itself', Order, orderOf({ cache: new Map() })],
    ['dates, as such and as text', [Order], [orderOf({ at: new Date(0) }), { id: 'a', at: '2030-01-01T00:00:00Z' }]],
    ['instances and plain objects in one list', [Line], [new Line(), { itemId: 'b', qty: 2 }]],
    ['a record of plain objects', { record: Line }, { a: plainLine, b: {} }],
    ['a tuple', { tuple: [Line, String] }, [plainLine, 'x']],
    ['one of several classes', { oneOf: [Refund, Order] }, { id: '#W1' }],
    ['one of several, as an instance', { oneOf: [Refund, Order] }, new Order()],
    ['anything', 'any', { a: new Map() }],
    ['a scalar', Number, 5],
  ])('findOutputIssues accepts %s', (_case, reference, value) => {
    expect(issues(reference, value)).toEqual([]);
  });

  test.each<[string, TypeReference, unknown, readonly RegExp[]]>([
    ['an instance of another class', Order, new Refund(), [/^: is an instance of Refund, not of Order$/]],
    ['one of a subclass', Line, new OtherLine(), [/^: is an instance of OtherLine, not of Line$/]],
    [
      'one of another class in a list',
      [Line],
      [new Line(), new OtherLine()],
      [/^\[1\]: is an instance of OtherLine, not of Line$/],
    ],
    ['one in a record', { record: Line }, { a: new OtherLine() }, [/^\[a\]: is an instance of OtherLine/]],
    ['one in a tuple', { tuple: [String, Line] }, ['x', new OtherLine()], [/^\[1\]: is an instance of OtherLine/]],
    [
      'one inside an instance',
      Order,
      orderOf({ lines: [new OtherLine()] }),
      [/^lines\[0\]: is an instance of OtherLine/],
    ],
    ['one inside a plain object', Order, { id: 'a', first: new OtherLine() }, [/^first: is an instance of OtherLine/]],
    [
      'one in a record inside',
      Order,
      orderOf({ byItem: { a: new OtherLine() } }),
      [/^byItem\[a\]: is an instance of OtherLine/],
    ],
    [
      'one of none of several classes',
      { oneOf: [Refund, Line] },
      new OtherLine(),
      [/^: is an instance of none of the declared classes/],
    ],
    ['a key too many', Order, { id: 'a', zip: 1 }, [/^zip: /]],
    ['a key too many in a list', [Line], [{ ...plainLine, price: 1 }], [/^\[0\]\.price: /]],
    [
      'a key too many beside an instance',
      [Line],
      [new Line(), { itemId: 'a', qty: 1, price: 1 }],
      [/^\[1\]\.price: is not declared$/],
    ],
    [
      'a key too many inside an instance',
      Order,
      orderOf({ first: { itemId: 'a', qty: 1, price: 1 } }),
      [/^first\.price: /],
    ],
    ['a name that the model is not told', Line, { itemId: 'a', qty: 1 }, [/^itemId: .*item_id/]],
    ['a wrong value', Line, { item_id: 5 }, [/^item_id: /]],
    ['a value against the rules', [Line], [{ qty: 0 }], [/^\[0\]\.qty: /]],
    ['a value against the rules, in an instance', Line, Object.assign(new Line(), { qty: 0 }), [/^qty: /]],
    ['no list', [Line], plainLine, [/^: expected an array/]],
    ['a tuple of another length', { tuple: [Line, String] }, [plainLine], [/^: expected an array of exactly 2/]],
    ['none of several', { oneOf: [String, Number] }, true, [/^: expected a string or a number/]],
    ['none of several, by a key too many', { oneOf: [Refund, Line] }, { ...plainLine, itemId: 'x' }, [/^: /]],
    ['a list for an object', Order, ['#W1'], [/^: expected an object/]],
    ['a map for an object', Order, new Map(), [/^: is an instance of Map, not of Order$/]],
  ])('findOutputIssues reports %s', (_case, reference, value, expected) => {
    const found = issues(reference, value);
    expect(found).toEqual(expected.map((pattern) => expect.stringMatching(pattern) as unknown));
  });

  test('classes with a discriminator are each parsed as their own', () => {
    class Card {
      @Field('Number') number = '1';
    }
    class Cash {
      @Field('Currency') currency = 'EUR';
    }
    class Cheque extends Cash {}
    class Payment {
      @Type(() => Object, {
        keepDiscriminatorProperty: true,
        discriminator: {
          property: 'kind',
          subTypes: [
            { name: 'card', value: Card },
            { name: 'cash', value: Cash },
          ],
        },
      })
      @Field('How')
      how!: Card | Cash;
    }
    const payment = (how: object): Payment => Object.assign(new Payment(), { how });
    expect(issues(Payment, { how: { kind: 'card', number: '2' } })).toEqual([]);
    expect(issues(Payment, payment(new Cash()))).toEqual([]);
    expect(issues(Payment, { how: { kind: 'card', number: '2', zip: 1 } })).not.toEqual([]);
    expect(issues(Payment, payment(new Cheque()))).toEqual([expect.stringMatching(/^how: is an instance of none/)]);
  });

  test('a value that holds itself is refused, not followed for ever', () => {
    const order = new Order();
    Object.assign(order, { first: order });
    expect(issues(Order, order)).toEqual([expect.stringMatching(/64 levels/)]);
  });
});
