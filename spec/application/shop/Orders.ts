import { Max, Min } from 'class-validator';
import { Field, md, Param, Section, Tool, type Ref, type ToolContext } from 'toolwright';
import { Refunds } from './Refunds.js';

// The spec rewrites this file with its classes in another order: they name each other by thunks only.

class DeskParams {
  @Param('Tool to try first')
  first = 'get_order';
}

@Section({
  key: 'orders',
  title: 'Orders',
  params: () => DeskParams,
  template: md`Look an order up with ${'first'}.`,
  children: [() => Refunds],
  tools: [() => CountTool],
})
export class Orders {
  @Tool({ description: 'Fetch an order.', params: () => OrderParams, result: () => Order })
  getOrder(params: Ref<OrderParams>): Ref<Order> {
    return Object.assign(new Order(), { id: params.id, placed: new Date(86_400_000 * 365), lines: params.lines });
  }

  @Tool({ description: 'List the orders.', hints: { readOnly: true } })
  listOrders(@Param('limit', { description: 'At most', type: 'integer', default: 10, min: 1 }) limit: number): string {
    return `${String(limit)} orders`;
  }
}

@Tool({ name: 'count', description: 'Count the orders.', params: () => CountParams })
class CountTool {
  handle(params: Ref<CountParams>, context: ToolContext): string {
    return `${params.status ?? 'all'}: ${context.prompt.sections.map(({ path }) => path).join()}`;
  }
}

class CountParams {
  @Param({ description: 'Status', enum: ['pending', 'delivered'], optional: true })
  status?: 'pending' | 'delivered';
}

class OrderParams {
  @Param({ description: 'Id', pattern: /^#W\d+$/ })
  id!: string;

  @Param({ description: 'Since', type: Date, optional: true })
  since?: Date;

  @Param({ description: 'Lines', type: () => [Line] })
  lines: readonly Ref<Line>[] = [];

  @Param({ description: 'Totals by currency', record: Number, optional: true })
  totals?: Record<string, number>;
}

class Line {
  @Field('Item')
  item!: string;

  @Field('How many')
  @Min(1)
  @Max(9)
  count = 1;

  @Field({ description: 'Parts', type: () => [Line], optional: true })
  parts?: readonly Ref<Line>[];
}

export class Order {
  @Field('Id')
  id!: string;

  @Field('Placed at')
  placed!: Date;

  @Field({ description: 'Lines', type: () => [Line] })
  lines!: readonly Ref<Line>[];
}
