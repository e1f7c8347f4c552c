// The shop of both agents. An order is sent again from the stock, or refunded.
import { z } from 'zod';
import { TransactionalTable } from 'toolwright/resources';

export const instructions = 'You answer tickets of a shop. Look an order up before you change something.';

export interface Order {
  readonly id: string;
  readonly paid: number;
}

export const orders: ReadonlyMap<string, Order> = new Map([['W1', { id: 'W1', paid: 120 }]]);

/** One schema, which both agents use. */
export const linesSchema = z.object({
  lines: z.array(z.object({ sku: z.string(), pieces: z.number().int().min(1) })).min(1),
});

/** Pieces in the warehouse, by article. */
export class Stock extends TransactionalTable<string, number> {
  take(sku: string, pieces: number): void {
    const left = (this.get(sku) ?? 0) - pieces;
    if (left < 0) throw new RangeError(`There are not ${String(pieces)} of ${sku} in the warehouse.`);
    this.set(sku, left);
  }
}

/** The payment service. */
export class Payments {
  readonly refunds: string[] = [];

  refund(orderId: string, amount: number, by: string): string {
    this.refunds.push(`${orderId}: ${String(amount)} by ${by}`);
    return `Refunded ${String(amount)} euro.`;
  }
}

/** The services of one application, with their state. */
export function openShop() {
  return { stock: new Stock([['lamp', 10]]), payments: new Payments() };
}

export type Shop = ReturnType<typeof openShop>;
