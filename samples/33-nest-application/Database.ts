// Represents the data access of an existing application. In memory with PGlite; DATABASE_URL switches to a server.
import { Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { PGlite } from '@electric-sql/pglite';

interface Driver {
  query(sql: string, params?: unknown[]): Promise<{ readonly rows: unknown[] }>;
  end(): Promise<void>;
}

const schema = [
  'create table if not exists customers (id text primary key, name text not null)',
  `create table if not exists orders (id text primary key, customer_id text references customers, status text not null)`,
  'create table if not exists invoices (id text primary key, order_id text references orders, cents integer not null, paid boolean not null)',
  `insert into customers values ('C1', 'Ada Berg'), ('C2', 'Bo Lind') on conflict do nothing`,
  `insert into orders values ('W1', 'C1', 'pending'), ('W2', 'C1', 'delivered'), ('W3', 'C2', 'pending') on conflict do nothing`,
  `insert into invoices values ('I1', 'W1', 4900, false), ('I2', 'W2', 1250, true), ('I3', 'W3', 9900, false) on conflict do nothing`,
];

@Injectable()
export class Database implements OnModuleInit, OnApplicationShutdown {
  #driver: Driver | undefined;

  async onModuleInit(): Promise<void> {
    this.#driver = await connect(process.env['DATABASE_URL']);
    for (const statement of schema) await this.#driver.query(statement);
  }

  /** Runs late: Nest calls it after tools that still run have ended. */
  async onApplicationShutdown(): Promise<void> {
    await this.#driver?.end();
  }

  async rows<R>(sql: string, ...params: readonly unknown[]): Promise<readonly R[]> {
    const result = await this.#driver!.query(sql, [...params]);
    return result.rows as R[];
  }
}

async function connect(url: string | undefined): Promise<Driver> {
  if (url !== undefined) {
    // `npm install pg`; the name is in a variable, so that the sample compiles without it.
    const name = 'pg' as string;
    const { Pool } = (await import(name)) as { Pool: new (options: { connectionString: string }) => Driver };
    return new Pool({ connectionString: url });
  }
  const embedded = await PGlite.create();
  return { query: (sql, params) => embedded.query(sql, params), end: () => embedded.close() };
}
