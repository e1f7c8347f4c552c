import 'reflect-metadata';
import {
  Catch,
  InternalServerErrorException,
  Module,
  NotFoundException,
  UseGuards,
  type ArgumentsHost,
  type CanActivate,
  type ExceptionFilter,
  type LoggerService,
} from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { Test } from '@nestjs/testing';
import { Prompt, Section, Tool } from 'toolwright';
import { Toolwright, ToolwrightModule, type ToolwrightModuleOptions } from '@toolwright/nestjs';
import { closeNest, openNest } from '../../../spec/support/nestDesk.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

afterEach(closeNest);

const SECRET = 'duplicate key value violates unique constraint "users_email_key"';
class QueryFailedError extends Error {
  readonly parameters = ['ann@example.org'];
}

class Breaks implements CanActivate {
  canActivate(): boolean {
    throw new QueryFailedError(SECRET);
  }
}

@Section({ title: 'Users' })
class Users {
  @Tool('Add.')
  addUser(): string {
    throw new QueryFailedError(SECRET);
  }
  @Tool('Find.')
  findUser(): string {
    throw new NotFoundException('There is no such user.');
  }
  @Tool('Down.')
  askUser(): string {
    throw new InternalServerErrorException('The directory is down.');
  }
  @Tool('Guarded.')
  @UseGuards(Breaks)
  removeUser(): string {
    return 'removed';
  }
}

@Prompt({ ns: 'shop', key: 'desk', sections: [Users] })
class DeskPrompt {}

@Catch()
class ForHttp implements ExceptionFilter {
  catch(_exception: unknown, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<{ status(code: number): void }>().status(500);
  }
}

/** Starts the desk with Nest's own logger, and returns what it wrote. */
async function start(options: ToolwrightModuleOptions, providers: object[] = []) {
  const lines: string[] = [];
  const write = (level: string) => (message: unknown) => {
    const text = message instanceof Error ? message.message : String(message);
    lines.push(`${level} ${text}`);
  };
  const logger: LoggerService = { log: () => {}, error: write('error'), warn: write('warn') };
  @Module({ imports: [ToolwrightModule.forRoot(options)], providers: [DeskPrompt, Users, ...(providers as never[])] })
  class AppModule {}
  const nest = await Test.createTestingModule({ imports: [AppModule] }).compile();
  nest.useLogger(logger);
  await nest.init();
  openNest.push(nest);
  const { app } = nest.get(Toolwright);
  const rendered = await app.prompt(DeskPrompt).render();
  return { lines, call: (name: string) => app.invoke(rendered, name, {}) };
}

@Catch(NotFoundException)
class ForOthers implements ExceptionFilter {
  catch(exception: unknown): never {
    throw exception;
  }
}

test.each([
  ['without a filter', []],
  ['with a filter for other errors', [{ provide: APP_FILTER, useClass: ForOthers }]],
])(
  'an error of a driver has one line in the log, with its stack and without its fields: %s',
  async (_what, filters) => {
    const { call, lines } = await start({}, filters);
    expect((await call('add_user')).text).toContain(SECRET);
    expect(lines).toHaveLength(1);
    const [first, ...frames] = lines[0]!.split('\n');
    expect(first).toBe(`warn Tool add_user failed: ${SECRET}`);
    expect(frames.join('\n')).toContain('maskErrors.spec');
    expect(lines.join()).not.toContain('ann@example.org');
  },
);

test('maskErrors: the model reads an id, and the one line of the log has it', async () => {
  const { call, lines } = await start({ maskErrors: true });
  const { text } = await call('add_user');
  const id = /^The call of add_user failed \(error ([\w-]+)\)\./.exec(text)?.[1];
  expect(text).not.toContain('duplicate key');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain(`warn Tool add_user failed (error ${String(id)}): ${SECRET}\n`);
  expect((await call('find_user')).text).toBe('There is no such user.');
  expect((await call('ask_user')).text).toContain('The directory is down.');
});

test('maskErrors: a guard that breaks has one line, and a filter for HTTP changes nothing', async () => {
  const { call, lines } = await start({ maskErrors: true }, [{ provide: APP_FILTER, useClass: ForHttp }]);
  expect((await call('remove_user')).text).not.toContain('duplicate key');
  expect(lines.filter((line) => line.includes(SECRET))).toHaveLength(1);
  expect((await call('add_user')).text).toMatch(/^The call of add_user failed \(error /);
  expect(lines.filter((line) => line.includes(SECRET))).toHaveLength(2);
  expect(lines.filter((line) => line.includes('E957'))).toHaveLength(1);
});

test('maskErrors: a function of the module says what the model reads', async () => {
  const { call } = await start({
    maskErrors: (error) => (error instanceof QueryFailedError ? 'Such a user exists already.' : 'Something broke.'),
  });
  expect((await call('add_user')).text).toMatch(/\(error [\w-]+\): Such a user exists already\.\n/);
});
