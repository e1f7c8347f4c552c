import { Injectable, NotFoundException } from '@nestjs/common';
import { Param, Section, Tool } from 'toolwright';

export class Order {
  @Param('Number of the order') id!: string;
  @Param('pending or cancelled') status!: string;
}

export class OrderParams {
  @Param('Number of the order')
  id!: string;
}

@Injectable()
@Section({ key: 'orders', title: 'Orders', template: 'Look orders up before you answer.' })
export class OrdersService {
  readonly #orders = new Map<string, Order>([['7', { id: '7', status: 'pending' }]]);

  @Tool({ description: 'Fetch an order.', params: OrderParams, result: Order, hints: { readOnly: true } })
  getOrder({ id }: OrderParams): Order {
    const order = this.#orders.get(id);
    if (order === undefined) throw new NotFoundException(`There is no order ${id}.`);
    return order;
  }
}
