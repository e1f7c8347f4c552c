import { EventEmitter } from 'node:events';
import {
  bind,
  createApplication,
  Deadline,
  definePrompt,
  defineSection,
  defineTool,
  Param,
  Session,
  SliceOps,
  VisibilityExpansionRequired,
  type Application,
  type ApplicationOptions,
  type Constructor,
  type ToolContext,
  type ToolOutcome,
} from 'toolwright';
import { ToolInvoked } from 'toolwright/events';
import { silent } from '../../support/silent.js';

/** An application with one tool, `act`, the calls of it, and its events and errors. */
async function deskOf(act: Constructor, options: Partial<ApplicationOptions> = {}) {
  const Desk = definePrompt({ ns: 'n', key: 'k', sections: [defineSection({ key: 's', title: 'S', tools: [act] })] });
  const errors: string[] = [];
  const logger = { ...silent, error: (message: string) => void errors.push(message) };
  const app: Application = await createApplication({ prompts: [Desk], logger, ...options });
  const events: ToolInvoked[] = [];
  app.eventBus.subscribe(ToolInvoked, (event) => void events.push(event));
  const rendered = await app.prompt(Desk).render();
  const call = (args: Record<string, unknown> = {}, run: object = {}): Promise<ToolOutcome> =>
    app.invoke(rendered, 'act', args, run);
  return { app, call, events, errors };
}

const acting = (handler: (context: ToolContext) => unknown, hints = {}): Constructor =>
  defineTool({
    name: 'act',
    description: 'Acts.',
    hints,
    handler: (_params: null, context: ToolContext) => handler(context),
  });

class Cart {
  constructor(readonly items: unknown[]) {}
}

describe('TRACE-01 state that a handler reaches', () => {
  test.each([{}, { readOnly: true }])(
    'state of a slice that was seeded, not installed, is frozen (hints %j)',
    async (hints) => {
      const session = new Session();
      const items = ['a'];
      session.slice(Cart).seed(new Cart(items));
      const [snapshot, clone] = [session.snapshot(), session.clone()];
      const { call } = await deskOf(
        acting(({ session: state }) => {
          state.slice(Cart).latest()?.items.push('b');
          throw new Error('No.');
        }, hints),
      );
      const outcome = await call({}, { session });
      expect(outcome).toMatchObject({ kind: 'failed', text: expect.stringContaining('not extensible') as string });
      session.restore(snapshot);
      for (const each of [session, clone]) expect(each.slice(Cart).latest()?.items).toEqual(['a']);
      expect(items).toEqual(['a']);
    },
  );

  const unfrozen: [string, () => unknown][] = [
    ['a function', () => () => undefined],
    ['an emitter', () => new EventEmitter()],
    ['a WeakMap', () => new WeakMap()],
    ['a WeakRef', () => new WeakRef({})],
    ['a Proxy', () => new Proxy({}, {})],
    ['a signal', () => new AbortController().signal],
    ['a generator', () => (function* rows() {})()],
    ['a promise', () => Promise.resolve()],
    [
      'a getter',
      () => ({
        get now() {
          return 1;
        },
      }),
    ],
  ];
  test.each(unfrozen)(
    'state that cannot be frozen, such as %s, is refused with its path, however it comes in',
    (_what, make) => {
      const session = new Session();
      const put: (() => void)[] = [
        () => session.slice(Cart).seed(new Cart([{ at: make() }])),
        () => session.slice(Cart).append(new Cart([{ at: make() }])),
        () => session.dispatch(new Cart([{ at: make() }])),
      ];
      for (const each of put)
        expect(each).toThrow(
          expect.objectContaining({
            code: 'E801',
            place: expect.stringMatching(/^Cart\.items\[0\]\.at/) as string,
          }) as Error,
        );
      expect(session.slice(Cart).all()).toEqual([]);
    },
  );
});

describe('TRACE-02 params', () => {
  class Line {
    @Param('What.') name!: string;
  }
  class Lines {
    @Param({ description: 'Lines.', type: [Line] }) lines!: Line[];
  }

  test('params that a handler changes are in the event as they came', async () => {
    const { call, events } = await deskOf(
      defineTool({
        name: 'act',
        description: 'Acts.',
        params: Lines,
        handler: (params: Lines) => {
          for (const line of params.lines) line.name = 'changed';
          params.lines.pop();
          return params.lines.length;
        },
      }),
    );
    await call({ lines: [{ name: 'a' }, { name: 'b' }] });
    expect(events[0]?.params).toEqual({ lines: [{ name: 'a' }, { name: 'b' }] });
    expect((events[0]?.params as Lines).lines[0]).toBeInstanceOf(Line);
  });
});

describe('TRACE-03 a resource that cannot be put back', () => {
  class Shelf {
    rows = ['a'];
    constructor(readonly restoring: () => void | Promise<void>) {}
    put(row: string): void {
      this.rows.push(row);
    }
    snapshot(): string[] {
      return [...this.rows];
    }
    restore(): void | Promise<void> {
      return this.restoring();
    }
  }
  const throwing = (): void => {
    throw new Error('The disk is gone.');
  };
  const shelving = async (restoring: () => void | Promise<void>, then: (context: ToolContext) => unknown) => {
    const act = acting((context) => {
      context.resources.get(Shelf).put('b');
      return then(context);
    });
    return deskOf(act, { resources: [bind(Shelf, { value: new Shelf(restoring) })] });
  };
  const hanging = (): Promise<never> => new Promise(() => undefined);

  test('a failed call that cannot be undone: outcome, event and log say so, and the run goes on', async () => {
    const { call, events, errors } = await shelving(throwing, () => {
      throw new Error('No.');
    });
    const outcome = await call();
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', rolledBack: false, error: { code: 'E911' } });
    expect(outcome.text).toContain('could not be undone');
    expect(events).toMatchObject([{ kind: 'failed', effect: 'unknown', rolledBack: false, error: { code: 'E911' } }]);
    expect(errors.join()).toContain('The disk is gone.');
  });

  test('a call past its deadline that cannot be undone: the error that ends the run says so, as event and log do', async () => {
    const { call, events, errors } = await shelving(throwing, hanging);
    const deadline = Deadline.in(1_000);
    const ended = await call({}, { deadline }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 'E911', phase: 'tool', cause: { code: 'E605' } });
    expect((ended as Error).message).toContain('The disk is gone.');
    expect(events).toMatchObject([{ kind: 'timed_out', effect: 'unknown', rolledBack: false }]);
    expect(events[0]?.error).toBe(ended);
    expect(errors.join()).toContain('The disk is gone.');
  });

  test('an aborted call that cannot be undone: the error says so, and has the reason as its cause', async () => {
    const controller = new AbortController();
    const reason = new Error('Enough.');
    const { call, events } = await shelving(throwing, () => {
      controller.abort(reason);
      return hanging();
    });
    const ended = await call({}, { signal: controller.signal }).catch((error: unknown) => error);
    expect(ended).toMatchObject({ code: 'E911', cause: reason });
    expect(events).toMatchObject([{ kind: 'failed', effect: 'unknown', rolledBack: false }]);
  });

  test('an approved call that cannot be undone: the event still says that it was approved', async () => {
    const act = defineTool({
      name: 'act',
      description: 'Acts.',
      requiresApproval: true,
      handler: (_params: null, { resources }: ToolContext) => {
        resources.get(Shelf).put('b');
        throw new Error('No.');
      },
    });
    const { call, events } = await deskOf(act, {
      approver: { approve: () => ({ kind: 'approved' }) },
      resources: [bind(Shelf, { value: new Shelf(throwing) })],
    });
    expect(await call()).toMatchObject({ kind: 'failed', rolledBack: false });
    expect(events).toMatchObject([{ kind: 'failed', effect: 'unknown', rolledBack: false, approved: true }]);
  });

  test('a call that asked for sections and cannot be undone: they stay closed, and the run goes on', async () => {
    const { call, events } = await shelving(throwing, () => {
      throw new VisibilityExpansionRequired({
        sectionKeys: ['s'],
        reason: 'to see',
        requestedOverrides: { s: 'full' },
      });
    });
    const outcome = await call();
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', rolledBack: false, error: { code: 'E911' } });
    expect(events).toMatchObject([{ kind: 'failed', rolledBack: false }]);
  });

  test('a call whose restoring never ends is given up after five seconds', async () => {
    const { call, events } = await shelving(hanging, () => {
      throw new Error('No.');
    });
    jest.useFakeTimers();
    const calling = call();
    await jest.advanceTimersByTimeAsync(5_000);
    jest.useRealTimers();
    const outcome = await calling;
    expect(outcome).toMatchObject({ kind: 'failed', rolledBack: false, error: { code: 'E911' } });
    expect((outcome as { error?: Error }).error?.message).toContain('5000 ms');
    expect(events).toHaveLength(1);
  });
});

describe('TRACE-04 a snapshot', () => {
  class Folder {
    rows: string[] = [];
    constructor(readonly save: () => unknown) {}
    put(row: string): void {
      this.rows.push(row);
    }
    snapshot(): unknown {
      return this.save();
    }
    restore(): void {
      this.rows = [];
    }
  }

  const failed = 'taking a snapshot failed: ';
  test.each<[string, () => unknown, string]>([
    ['throws', (): never => nope(), failed],
    ['rejects', () => Promise.reject(new Error('No disk.')), failed],
    [
      'rejects after the handler has returned',
      () => new Promise((_r, reject) => void setTimeout(() => reject(new Error('No disk.')), 20)),
      failed,
    ],
    [
      'never ends',
      () => new Promise(() => undefined),
      'a write still waits for its snapshot 5000 ms after the handler',
    ],
  ])(
    'a snapshot that %s: E918, and nothing else of the call is kept, although its handler did not notice',
    async (_how, save, problem) => {
      const folder = new Folder(save);
      const session = new Session();
      const act = acting((context) => {
        context.session.dispatch(new Cart(['kept']));
        try {
          context.resources.get(Folder).put('a');
        } catch {
          // As a careless handler does.
        }
      });
      const { call, events } = await deskOf(act, { resources: [bind(Folder, { value: folder })] });
      jest.useFakeTimers();
      const calling = call({}, { session });
      await jest.advanceTimersByTimeAsync(11_000);
      jest.useRealTimers();
      expect(await calling).toMatchObject({
        kind: 'failed',
        error: { code: 'E918', message: expect.stringContaining(problem) as string },
      });
      expect(events).toHaveLength(1);
      expect([folder.rows, session.slice(Cart).all()]).toEqual([[], []]);
    },
  );

  test('a write that the handler did not await is done before the commit, even if the snapshot takes a while', async () => {
    const folder = new Folder(() => new Promise((resolve) => setTimeout(resolve, 20)));
    const seen: number[] = [];
    class Watch {
      begin(): this {
        return this;
      }
      commit(): void {
        seen.push(folder.rows.length);
      }
    }
    const act = acting(({ resources }) => {
      resources.get(Watch);
      resources.get(Folder).put('a');
    });
    const resources = [bind(Folder, { value: folder }), bind(Watch, { value: new Watch() })];
    const { call } = await deskOf(act, { resources });
    expect(await call()).toMatchObject({ kind: 'succeeded' });
    expect(seen).toEqual([1]);
  });
});

function nope(): never {
  throw new Error('No disk.');
}

describe('TRACE-06 code that must be synchronous and is not', () => {
  class Add {
    constructor(readonly by: number) {}
  }

  test('a reducer that rejects: the call fails with E802, and nothing is unhandled', async () => {
    const session = new Session();
    const reducer = (): never => Promise.reject(new Error('Late.')) as never;
    session.slice(Cart).register(Add, reducer);
    const { call, errors } = await deskOf(acting(({ session: state }) => state.dispatch(new Add(1))));
    const outcome = await call({}, { session });
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E802' } });
    expect(errors.join()).toContain('a reducer returned a promise');
    expect(session.slice(Cart).all()).toEqual([]);
  });

  test('a reducer that rejects outside of calls: it is logged', () => {
    const errors: string[] = [];
    const session = new Session({ logger: { ...silent, error: (message) => void errors.push(message) } });
    session.slice(Cart).register(Add, (() => Promise.reject(new Error('Late.'))) as never);
    session.slice(Cart).register(Add, () => SliceOps.append(new Cart(['a'])));
    session.dispatch(new Add(1));
    expect(errors.join()).toContain('a reducer returned a promise');
    expect(session.slice(Cart).all()).toHaveLength(1);
  });

  test('a subscriber and a listener that reject: they are logged, and the call succeeds', async () => {
    const { app, call, errors } = await deskOf(acting(() => 'done'));
    app.eventBus.subscribe(ToolInvoked, () => Promise.reject(new Error('Subscriber.')));
    const onEvent = (): never => Promise.reject(new Error('Listener.')) as never;
    expect(await call({}, { onEvent })).toMatchObject({ kind: 'succeeded' });
    await app.eventBus.flush();
    expect(errors.join()).toContain('Subscriber.');
    expect(errors.join()).toContain('Listener.');
  });
});
