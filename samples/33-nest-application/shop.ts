// The application before the agent was added: services, their database, an endpoint, a guard.
import { Controller, Get, Module, Param, UseGuards } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { CustomersService } from './CustomersService.js';
import { Database } from './Database.js';
import { InvoicesService } from './InvoicesService.js';
import { OrdersService, type Order } from './OrdersService.js';
import { RolesGuard, SignedIn } from './people.js';

@Controller('orders')
@UseGuards(SignedIn)
class OrdersController {
  constructor(private readonly orders: OrdersService) {}

  @Get(':id')
  get(@Param('id') orderId: string): Promise<Order> {
    return this.orders.find(orderId);
  }
}

@Module({
  providers: [Database, CustomersService, OrdersService, InvoicesService, { provide: APP_GUARD, useClass: RolesGuard }],
  controllers: [OrdersController],
  exports: [CustomersService, OrdersService, InvoicesService],
})
export class ShopModule {}
