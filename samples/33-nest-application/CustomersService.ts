import { Injectable } from '@nestjs/common';
import { Param, Section, Tool } from 'toolwright';
import { Database } from './Database.js';

export class CustomerParams {
  @Param('The name, or a part of it') name!: string;
}

@Injectable()
@Section({ key: 'customers', title: 'Customers', template: 'Find a customer before you speak of orders.' })
export class CustomersService {
  constructor(private readonly database: Database) {}

  @Tool({ description: 'Find customers by name.', hints: { readOnly: true } })
  findCustomers({ name }: CustomerParams) {
    return this.database.rows<{ id: string; name: string }>(
      `select id, name from customers where name ilike '%' || $1 || '%' order by id`,
      name,
    );
  }
}
