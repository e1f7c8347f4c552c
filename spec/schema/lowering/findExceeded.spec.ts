import { measureSchema } from '../../../src/schema/lowering/findExceeded';

describe('limits of providers', () => {
  test('limits are counted anywhere, also where one object is in several places', () => {
    const inner = { type: 'object', properties: { a: { type: ['string', 'null'] } } };
    const schema = { type: 'object', properties: { one: inner, two: inner }, required: ['one'] };
    expect(measureSchema(schema)).toMatchObject({ properties: 4, optionalProperties: 3, unions: 2, levels: 2 });
  });
});
