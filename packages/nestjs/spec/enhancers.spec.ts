import { getApplicationParts } from 'toolwright/internal';
import 'reflect-metadata';
import {
  BadRequestException,
  Catch,
  ForbiddenException,
  Injectable,
  NotFoundException,
  SetMetadata,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
  ValidationPipe,
  type ArgumentMetadata,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type INestApplicationContext,
  type NestInterceptor,
  type PipeTransform,
  type Type,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE, Reflector } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { MaxLength } from 'class-validator';
import { catchError, map, of, tap, throwError, type Observable } from 'rxjs';
import {
  defineSection,
  defineTool,
  Param,
  Prompt,
  Section,
  Session,
  Tool,
  ToolContext,
  ToolRefusal,
  ToolResult,
} from 'toolwright';
import { toolCallOf, Toolwright, ToolwrightModule } from '@toolwright/nestjs';
import { closeNest, openNest, startDesk } from '../../../spec/support/nestDesk.js';
import { silent } from '../../../spec/support/silent.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

afterEach(closeNest);

class OrderParams {
  @Param('Order id') @MaxLength(10) orderId!: string;
}

describe('guards', () => {
  const Roles = (role: string) => SetMetadata('role', role);

  @Injectable()
  class RolesGuard implements CanActivate {
    constructor(private readonly reflector: Reflector) {}
    canActivate(host: ExecutionContext): boolean {
      const role = this.reflector.getAllAndOverride<string | undefined>('role', [host.getHandler(), host.getClass()]);
      const user = host.switchToHttp().getRequest<{ readonly role?: string } | undefined>();
      return role === undefined || role === user?.role;
    }
  }

  test('NEST-01 a guard that refuses denies the call; handler and approver are not asked, and the list of tools is as before', async () => {
    const ran: string[] = [];
    @Section({ title: 'Orders' })
    @UseGuards(RolesGuard)
    class Orders {
      @Tool('Fetch.')
      getOrder(): string {
        return 'order';
      }
      @Tool({ description: 'Remove.', requiresApproval: true })
      @Roles('chief')
      removeOrder(): string {
        ran.push('handler');
        return 'removed';
      }
    }
    const approver = {
      approve: () => {
        ran.push('approver');
        return { kind: 'approved' } as const;
      },
    };
    const { call, toolwright } = await startDesk([Orders], [], { approver });

    const refused = await call('remove_order', {}, { role: 'clerk' });
    expect(refused).toMatchObject({ kind: 'denied', result: { success: false } });
    expect(refused.text).toBe(
      'The call of remove_order was denied: Forbidden resource\nNothing was done. Do what the reason asks for, or go on without it.',
    );
    expect(ran).toEqual([]);
    expect((await call('get_order', {}, { role: 'clerk' })).text).toBe('order');
    expect((await call('remove_order', {}, { role: 'chief' })).text).toBe('removed');
    expect(ran).toEqual(['approver', 'handler']);
    const [prompt] = getApplicationParts(toolwright.app).prompts.values();
    expect((await prompt!.tools()).map(({ name }) => name)).toEqual(['get_order', 'remove_order']);
  });

  test('a guard sees an execution context of a tool call: class, handler, params, context and request', async () => {
    const seen: unknown[] = [];
    class Watch implements CanActivate {
      canActivate(host: ExecutionContext): boolean {
        const call = toolCallOf(host);
        seen.push(
          host.getType(),
          host.getClass(),
          host.getHandler().name,
          call?.params,
          call?.request,
          call?.context.call.name,
        );
        return true;
      }
    }
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Fetch.')
      @UseGuards(Watch)
      getOrder({ orderId }: OrderParams): string {
        return orderId;
      }
    }
    const { call } = await startDesk([Orders]);
    const request = { role: 'clerk' };
    await call('get_order', { orderId: '7' }, request);

    expect(seen).toEqual(['toolwright', Orders, 'getOrder', expect.any(OrderParams), request, 'get_order']);
    expect(seen[3]).toEqual({ orderId: '7' });
    expect(seen[4]).toBe(request);
  });

  test('an error of a guard reaches the model where it is an answer, and denies in any case', async () => {
    class Explains implements CanActivate {
      canActivate(): boolean {
        throw new ForbiddenException('Only until 18:00.');
      }
    }
    class Breaks implements CanActivate {
      canActivate(): boolean {
        throw new Error('the secret service is down');
      }
    }
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Explains.')
      @UseGuards(Explains)
      one(): string {
        return 'ran';
      }
      @Tool('Breaks.')
      @UseGuards(Breaks)
      two(): string {
        return 'ran';
      }
    }
    const { call } = await startDesk([Orders]);

    const explained = await call('one');
    expect(explained.kind).toBe('denied');
    expect(explained.text).toContain('was denied: Only until 18:00.');
    const broken = await call('two');
    expect(broken.kind).toBe('denied');
    expect(broken.text).not.toContain('secret');
  });

  test('global guards are called before every tool, defined ones too, and see the request as for HTTP', async () => {
    class SignedIn implements CanActivate {
      canActivate(host: ExecutionContext): boolean {
        return host.switchToHttp().getRequest<{ user?: string }>().user !== undefined;
      }
    }
    const say = defineTool({ name: 'say', description: 'Say a word.', handler: () => 'word' });
    const words = defineSection({ key: 'words', title: 'Words', tools: [say] });
    const { call } = await startDesk([words as Type], [{ provide: APP_GUARD, useClass: SignedIn }]);

    expect((await call('say', {}, { user: 'ann' })).text).toBe('word');
    expect((await call('say', {}, {})).kind).toBe('denied');
    // A guard that cannot find what it looks for must not let the call through.
    expect((await call('say')).kind).toBe('denied');
  });

  test('E951 a class that no module provides does not start with guards on it: they would not run', async () => {
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Fetch.')
      @UseGuards(RolesGuard)
      getOrder(): string {
        return 'order';
      }
    }
    @Prompt({ ns: 'shop', key: 'desk', sections: [Orders] })
    class DeskPrompt {}
    const nest = await Test.createTestingModule({
      imports: [ToolwrightModule.forRoot({ logger: silent, prompts: [DeskPrompt] })],
    }).compile();
    await expect(nest.init()).rejects.toThrow(/E951 Orders: no module provides it, so its enhancers would not run/);
  });
});

test('E951 a section that a factory makes does not start with a guard class on it: Nest would skip it', async () => {
  class Never implements CanActivate {
    canActivate(): boolean {
      return false;
    }
  }
  const section = (guard: CanActivate | Type<CanActivate>) => {
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Fetch.')
      @UseGuards(guard)
      getOrder(): string {
        return 'order';
      }
    }
    return Orders;
  };
  const build = async (type: Type): Promise<INestApplicationContext> => {
    @Prompt({ ns: 'shop', key: 'desk', sections: [type] })
    class DeskPrompt {}
    const nest = await Test.createTestingModule({
      imports: [ToolwrightModule.forRoot({ logger: silent, prompts: [DeskPrompt] })],
      providers: [{ provide: type, useFactory: () => new type() as object }],
    }).compile();
    await nest.init();
    openNest.push(nest);
    return nest;
  };

  await expect(build(section(Never))).rejects.toThrow(
    /E951 Orders: Nest does not build it from its class, so that Never on it would not run/,
  );
  // One that is there already needs no provider.
  const { app } = (await build(section(new Never()))).get(Toolwright);
  const [prompt] = getApplicationParts(app).prompts.values();
  expect((await app.invoke(await prompt!.render(), 'get_order', {})).kind).toBe('denied');
});

describe('interceptors', () => {
  class Loud implements NestInterceptor {
    intercept(_host: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(map((value: unknown) => (typeof value === 'string' ? value.toUpperCase() : value)));
    }
  }

  test('interceptors see the value of the handler and may change it; message and failure stay', async () => {
    const errors: unknown[] = [];
    class Watch implements NestInterceptor {
      intercept(_host: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(
          tap({ error: (error: unknown) => errors.push((error as Error).message) }),
          catchError((error: unknown) => throwError(() => error)),
        );
      }
    }
    @Section({ title: 'Words' })
    @UseInterceptors(Loud, Watch)
    class Words {
      @Tool('Plain.')
      plain(): string {
        return 'word';
      }
      @Tool('With a message.')
      result(): ToolResult<string> {
        return ToolResult.ok('word', 'Found.');
      }
      @Tool('Fails.')
      fails(): ToolResult<string> {
        return ToolResult.error('No such word.');
      }
      @Tool('Refuses.')
      refuses(): string {
        throw new ToolRefusal('Not today.');
      }
    }
    const { call } = await startDesk([Words]);

    expect((await call('plain')).text).toBe('WORD');
    expect((await call('result')).result).toMatchObject({ success: true, message: 'Found.', value: 'WORD' });
    expect((await call('fails')).text).toBe('No such word.');
    expect((await call('refuses')).text).toBe('Not today.');
    expect(errors).toEqual(['No such word.', 'Not today.']);
  });

  test('an interceptor that answers by itself keeps the handler from running; one that swallows a failure hides nothing', async () => {
    let ran = 0;
    class Cache implements NestInterceptor {
      intercept(): Observable<unknown> {
        return of('cached');
      }
    }
    class Swallow implements NestInterceptor {
      intercept(_host: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(catchError(() => ['fine']));
      }
    }
    @Section({ title: 'Words' })
    class Words {
      @Tool('Cached.')
      @UseInterceptors(Cache)
      one(): string {
        ran++;
        return 'fresh';
      }
      @Tool('Refuses.')
      @UseInterceptors(Swallow)
      two(): string {
        throw new ToolRefusal('Not today.');
      }
    }
    const { call } = await startDesk([Words]);

    expect((await call('one')).text).toBe('cached');
    expect(ran).toBe(0);
    expect(await call('two')).toMatchObject({ kind: 'failed', text: 'Not today.' });
  });

  test('an interceptor that throws after the handler rolls the call back', async () => {
    class Written {
      constructor(readonly word: string) {}
    }
    class TooLate implements NestInterceptor {
      intercept(_host: ExecutionContext, next: CallHandler): Observable<unknown> {
        return next.handle().pipe(
          tap(() => {
            throw new BadRequestException('Too late.');
          }),
        );
      }
    }
    @Section({ title: 'Words' })
    @UseInterceptors(TooLate)
    class Words {
      @Tool('Write.')
      write(context: ToolContext): string {
        context.session.dispatch(new Written('word'));
        return 'written';
      }
    }
    const { call, toolwright } = await startDesk([Words]);
    const session = new Session();
    const [prompt] = getApplicationParts(toolwright.app).prompts.values();
    const outcome = await toolwright.app.invoke(await prompt!.render(), 'write', {}, { session });

    expect(outcome).toMatchObject({ kind: 'failed', text: 'Too late.' });
    expect(session.slice(Written).all()).toEqual([]);
    expect((await call('write')).kind).toBe('failed');
  });
});

describe('pipes', () => {
  test('pipes get the params with their class, and change what the handler gets', async () => {
    const seen: ArgumentMetadata[] = [];
    class Trim implements PipeTransform {
      transform(value: OrderParams, metadata: ArgumentMetadata): OrderParams {
        seen.push(metadata);
        return Object.assign(new OrderParams(), { orderId: value.orderId.trim() });
      }
    }
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Fetch.')
      @UsePipes(Trim)
      getOrder(params: OrderParams, context: ToolContext): string {
        return `${params.orderId} ${context.call.name}`;
      }
    }
    const { call } = await startDesk([Orders]);

    expect((await call('get_order', { orderId: ' 7 ' })).text).toBe('7 get_order');
    expect(seen).toEqual([{ type: 'custom', metatype: OrderParams, data: undefined }]);
  });

  test('NEST-01 a pipe that refuses is reported to the model; a global ValidationPipe leaves checked params alone', async () => {
    class Odd implements PipeTransform {
      transform(value: unknown): unknown {
        if ((value as OrderParams).orderId === '2') throw new BadRequestException(['orderId: odd ones only', 'try 3']);
        return value;
      }
    }
    @Section({ title: 'Orders' })
    @UsePipes(Odd)
    class Orders {
      @Tool('Fetch.')
      getOrder(params: OrderParams): string {
        return `${params.constructor.name} ${params.orderId}`;
      }
    }
    const strict = new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true });
    const { call } = await startDesk([Orders], [{ provide: APP_PIPE, useValue: strict }]);

    expect((await call('get_order', { orderId: '2' })).text).toBe('orderId: odd ones only; try 3');
    expect((await call('get_order', { orderId: '3' })).text).toBe('OrderParams 3');
    expect((await call('get_order', { orderId: '12345678901' })).kind).toBe('rejected');
  });

  test('two classes of one name have their own params', async () => {
    const seen: unknown[] = [];
    class Watch implements PipeTransform {
      transform(value: unknown, { metatype }: ArgumentMetadata): unknown {
        seen.push(metatype);
        return value;
      }
    }
    class CityParams {
      @Param('City') city!: string;
    }
    const first = () => {
      @Section({ key: 'first', title: 'First' })
      @UsePipes(Watch)
      class Same {
        @Tool({ name: 'one', description: 'One.' })
        get({ orderId }: OrderParams): string {
          return orderId;
        }
      }
      return Same;
    };
    const second = () => {
      @Section({ key: 'second', title: 'Second' })
      @UsePipes(Watch)
      class Same {
        @Tool({ name: 'two', description: 'Two.' })
        get({ city }: CityParams): string {
          return city;
        }
      }
      return Same;
    };
    const { call } = await startDesk([first(), second()]);

    expect((await call('one', { orderId: '7' })).text).toBe('7');
    expect((await call('two', { city: 'Oslo' })).text).toBe('Oslo');
    expect(seen).toEqual([OrderParams, CityParams]);
  });
});

describe('filters', () => {
  class NoSuchOrder extends Error {}

  @Catch(NoSuchOrder)
  class Tells implements ExceptionFilter {
    catch(): unknown {
      return ToolResult.error('There is no such order.');
    }
  }

  test('the value that a filter returns for an exception is the result; exceptions that answer a request are refusals', async () => {
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Filtered.')
      @UseFilters(Tells)
      one(): string {
        throw new NoSuchOrder();
      }
      @Tool('Not found.')
      two(): string {
        throw new NotFoundException('No order 7.');
      }
      @Tool('Broken.')
      three(): string {
        throw new Error('disk full');
      }
    }
    const { call } = await startDesk([Orders]);

    expect(await call('one')).toMatchObject({ kind: 'failed', text: 'There is no such order.' });
    expect(await call('two')).toMatchObject({ kind: 'failed', text: 'No order 7.' });
    expect((await call('three')).text).toMatch(/^The tool three failed: disk full\n/);
  });

  test('a filter that answers with an observable, as in microservices, is waited for', async () => {
    @Catch(NoSuchOrder)
    class Throws implements ExceptionFilter {
      catch(): unknown {
        return throwError(() => new NotFoundException('No such order, says the filter.'));
      }
    }
    @Catch(NoSuchOrder)
    class Answers implements ExceptionFilter {
      catch(): unknown {
        return of('an order of another kind');
      }
    }
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Fails.')
      @UseFilters(Throws)
      one(): string {
        throw new NoSuchOrder();
      }
      @Tool('Answers.')
      @UseFilters(Answers)
      two(): string {
        throw new NoSuchOrder();
      }
    }
    const { call } = await startDesk([Orders]);

    expect(await call('one')).toMatchObject({ kind: 'failed', text: 'No such order, says the filter.' });
    expect((await call('two')).text).toBe('an order of another kind');
  });

  test('the value that a filter returns for the exception of a guard is the reason of the denial, not a permission', async () => {
    class Breaks implements CanActivate {
      canActivate(): boolean {
        throw new NoSuchOrder();
      }
    }
    @Section({ title: 'Orders' })
    @UseGuards(Breaks)
    @UseFilters(Tells)
    class Orders {
      @Tool('Never runs.')
      one(): string {
        return 'ran';
      }
    }
    const { call } = await startDesk([Orders]);

    const outcome = await call('one');
    expect(outcome.kind).toBe('denied');
    expect(outcome.text).toContain('was denied: There is no such order.');
  });

  test('a filter that catches everything does not catch signals of the framework', async () => {
    @Catch()
    class Everything implements ExceptionFilter {
      catch(): unknown {
        return 'caught';
      }
    }
    @Section({ title: 'Orders' })
    class Orders {
      @Tool('Refuses.')
      one(): string {
        throw new ToolRefusal('Not today.');
      }
      @Tool('Breaks.')
      two(): string {
        throw new Error('disk full');
      }
    }
    const { call } = await startDesk([Orders], [{ provide: APP_FILTER, useClass: Everything }]);

    expect(await call('one')).toMatchObject({ kind: 'failed', text: 'Not today.' });
    expect(await call('two')).toMatchObject({ kind: 'succeeded', text: 'caught' });
  });
});

test('scalar parameters, class tools and inherited handlers run within the host, too', async () => {
  const seen: string[] = [];
  class Watch implements NestInterceptor {
    intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
      seen.push(host.getHandler().name);
      return next.handle();
    }
  }
  @Tool({ name: 'transfer', description: 'Hand over.', params: OrderParams })
  class Transfer {
    handle({ orderId }: OrderParams): string {
      return `transferred ${orderId}`;
    }
  }
  class Base {
    @Tool('Say hello.')
    hello(): string {
      return 'hello';
    }
  }
  @Section({ title: 'Orders', tools: [Transfer] })
  class Orders extends Base {
    @Tool('Weather.')
    weather(@Param('city', 'City') city: string, context: ToolContext, @Param('days', 'Days') days: number): string {
      return `${city} ${String(days)} ${context.call.name}`;
    }
  }
  const { call } = await startDesk([Orders], [Transfer, { provide: APP_INTERCEPTOR, useClass: Watch }]);

  expect((await call('weather', { city: 'Oslo', days: 2 })).text).toBe('Oslo 2 weather');
  expect((await call('transfer', { orderId: '7' })).text).toBe('transferred 7');
  expect((await call('hello')).text).toBe('hello');
  expect(seen).toEqual(['weather', 'handle', 'hello']);
});
