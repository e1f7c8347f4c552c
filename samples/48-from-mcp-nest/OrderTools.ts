// The controller of MCP-Nest as a section: the same names, schemas and guard.
import { type CanActivate, type ExecutionContext, Injectable, UseGuards } from '@nestjs/common';
import { Section, Tool, ToolContext } from 'toolwright';
import { type Order, type OrderInput, orderSchema, OrdersService } from './OrdersService.js';

export interface Caller {
  readonly headers: { readonly 'x-role'?: string };
}

@Injectable()
class StaffGuard implements CanActivate {
  canActivate(host: ExecutionContext): boolean {
    return host.switchToHttp().getRequest<Caller>().headers['x-role'] === 'staff';
  }
}

@Injectable()
@Section({ key: 'orders', title: 'Orders', template: 'Look an order up before you cancel it.' })
export class OrderTools {
  constructor(private readonly orders: OrdersService) {}

  @Tool({ description: 'Fetch one order.', params: orderSchema, hints: { readOnly: true } })
  getOrder({ orderId }: OrderInput): Order {
    return this.orders.find(orderId);
  }

  @Tool({ description: 'Cancel an order.', params: orderSchema })
  @UseGuards(StaffGuard)
  cancelOrder({ orderId }: OrderInput, context: ToolContext): string {
    context.reportProgress({ fraction: 0.5 });
    return this.orders.cancel(orderId);
  }
}
