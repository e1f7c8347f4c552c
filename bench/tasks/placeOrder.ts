// The tool of the benchmarks of calls, with eight fields, a nested object, and a list of objects.
import 'reflect-metadata';
import { Param } from 'toolwright';

export class Address {
  @Param({ description: 'Street and number', minLength: 1 }) street!: string;
  @Param({ description: 'Postal code', pattern: /^\d{5}$/ }) zip!: string;
}

export class Item {
  @Param('Item id') itemId!: string;
  @Param({ description: 'Pieces', integer: true, min: 1, max: 100 }) quantity!: number;
}

export class PlaceOrderParams {
  @Param({ description: 'Customer id', pattern: /^c_\d+$/ }) customerId!: string;
  @Param({ description: 'E-mail', pattern: /^[^@\s]+@[^@\s]+$/ }) email!: string;
  @Param({ description: 'Kind of delivery', enum: ['standard', 'express'] }) delivery!: 'standard' | 'express';
  @Param({ description: 'Priority', integer: true, min: 0, max: 9 }) priority!: number;
  @Param('Gift wrapping') gift!: boolean;
  @Param({ description: 'Address', type: Address }) address!: Address;
  @Param({ description: 'Items', type: [Item], minItems: 1 }) items!: Item[];
  @Param({ description: 'Note', maxLength: 200 }) note = '';
}

/** The result of every contender's handler. */
export class Placed {
  constructor(
    readonly customer: string,
    readonly pieces: number,
  ) {}
}

/** The handler of every contender. */
export function place({ customerId, items }: Pick<PlaceOrderParams, 'customerId' | 'items'>): Placed {
  return new Placed(
    customerId,
    items.reduce((sum, { quantity }) => sum + quantity, 0),
  );
}

export const valid = {
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
};

/** Arguments with four mistakes, one in the nested object and one in the list. */
export const mistaken = {
  ...valid,
  email: 'nobody',
  priority: 12,
  address: { street: 'Long Street 1', zip: 'twelve' },
  items: [
    { itemId: 'i1', quantity: 2 },
    { itemId: 'i2', quantity: 0 },
  ],
};

/** The fields that a contender's message about the mistakes has to name. */
export const mistakes = ['email', 'priority', 'zip', 'quantity'] as const;

/** The text that the model reads after the valid call. */
export const placedText = JSON.stringify(place(valid));
