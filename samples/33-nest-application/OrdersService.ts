import { Injectable, NotFoundException } from '@nestjs/common';
import { Matches } from 'class-validator';
import { Param, Section, Tool } from 'toolwright';
import { Database } from './Database.js';

export class OrderParams {
  @Param('Order id, such as W1')
  @Matches(/^W\d+$/)
  orderId!: string;
}

export interface Order {
  readonly id: string;
  readonly status: string;
}

@Injectable()
@Section({ key: 'orders', title: 'Orders', template: 'Look an order up before you change it.' })
export class OrdersService {
  constructor(private readonly database: Database) {}

  @Tool({ description: 'Fetch one order.', hints: { readOnly: true } })
  getOrder({ orderId }: OrderParams): Promise<Order> {
    return this.find(orderId);
  }

  async find(orderId: string): Promise<Order> {
    const [order] = await this.database.rows<Order>('select id, status from orders where id = $1', orderId);
    // Thrown as before: over HTTP it is a 404, and a model reads it as a refusal.
    if (order === undefined) throw new NotFoundException(`There is no order ${orderId}.`);
    return order;
  }

  @Tool('Cancel an order that is pending.')
  async cancelOrder({ orderId }: OrderParams): Promise<string> {
    const cancelled = await this.database.rows(
      `update orders set status = 'cancelled' where id = $1 and status = 'pending' returning id`,
      orderId,
    );
    return cancelled.length === 1 ? `Cancelled ${orderId}.` : `${orderId} is not pending; nothing was changed.`;
  }
}
