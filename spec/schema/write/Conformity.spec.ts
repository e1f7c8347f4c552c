import { ValidateIf, Min } from 'class-validator';
import { Field } from 'toolwright';
import type { TypeReference } from 'toolwright/types';
import { findPropertyIssues, findResultIssues } from '../../../src/schema/write/Conformity';
import { FieldTypeReader } from '../../../src/schema/read/FieldTypeReader';
import { shapeOf } from '../reading';

const issues = (reference: TypeReference, value: unknown): readonly string[] => {
  const type = new FieldTypeReader((read) => shapeOf(read)).readReference(reference);
  if ('problem' in type) throw new Error(type.problem);
  return findResultIssues(type, value).map(({ kind, path }) => `${kind} ${path}`);
};

class Item {
  @Field({ integer: true, min: 1, name: 'pieces' }) qty!: number;
  @Field({ optional: true }) note?: string;
  @Field({ nullable: true }) shelf!: string;
}
class Order {
  @Field('Id') id!: string;
  @Field({ type: [Item] }) items!: Item[];
  @Field({ optional: true }) at?: Date;
}
const item = { qty: 1, shelf: null };

describe('HAND-11 a result', () => {
  test.each<[string, TypeReference, unknown]>([
    ['a text', String, ''],
    ['a number', Number, 1.5],
    ['a boolean', Boolean, false],
    ['a date', Date, new Date(0)],
    ['a date as text', Date, '2030-01-01T00:00:00Z'],
    ['a list', { array: Number }, [1, 2]],
    ['an empty list', [Number], []],
    ['a record', { record: { array: String } }, { a: ['x'] }],
    ['a tuple', { tuple: [String, Number] }, ['a', 1]],
    ['an enum', { enum: ['a', 'b'] }, 'a'],
    ['one of several', { oneOf: [Number, Order] }, { id: 'a', items: [] }],
    ['a plain row', Order, { id: 'a', items: [item] }],
    ['a row with more than was declared', Order, { id: 'a', items: [], zip: 1 }],
    ['an instance', Item, Object.assign(new Item(), item)],
    ['an instance with a date', Order, { id: 'a', items: [], at: new Date(0) }],
    ['null for what is optional', Item, { qty: 1, note: null, shelf: 'a' }],
    ['anything', 'any', { x: 1 }],
  ])('a result conforms to its type: %s', (_what, reference, value) => {
    expect(issues(reference, value)).toEqual([]);
  });

  test.each<[string, TypeReference, unknown, readonly string[]]>([
    ['another type', String, 1, ['type ']],
    ['not a number', Number, Number.NaN, ['type ']],
    ['an invalid date', Date, new Date(Number.NaN), ['type ']],
    ['no list', { array: Number }, { 0: 1 }, ['type ']],
    ['a wrong item', { array: Number }, [1, 'x', null], ['type [1]', 'type [2]']],
    ['a wrong entry', { record: Number }, { a: 1, b: 'x' }, ['type [b]']],
    ['a tuple of another length', { tuple: [String] }, ['a', 'b'], ['type ']],
    ['a wrong place in a tuple', { tuple: [String, Number] }, ['a', 'b'], ['type [1]']],
    ['none of several', { oneOf: [Number, Order] }, { id: 1 }, ['type ']],
    ['outside an enum', { enum: ['a'] }, 'b', ['constraint ']],
    ['outside an enum, of another type', { enum: ['a'] }, 1, ['constraint ']],
    ['null for an enum', { enum: ['a'] }, null, ['type ']],
    ['a missing property', Order, { items: [] }, ['missing id']],
    ['a wrong property below', Order, { id: 'a', items: [item, { qty: 'x', shelf: null }] }, ['type items[1].qty']],
    ['a rule', Order, { id: 'a', items: [{ ...item, qty: 0 }] }, ['constraint items[0].qty']],
    ['null for what is required', Item, { qty: null, shelf: 'a' }, ['missing qty']],
    ['nothing for what is nullable', Item, { qty: 1 }, ['missing shelf']],
    ['a text for an object', Order, 'x', ['type ']],
    ['undefined', Number, undefined, ['type ']],
  ])('a result does not conform: %s', (_what, reference, value, expected) => {
    expect(issues(reference, value)).toEqual(expected);
  });

  test('HAND-11 a result is neither changed nor frozen', () => {
    const row = { id: 'a', items: [{ ...item }], zip: 1 };
    const copy = structuredClone(row);
    issues(Order, row);
    expect(row).toEqual(copy);
    expect(Object.isFrozen(row)).toBe(false);
    row.items.push({ ...item });
    expect(row.items).toHaveLength(2);
  });

  test('HAND-11 a result is read through getters of its class', () => {
    class Lazy {
      readonly #parts: readonly number[] = [2, 3];
      @Field({ type: Number }) get total(): number {
        return this.#parts.length;
      }
    }
    expect(issues(Lazy, new Lazy())).toEqual([]);
  });

  test('a result with conditional rules is judged where the condition applies', () => {
    class Answer {
      @Field('Kind') kind!: string;
      @Field('Only for b') @ValidateIf(({ kind }: Answer) => kind === 'b') @Min(3) more!: number;
    }
    expect(issues(Answer, { kind: 'a' })).toEqual([]);
    expect(issues(Answer, { kind: 'a', more: 1 })).toEqual([]);
  });

  test('the path of a hostile key in a result is short', () => {
    const [path] = issues({ record: Number }, { [`a\n${'x'.repeat(5_000)}`]: 'x' });
    expect(path?.length).toBeLessThan(120);
    expect(path).not.toContain('\n');
  });
});

test('one property can be judged alone', () => {
  const field = shapeOf(Item).byWireName.get('pieces')!;
  expect(findPropertyIssues(field, { qty: 0 })).toMatchObject([{ kind: 'constraint', path: 'qty' }]);
  expect(findPropertyIssues(field, { qty: 1 })).toEqual([]);
});
