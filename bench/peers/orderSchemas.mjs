// The eight fields of the benchmarked tool, as each library declares them.
import { Type } from 'class-transformer';
import * as validator from 'class-validator';
import 'reflect-metadata';
import { z } from 'zod';

export const zodOrder = z.strictObject({
  customerId: z.string().regex(/^c_\d+$/),
  email: z.string().regex(/^[^@\s]+@[^@\s]+$/),
  delivery: z.enum(['standard', 'express']),
  priority: z.int().min(0).max(9),
  gift: z.boolean(),
  address: z.strictObject({ street: z.string().min(1), zip: z.string().regex(/^\d{5}$/) }),
  items: z.array(z.strictObject({ itemId: z.string(), quantity: z.int().min(1).max(100) })).min(1),
  note: z.string().max(200).default(''),
});

export class AddressDto {}
export class ItemDto {}
export class OrderDto {}

const { IsString, Matches, IsIn, IsInt, Min, Max, IsBoolean, ValidateNested, ArrayMinSize, MaxLength, MinLength } =
  validator;
const rules = [
  [AddressDto, { street: [IsString(), MinLength(1)], zip: [Matches(/^\d{5}$/)] }],
  [ItemDto, { itemId: [IsString()], quantity: [IsInt(), Min(1), Max(100)] }],
  [
    OrderDto,
    {
      customerId: [Matches(/^c_\d+$/)],
      email: [Matches(/^[^@\s]+@[^@\s]+$/)],
      delivery: [IsIn(['standard', 'express'])],
      priority: [IsInt(), Min(0), Max(9)],
      gift: [IsBoolean()],
      address: [ValidateNested(), Type(() => AddressDto)],
      items: [ArrayMinSize(1), ValidateNested({ each: true }), Type(() => ItemDto)],
      note: [IsString(), MaxLength(200)],
    },
  ],
];
for (const [type, fields] of rules)
  for (const [name, decorators] of Object.entries(fields))
    for (const decorate of decorators) decorate(type.prototype, name);
