import { getApplicationParts } from 'toolwright/internal';
import 'reflect-metadata';
import {
  Inject,
  Injectable,
  Scope,
  UseGuards,
  type CanActivate,
  type ExecutionContext,
  type Provider,
  type Type,
} from '@nestjs/common';
import { APP_GUARD, REQUEST } from '@nestjs/core';
import { type Logger, Section, Tool, ToolContext } from 'toolwright';
import type { ToolwrightModuleOptions } from '@toolwright/nestjs';
import { programs } from '@toolwright/programs';
import { closeNest, startDesk, type NestDesk } from '../../../spec/support/nestDesk.js';
import { silent } from '../../../spec/support/silent.js';

// Wide, for machines that run everything at once.
jest.setTimeout(60_000);

afterEach(closeNest);

interface Visitor {
  readonly user: string;
}

const start = (
  section: Type,
  providers: readonly Provider[] = [],
  options: ToolwrightModuleOptions = {},
): Promise<NestDesk> => startDesk([section], providers, options, [programs()]);

/**
 * A section whose dependency belongs to a request; it returns whose, after it has yielded to others, and how many requests had one by
 * then. At boot, it is built once without a user.
 */
function visitorSection() {
  let built = 0;
  @Injectable({ scope: Scope.REQUEST })
  class CurrentUser {
    readonly number: number;
    constructor(@Inject(REQUEST) readonly request: Partial<Visitor>) {
      if (request.user !== undefined) built++;
      this.number = built;
    }
  }
  @Section({ title: 'Visitors' })
  class Visitors {
    constructor(private readonly current: CurrentUser) {}
    @Tool({ description: 'Who asks.', result: String })
    async whoAmI(): Promise<string> {
      await new Promise((resolve) => setImmediate(resolve));
      return `${String(this.current.request.user)} ${String(this.current.number)}`;
    }
  }
  return { Visitors, CurrentUser };
}

test('NEST-01 a request-scoped service is that of the request, also when requests come together', async () => {
  const { Visitors, CurrentUser } = visitorSection();
  const { call } = await start(Visitors, [CurrentUser]);
  const users = Array.from({ length: 20 }, (_, index) => `user${String(index)}`);

  const said = await Promise.all(users.map(async (user) => (await call('who_am_i', {}, { user })).text));
  expect(said.map((text) => text.split(' ')[0])).toEqual(users);
  expect(new Set(said.map((text) => text.split(' ')[1])).size).toBe(users.length);
});

test('NEST-01 all calls of a request share what Nest built for it', async () => {
  const { Visitors, CurrentUser } = visitorSection();
  const { toolwright } = await start(Visitors, [CurrentUser]);
  const { app } = toolwright;
  const rendered = await [...getApplicationParts(app).prompts.values()][0]!.render();
  const calls = ['1', '2'].map((id) => ({ id, name: 'who_am_i', arguments: '{}' }));
  const said = await toolwright.withRequest({ user: 'ann' }, (runMetadata) =>
    app.callTools(rendered, calls, { runMetadata }),
  );
  expect(said.map(({ text }) => text)).toEqual(['ann 1', 'ann 1']);
});

test('a call from a program meets the same request', async () => {
  const { Visitors, CurrentUser } = visitorSection();
  const { call } = await start(Visitors, [CurrentUser]);
  const code = 'console.log(await who_am_i());';
  const [first, second] = await Promise.all([
    call('execute_program', { code }, { user: 'ann' }),
    call('execute_program', { code }, { user: 'bob' }),
  ]);
  expect(first.text).toMatch(/ann \d/);
  expect(second.text).toMatch(/bob \d/);
});

test('E953 a request-scoped service without a request is a denied call; nothing is built with half of what it needs', async () => {
  const { Visitors, CurrentUser } = visitorSection();
  const told: string[] = [];
  const logger: Logger = { ...silent, error: (message) => told.push(message) };
  const { call, toolwright } = await start(Visitors, [CurrentUser], { logger });

  const outcome = await call('who_am_i', {});
  expect(outcome.kind).toBe('denied');
  expect(outcome.text).toContain('Visitors could not be built for this call');
  expect(told.join()).toMatch(/E953 Visitors: .*\n {2}fix: Begin the run within toolwright.withRequest/);
  // The request is over: its ids alone do not lead to it any more.
  const kept = await toolwright.withRequest({ user: 'ann' }, (runMetadata) => runMetadata);
  expect((await call('who_am_i', {}, undefined, kept)).kind).toBe('denied');
});

test('requestFor makes the request of runs that were begun without one, once a run', async () => {
  const { Visitors, CurrentUser } = visitorSection();
  const made: unknown[] = [];
  const requestFor = (ids: Readonly<Record<string, string>>) => {
    made.push(ids);
    return ids['user'] === undefined ? undefined : { user: ids['user'] };
  };
  const { call } = await start(Visitors, [CurrentUser], { requestFor });

  expect((await call('who_am_i', {}, undefined, { user: 'job' })).text).toBe('job 1');
  expect(made).toEqual([{ user: 'job' }]);
  expect((await call('who_am_i', {})).kind).toBe('denied');
  // One that was begun with a request keeps to it.
  expect((await call('who_am_i', {}, { user: 'ann' }, { user: 'job' })).text).toBe('ann 2');
});

describe('a missing dependency of what is built for requests is told at boot: E951', () => {
  @Injectable()
  class Hidden {}
  @Injectable({ scope: Scope.REQUEST })
  class Lookup {
    constructor(readonly hidden: Hidden) {}
  }
  @Section({ title: 'Itself' })
  @Injectable({ scope: Scope.REQUEST })
  class Itself {
    constructor(readonly hidden: Hidden) {}
    @Tool('Say.')
    say(): void {}
  }
  @Section({ title: 'Below' })
  class Below {
    constructor(readonly lookup: Lookup) {}
    @Tool('Say.')
    say(): void {}
  }
  @Section({ title: 'ByToken' })
  @Injectable({ scope: Scope.REQUEST })
  class ByToken {
    @Inject('A_TOKEN') readonly value!: string;
    @Tool('Say.')
    say(): void {}
  }

  test.each([
    ['of the section', Itself, [], 'Itself', 'Hidden'],
    ['of what it depends on', Below, [Lookup], 'Below', 'Hidden'],
    ['by a token', ByToken, [], 'ByToken', 'value'],
  ] as const)('E951: a missing dependency is reported at boot: %s', async (_of, section, providers, place, missing) => {
    await expect(start(section, providers)).rejects.toMatchObject({
      code: 'E951',
      place,
      message: expect.stringMatching(new RegExp(`Nest can't resolve dependencies of .*${missing}`)) as unknown,
    });
  });

  test('a dependency that is there causes no finding', async () => {
    const { call } = await start(Itself, [Hidden]);
    expect((await call('say', {}, { user: 'ann' })).kind).toBe('succeeded');
  });
});

test('E951 a constructor that throws denies the call, and its message stays in the log', async () => {
  const told: string[] = [];
  @Section({ title: 'Broken' })
  @Injectable({ scope: Scope.REQUEST })
  class Broken {
    constructor(@Inject(REQUEST) readonly request: Visitor) {
      throw new Error('no secrets today');
    }
    @Tool('Say.')
    say(): string {
      return 'word';
    }
  }
  const { call } = await start(Broken, [], { logger: { ...silent, error: (message) => told.push(message) } });

  const outcome = await call('say', {}, { user: 'ann' });
  expect(outcome.kind).toBe('denied');
  expect(outcome.text).not.toContain('secrets');
  expect(told).toEqual([
    expect.stringMatching(/^E951 Broken: Nest could not build it for a request: no secrets today\n/),
  ]);
});

test('request-scoped guards are built for the request, those of a class and global ones', async () => {
  @Injectable({ scope: Scope.REQUEST })
  class Known implements CanActivate {
    constructor(@Inject(REQUEST) private readonly request: Visitor) {}
    canActivate(_host: ExecutionContext): boolean {
      return this.request.user !== 'eve';
    }
  }
  @Injectable({ scope: Scope.REQUEST })
  class Everywhere implements CanActivate {
    constructor(@Inject(REQUEST) private readonly request: Visitor) {}
    canActivate(): boolean {
      return this.request.user !== 'mallory';
    }
  }
  @Section({ title: 'Words' })
  class Words {
    @Tool('Say.')
    @UseGuards(Known)
    say(context: ToolContext): string {
      return context.call.name;
    }
  }
  const { call } = await start(Words, [{ provide: APP_GUARD, useClass: Everywhere }]);

  const kinds = await Promise.all(
    ['ann', 'eve', 'mallory'].map(async (user) => (await call('say', {}, { user })).kind),
  );
  expect(kinds).toEqual(['succeeded', 'denied', 'denied']);
  expect((await call('say', {})).kind).toBe('denied');
});

test('a transient section is built once, with the application', async () => {
  let built = 0;
  @Injectable({ scope: Scope.TRANSIENT })
  @Section({ title: 'Words' })
  class Words {
    readonly number = ++built;
    @Tool('Say.')
    say(): string {
      return String(this.number);
    }
  }
  const { call } = await start(Words);
  expect((await call('say', {})).text).toBe((await call('say', {})).text);
});
