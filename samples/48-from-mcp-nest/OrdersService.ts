// The application before and after: a service, and the schema of its tools.
import { Injectable, NotFoundException } from '@nestjs/common';
import { z } from 'zod';

export const orderSchema = z.object({
  orderId: z
    .string()
    .regex(/^W\d+$/)
    .describe('Order id, such as W1'),
});
export type OrderInput = z.infer<typeof orderSchema>;

export interface Order {
  readonly id: string;
  readonly status: string;
}

@Injectable()
export class OrdersService {
  readonly #orders = new Map<string, Order>([['W1', { id: 'W1', status: 'pending' }]]);

  find(id: string): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    return order;
  }

  cancel(id: string): string {
    this.#orders.set(id, { ...this.find(id), status: 'cancelled' });
    return `Cancelled ${id}.`;
  }
}
