import 'reflect-metadata';
import {
  Catch,
  ConflictException,
  ForbiddenException,
  HttpException,
  Injectable,
  UseFilters,
  UseGuards,
  UseInterceptors,
  type ArgumentsHost,
  type CallHandler,
  type CanActivate,
  type ExceptionFilter,
  type ExecutionContext,
  type NestInterceptor,
} from '@nestjs/common';
import { APP_FILTER, APP_GUARD, BaseExceptionFilter, HttpAdapterHost } from '@nestjs/core';
import { catchError, tap, throwError, type Observable } from 'rxjs';
import { type Logger, Param, Section, Tool, ToolRefusal } from 'toolwright';
import { toolCallOf } from '@toolwright/nestjs';
import { closeNest, startDesk } from '../../../spec/support/nestDesk.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

afterEach(closeNest);

class OrderParams {
  @Param('Order id') orderId!: string;
}

class QueryFailedError extends Error {}

@Section({ title: 'Orders' })
class Orders {
  @Tool('Fails.')
  fail(): string {
    throw new QueryFailedError('duplicate key');
  }
  @Tool('Conflicts.')
  conflict(): string {
    throw new ConflictException('It was shipped.');
  }
  @Tool('Refuses.')
  refuse(): string {
    throw new ToolRefusal('Not today.');
  }
  @Tool('Works.')
  work(): string {
    return 'done';
  }
}

/** A logger that keeps warnings and errors. */
function recorder(): { readonly logger: Logger; readonly lines: string[] } {
  const lines: string[] = [];
  const write = (message: string): void => void lines.push(message);
  return { lines, logger: { debug: () => {}, info: () => {}, warn: write, error: write } };
}

interface ExpressResponse {
  headersSent: boolean;
  status(code: number): ExpressResponse;
  json(body: unknown): void;
}
interface FastifyReply {
  sent: boolean;
  code(code: number): FastifyReply;
  send(body: unknown): void;
  readonly raw: { readonly headersSent: boolean; end(text: string): void };
}

/** As Nest's documentation writes it for Express. */
@Catch()
class ForExpress implements ExceptionFilter {
  catch(exception: unknown, host: ArgumentsHost): void {
    const response = host.switchToHttp().getResponse<ExpressResponse>();
    if (response.headersSent) return;
    const status = exception instanceof HttpException ? exception.getStatus() : 500;
    response.status(status).json({ statusCode: status });
  }
}

@Catch()
class ForFastify implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    if (!reply.sent) reply.code(500).send({ statusCode: 500 });
  }
}

@Catch()
class ForRawFastify implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    const { raw } = host.switchToHttp().getResponse<FastifyReply>();
    if (!raw.headersSent) raw.end('failed');
  }
}

@Catch()
class Later implements ExceptionFilter {
  async catch(_exception: unknown, host: ArgumentsHost): Promise<void> {
    await Promise.resolve();
    host.switchToHttp().getResponse<ExpressResponse>().status(500).json({});
  }
}

/** It takes care that its own failure is not seen. */
@Catch()
class Quiet implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): unknown {
    try {
      host.switchToHttp().getResponse<ExpressResponse>().status(500).json({});
    } catch {
      // Nothing.
    }
    return 'answered';
  }
}

@Catch()
class SetsStatus implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<{ statusCode: number }>().statusCode = 500;
  }
}

/** It reads the request before it writes, and a run without one has none. */
@Catch()
class ReadsRequest implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const { url } = http.getRequest<{ readonly url: string }>();
    http.getResponse<ExpressResponse>().status(500).json({ url });
  }
}

@Catch()
class ForGraphql implements ExceptionFilter {
  catch(exception: unknown): unknown {
    return exception;
  }
}

@Catch()
class OnlyLogs implements ExceptionFilter {
  catch(): void {
    // For example to a monitoring service.
  }
}

@Catch()
class LogsLater implements ExceptionFilter {
  async catch(): Promise<void> {
    await Promise.resolve();
  }
}

/** As Nest's documentation writes it for any platform. */
@Catch()
@Injectable()
class ForAnyPlatform implements ExceptionFilter {
  constructor(private readonly host: HttpAdapterHost) {}
  catch(_exception: unknown, host: ArgumentsHost): void {
    const { httpAdapter } = this.host;
    httpAdapter.reply(host.switchToHttp().getResponse(), { statusCode: 500 }, 500);
  }
}

@Catch()
class Derived extends BaseExceptionFilter {
  override catch(exception: unknown, host: ArgumentsHost): void {
    super.catch(exception, host);
  }
}

const filters = [
  ForExpress,
  ForFastify,
  ForRawFastify,
  Later,
  Quiet,
  SetsStatus,
  ReadsRequest,
  ForAnyPlatform,
  Derived,
];

describe('a global filter that was written for HTTP', () => {
  test.each(filters.map((filter) => [filter.name, filter] as const))(
    '%s: the model reads the first error, and the log says once what to do',
    async (_name, useClass) => {
      const { logger, lines } = recorder();
      const { call } = await startDesk([Orders], [{ provide: APP_FILTER, useClass }], { logger });

      const failed = await call('fail');
      expect(failed).toMatchObject({ kind: 'failed', error: expect.any(QueryFailedError) as unknown });
      expect(failed.text).toMatch(/^The tool fail failed: duplicate key\n/);
      expect(await call('conflict')).toMatchObject({ kind: 'failed', text: 'It was shipped.' });
      expect(await call('refuse')).toMatchObject({ kind: 'failed', text: 'Not today.' });
      expect((await call('work')).text).toBe('done');

      const remedies = lines.filter((line) => line.includes('E957'));
      expect(remedies).toHaveLength(1);
      expect(remedies[0]).toContain("if (host.getType() !== 'http') throw mapped");
      expect(lines.filter((line) => line.includes('duplicate key'))).toEqual(['Tool fail failed: duplicate key']);
    },
  );

  test.each([ForGraphql, OnlyLogs, LogsLater].map((filter) => [filter.name, filter] as const))(
    '%s: a filter that answers nothing makes no success of a failed call',
    async (_name, useClass) => {
      const { logger, lines } = recorder();
      const { call } = await startDesk([Orders], [{ provide: APP_FILTER, useClass }], { logger });
      expect((await call('fail')).text).toMatch(/^The tool fail failed: duplicate key\n/);
      expect(await call('conflict')).toMatchObject({ kind: 'failed', text: 'It was shipped.' });
      expect(lines.join()).not.toContain('E957');
    },
  );

  test('the first error of a guard is kept as well', async () => {
    class Forbids implements CanActivate {
      canActivate(): boolean {
        return false;
      }
    }
    class Explains implements CanActivate {
      canActivate(): boolean {
        throw new ForbiddenException('Only until 18:00.');
      }
    }
    @Section({ title: 'Doors' })
    @UseFilters(ForExpress)
    class Doors {
      @Tool('Forbidden.')
      @UseGuards(Forbids)
      one(): string {
        return 'ran';
      }
      @Tool('Explained.')
      @UseGuards(Explains)
      two(): string {
        return 'ran';
      }
    }
    const { call } = await startDesk([Doors]);
    expect((await call('one')).text).toContain('was denied: Forbidden resource');
    expect((await call('two')).text).toContain('was denied: Only until 18:00.');
  });

  test('an exception that a filter throws on purpose still counts', async () => {
    @Catch(QueryFailedError)
    class Translates implements ExceptionFilter {
      catch(): never {
        throw new ConflictException('There is one already.');
      }
    }
    const { call } = await startDesk([Orders], [{ provide: APP_FILTER, useClass: Translates }]);
    expect(await call('fail')).toMatchObject({ kind: 'failed', text: 'There is one already.' });
  });
});

describe('an interceptor that was written for HTTP', () => {
  class SetsHeader implements NestInterceptor {
    intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
      const response = host.switchToHttp().getResponse<{ setHeader(name: string, value: string): void }>();
      return next.handle().pipe(tap(() => response.setHeader('x-done', '1')));
    }
  }
  class OnError implements NestInterceptor {
    intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
      return next.handle().pipe(
        catchError((error: unknown) => {
          host.switchToHttp().getResponse<ExpressResponse>().status(500);
          return throwError(() => error);
        }),
      );
    }
  }
  class Logs implements NestInterceptor {
    readonly seen: unknown[] = [];
    intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
      const { statusCode } = host.switchToHttp().getResponse<{ statusCode: number }>();
      this.seen.push(statusCode);
      return next.handle();
    }
  }

  test('an HTTP interceptor fails the call with the remedy in the log, and keeps the error of the handler', async () => {
    @Section({ title: 'Words' })
    class Words {
      @Tool('Header.')
      @UseInterceptors(SetsHeader)
      header(): string {
        return 'word';
      }
      @Tool('Error.')
      @UseInterceptors(OnError)
      error(): string {
        throw new QueryFailedError('duplicate key');
      }
      @Tool('Logged.')
      @UseInterceptors(Logs)
      logged(): string {
        return 'word';
      }
    }
    const { logger, lines } = recorder();
    const { call } = await startDesk([Words], [], { logger });
    expect((await call('header')).text).toMatch(/^The tool header is broken \(E957\)/);
    expect(lines.join()).toContain('E957 Words.header: response.setHeader was used');
    expect((await call('error')).text).toMatch(/^The tool error failed: duplicate key\n/);
    expect((await call('logged')).text).toBe('word');
  });
});

describe('a guard that was written for GraphQL', () => {
  interface Signed {
    readonly headers: Readonly<Record<string, string>>;
    user?: string;
  }

  /** Reads the context as `GqlExecutionContext` of `@nestjs/graphql` does, which is not installed here. */
  const graphqlContextOf = (host: ExecutionContext): { readonly req: Signed; user?: string | undefined } => {
    const [root, args, context, info] = host.getArgs<[unknown, unknown, { req: Signed }, unknown]>();
    const given = [root, args, context, info];
    // It takes three arguments for those of a reference, which have no second one.
    expect(host.getArgs()).toHaveLength(given.length);
    return given[2] as { req: Signed };
  };

  class SignedIn implements CanActivate {
    canActivate(host: ExecutionContext): boolean {
      const context = graphqlContextOf(host);
      context.user = context.req.headers['x-user'];
      return context.user !== undefined;
    }
  }

  test('a guard that was written for GraphQL finds the request in getContext().req, and what it adds stays for the request', async () => {
    const users: unknown[] = [];
    class Watch implements NestInterceptor {
      intercept(host: ExecutionContext, next: CallHandler): Observable<unknown> {
        users.push(graphqlContextOf(host).user, toolCallOf(host)?.params);
        return next.handle();
      }
    }
    @Section({ title: 'Orders' })
    @UseInterceptors(Watch)
    class Lookup {
      @Tool('Fetch.')
      getOrder({ orderId }: OrderParams): string {
        return orderId;
      }
    }
    const { call } = await startDesk([Lookup], [{ provide: APP_GUARD, useClass: SignedIn }]);
    expect((await call('get_order', { orderId: '7' }, { headers: { 'x-user': 'ann' } })).text).toBe('7');
    expect(users).toEqual(['ann', { orderId: '7' }]);
    expect((await call('get_order', { orderId: '7' }, { headers: {} })).kind).toBe('denied');
    expect((await call('get_order', { orderId: '7' })).kind).toBe('denied');
  });

  test('a guard that decides by the type of the context is told that it is a tool call', async () => {
    const types: string[] = [];
    class Typed implements CanActivate {
      canActivate(host: ExecutionContext): boolean {
        types.push(host.getType<string>());
        return true;
      }
    }
    const { call } = await startDesk([Orders], [{ provide: APP_GUARD, useClass: Typed }]);
    await call('work', {}, { headers: {} });
    expect(types).toEqual(['toolwright']);
  });
});
