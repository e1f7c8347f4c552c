import * as v from 'valibot';
import { z } from 'zod';
import { Param } from 'toolwright';
import { toStandardSchema } from 'toolwright/schema';
import { isStandardSchema } from '../../../src/schema/standard/standardSchemas';

describe('isStandardSchema', () => {
  test('isStandardSchema knows schemas of any library, functions included, with or without a JSON Schema', () => {
    class Order {
      @Param('Order id') orderId!: string;
    }
    const callable = Object.assign(() => 1, { '~standard': { version: 1, validate: () => ({ value: 1 }) } });
    for (const schema of [z.string(), v.string(), toStandardSchema(Order), callable])
      expect(isStandardSchema(schema)).toBe(true);
  });

  test.each([
    [undefined],
    [null],
    ['~standard'],
    [{}],
    [class Order {}],
    [() => z.string()],
    [{ '~standard': null }],
    [{ '~standard': { version: 2, validate: () => ({ value: 1 }) } }],
    [{ '~standard': { version: 1, validate: true } }],
  ])('%p is no Standard Schema', (value) => {
    expect(isStandardSchema(value)).toBe(false);
  });
});
