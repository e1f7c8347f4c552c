import 'reflect-metadata';
import {
  Injectable,
  UseGuards,
  UseInterceptors,
  type CallHandler,
  type CanActivate,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { from, lastValueFrom, type Observable } from 'rxjs';
import { callTransaction, Field, Section, Tool, ToolContext } from 'toolwright';
import { closeNest, startDesk } from '../../../spec/support/nestDesk.js';

jest.setTimeout(60_000);
afterEach(closeNest);

/** A database whose transactions take a callback. */
class Database {
  readonly rows: string[] = [];

  async transaction<T>(callback: (client: string[]) => Promise<T>): Promise<T> {
    const written: string[] = [];
    const result = await callback(written);
    this.rows.push(...written);
    return result;
  }
}

class Ordered {
  @Field('The item') item!: string;
}

test('injected repositories write in the transaction of the call, which is kept only if its result is good', async () => {
  const database = new Database();
  const tx = callTransaction<string[]>({ run: (work) => database.transaction(work) });

  @Injectable()
  class OrdersRepository {
    add(item: string): void {
      (tx.current() ?? database.rows).push(item);
    }
  }
  const seen: unknown[] = [];
  @Injectable()
  class SeeGuard implements CanActivate {
    canActivate(): boolean {
      seen.push(['guard', tx.current()]);
      return true;
    }
  }
  @Injectable()
  class AuditInterceptor implements NestInterceptor {
    constructor(private readonly orders: OrdersRepository) {}
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      this.orders.add('audit');
      return next.handle();
    }
  }

  @Injectable()
  @UseGuards(SeeGuard)
  @UseInterceptors(AuditInterceptor)
  @Section({ key: 'orders', title: 'Orders' })
  class OrdersSection {
    constructor(private readonly orders: OrdersRepository) {}

    @Tool({ description: 'Orders.', hints: { openWorld: false } })
    async order(): Promise<Ordered> {
      this.orders.add('pen');
      await new Promise(setImmediate);
      this.orders.add('ink');
      return Object.assign(new Ordered(), { item: 'pen' });
    }

    @Tool({ description: 'Answers something else.', result: Ordered, hints: { openWorld: false } })
    async misfit(): Promise<Ordered> {
      await this.order();
      return { itm: 'pen' } as never;
    }

    @Tool({ description: 'Calls another one.', hints: { openWorld: false } })
    async both(context: ToolContext): Promise<string> {
      return (await context.callTool({ id: 'inner', name: 'order', arguments: {} })).kind;
    }
  }
  const desk = await startDesk([OrdersSection], [OrdersRepository], { resources: [tx] });
  const misfit = await desk.call('misfit');
  expect(misfit).toMatchObject({ kind: 'failed', effect: 'none' });
  expect(misfit.text).toContain('Nothing was changed');
  expect(database.rows).toEqual([]);
  expect(await desk.call('order')).toMatchObject({ kind: 'succeeded' });
  expect(database.rows).toEqual(['audit', 'pen', 'ink']);
  expect(await desk.call('both')).toMatchObject({ kind: 'succeeded', text: 'succeeded' });
  expect(database.rows).toHaveLength(7);
  // Guards decide about a call before its transaction begins.
  expect(seen).toContainEqual(['guard', undefined]);
});

test('a transaction of an interceptor has ended before the result is checked, so that the guide does not lead there', async () => {
  const database = new Database();
  @Injectable()
  class TransactionInterceptor implements NestInterceptor {
    intercept(_context: ExecutionContext, next: CallHandler): Observable<unknown> {
      return from(
        database.transaction(async (client) => {
          client.push('pen');
          return lastValueFrom<unknown>(next.handle());
        }),
      );
    }
  }
  @Injectable()
  @UseInterceptors(TransactionInterceptor)
  @Section({ key: 'orders', title: 'Orders' })
  class OrdersSection {
    @Tool({ description: 'Answers something else.', result: Ordered })
    misfit(): Ordered {
      return { itm: 'pen' } as never;
    }
  }
  const desk = await startDesk([OrdersSection]);
  expect(await desk.call('misfit')).toMatchObject({ kind: 'failed' });
  expect(database.rows).toEqual(['pen']);
});
