import { Param } from 'toolwright';
import type { TypeShape } from '../../../src/metadata/ClassShape';
import { describeExpected, describeField } from '../../../src/schema/emit/describeExpected';
import { shapeOf } from '../reading';

describe('an expected type, as text', () => {
  test.each<[TypeShape, string]>([
    [{ kind: 'string' }, 'a string'],
    [{ kind: 'number' }, 'a number'],
    [{ kind: 'integer' }, 'a whole number'],
    [{ kind: 'boolean' }, 'true or false'],
    [{ kind: 'null' }, 'null'],
    [{ kind: 'any' }, 'any value'],
    [{ kind: 'date' }, 'an ISO 8601 date and time'],
    [{ kind: 'enum', values: ['a', 1, null] }, 'one of "a", 1, null'],
    [{ kind: 'array', items: { kind: 'string' } }, 'an array'],
    [{ kind: 'tuple', items: [{ kind: 'string' }, { kind: 'string' }] }, 'an array of exactly 2'],
    [{ kind: 'record', values: { kind: 'string' } }, 'an object'],
    [{ kind: 'oneOf', options: [{ kind: 'string' }, { kind: 'integer' }] }, 'a string or a whole number'],
  ])('describeExpected writes the type %j as text', (type, expected) => {
    expect(describeExpected(type)).toBe(expected);
  });

  test('a field adds the rules that have a text', () => {
    class Params {
      @Param({ integer: true, min: 1 }) n!: number;
      @Param('Plain') text!: string;
    }
    const [n, text] = shapeOf(Params).fields;
    expect(describeField(n!)).toMatch(/^a whole number.*at least 1/);
    expect(describeField(text!)).toBe('a string');
  });
});
