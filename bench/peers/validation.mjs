// Checks of the same value by each library, without a tool. class-validator's storage also holds unrelated classes, as in an
// application.
import { type } from 'arktype';
import { plainToInstance } from 'class-transformer';
import { validate } from 'class-validator';
import * as v from 'valibot';
import { OrderDto, zodOrder } from './orderSchemas.mjs';

const valibotOrder = v.strictObject({
  customerId: v.pipe(v.string(), v.regex(/^c_\d+$/)),
  email: v.pipe(v.string(), v.regex(/^[^@\s]+@[^@\s]+$/)),
  delivery: v.picklist(['standard', 'express']),
  priority: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(9)),
  gift: v.boolean(),
  address: v.strictObject({ street: v.pipe(v.string(), v.minLength(1)), zip: v.pipe(v.string(), v.regex(/^\d{5}$/)) }),
  items: v.pipe(
    v.array(
      v.strictObject({
        itemId: v.string(),
        quantity: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(100)),
      }),
    ),
    v.minLength(1),
  ),
  note: v.optional(v.pipe(v.string(), v.maxLength(200)), ''),
});

const arktypeOrder = type({
  '+': 'reject',
  customerId: /^c_\d+$/,
  email: /^[^@\s]+@[^@\s]+$/,
  delivery: "'standard' | 'express'",
  priority: '0 <= number.integer <= 9',
  gift: 'boolean',
  address: { '+': 'reject', street: 'string >= 1', zip: /^\d{5}$/ },
  items: type({ '+': 'reject', itemId: 'string', quantity: '1 <= number.integer <= 100' }).array().atLeastLength(1),
  note: 'string <= 200',
});

export async function peers() {
  return {
    contenders: {
      zod: (value) => zodOrder.safeParse(value).success,
      valibot: (value) => v.safeParse(valibotOrder, value).success,
      arktype: (value) => !(arktypeOrder(value) instanceof type.errors),
      'plainToInstance + validate': async (value) =>
        (await validate(plainToInstance(OrderDto, value), { whitelist: true, forbidNonWhitelisted: true })).length ===
        0,
    },
  };
}
