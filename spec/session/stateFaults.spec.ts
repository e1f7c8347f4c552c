import { Field, Session } from 'toolwright';

class Pair {
  @Field({ type: { tuple: [String, Number] } }) pair!: readonly [string, number];
  @Field({ oneOf: ['integer', Boolean], optional: true }) either?: number | boolean;
  @Field({ enum: ['north', 'south'], optional: true }) way?: 'north' | 'south';
}
const pair = (values: object): Pair => Object.assign(new Pair(), { pair: ['a', 1] }, values);

function written(value: Pair): () => unknown {
  const session = new Session({ slices: [Pair] });
  session.slice(Pair).seed([value]);
  return () => session.toJSON();
}
function read(values: object): () => Session {
  const json = JSON.parse(JSON.stringify(written(pair({}))())) as { slices: Record<string, Record<string, unknown>[]> };
  Object.assign(json.slices['Pair']![0]!, values);
  return () => Session.fromJSON(json, { slices: [Pair] });
}

describe('state that is not as its class declares', () => {
  const cases: readonly (readonly [string, object, string])[] = [
    ['a tuple that is too short', { pair: ['a'] }, 'pair: expected an array of exactly 2, got '],
    ['a tuple that is too long', { pair: ['a', 1, 2] }, 'pair: expected an array of exactly 2, got '],
    ['a tuple in another order', { pair: [1, 'a'] }, 'pair[0]: expected a string, got the number 1'],
    ['none of two types', { either: 'x' }, 'either: expected a whole number or true or false, got the string "x"'],
    ['a value that the enum has not', { way: 'up' }, 'way: expected one of "north", "south", got the string "up"'],
  ];

  test.each(cases)('%s is not written: E805 says where, what was expected and what came', (_what, values, text) => {
    expect(written(pair(values))).toThrow(`E805 slices.Pair[0].${text}`);
    expect(written(pair(values))).toThrow('Use a value that the @Field declares, or correct the declaration.');
  });

  test.each(cases)('%s is not read: E806 says the same', (_what, values, text) => {
    expect(read(values)).toThrow(`E806 slices.Pair[0].${text}`);
  });

  test.each([
    ['a list', ['a'], 'E804 tags: expected a record of strings, got '],
    ['a text', 'a', 'E804 tags: expected a record of strings, got the string "a"'],
    ['a record with a number', { user: 1 }, 'E804 tags.user: expected a string, got the number 1'],
  ])('tags of a session that are %s: E804 says what was expected', (_what, tags, text) => {
    expect(() => new Session({ tags: tags as never })).toThrow(text);
  });
});
