import { setTimeout as sleep } from 'node:timers/promises';
import {
  bind,
  Deadline,
  defineTool,
  ToolRefusal,
  type ToolContext,
  type ToolHints,
  type Transactional,
} from 'toolwright';
import { allow, type ToolPolicy } from 'toolwright/policies';
import { deskOf, Ledger, Note, UNTOUCHED, writeBoth, type Desk } from './desk';

/** How a store behaves when it commits. */
interface Behaviour {
  readonly begin?: () => Promise<void>;
  readonly commit?: () => Promise<unknown>;
  readonly rollback?: () => Promise<void>;
}

/** A store whose transactions take time, like those of a database. An overlay has savepoints of the same kind. */
class Store implements Transactional<Store> {
  readonly log: string[];

  constructor(
    private readonly behaviour: Behaviour = {},
    public rows: readonly string[] = [],
    log: string[] = [],
    private readonly name = '',
  ) {
    this.log = log;
  }

  insert(row: string): void {
    this.rows = [...this.rows, row];
  }

  async begin({ readOnly }: { readonly readOnly: boolean }): Promise<Store> {
    this.log.push(`begin${this.name}${readOnly ? ' read only' : ''}`);
    await (this.behaviour.begin?.() ?? sleep(1));
    return new Store(this.name === '' ? {} : this.behaviour, this.rows, this.log, `${this.name}+`);
  }

  async commit(overlay: Store): Promise<unknown> {
    this.log.push(`commit${this.name}`);
    const given = await (this.behaviour.commit?.() ?? sleep(5, undefined));
    if (given !== 'conflicted') this.rows = overlay.rows;
    this.log.push(`committed${this.name}`);
    return given;
  }

  async rollback(_overlay: Store): Promise<void> {
    this.log.push(`rollback${this.name}`);
    await (this.behaviour.rollback?.() ?? sleep(1));
  }
}

const tool = (name: string, act: (context: ToolContext) => unknown, hints: ToolHints = {}) =>
  defineTool({
    name,
    description: 'Acts.',
    hints,
    handler: async (_params: unknown, context: ToolContext) => act(context),
  });

/** Inserts a row, and writes to the session and the ledger. */
const insert = (name: string, row: string) =>
  tool(name, async (context) => {
    (await context.resources.resolve(Store)).insert(row);
    writeBoth(context, row);
  });

const deskWith = (store: Store, ...tools: readonly ReturnType<typeof tool>[]): Promise<Desk> =>
  deskOf(tools, { resources: [bind(Store, { value: store })] });

const openGate = () => {
  let open: (value?: unknown) => void = () => undefined;
  const gate = new Promise<unknown>((resolve) => {
    open = resolve;
  });
  return { gate, open };
};

describe('CALL-01 transactions that take time', () => {
  test('begin and commit are awaited, and the slow one is committed before the others', async () => {
    const store = new Store();
    const desk = await deskWith(store, insert('act', 'pen'));
    expect((await desk.call('act')).kind).toBe('succeeded');
    expect(store.rows).toEqual(['pen']);
    expect(store.log).toEqual(['begin', 'commit', 'committed']);
    expect(desk.state()).toEqual({ notes: ['first', 'pen'], lines: ['first', 'pen'] });
  });

  test('a call that fails is rolled back, also while it still begins', async () => {
    const store = new Store();
    const desk = await deskWith(
      store,
      tool('late', async ({ resources }) => {
        (await resources.resolve(Store)).insert('pen');
        throw new Error('no');
      }),
      tool('early', ({ resources }) => {
        void resources.resolve(Store).catch(() => undefined);
        throw new Error('no');
      }),
    );
    expect((await desk.call('late')).kind).toBe('failed');
    expect((await desk.call('early')).kind).toBe('failed');
    expect(store.log).toEqual(['begin', 'rollback', 'begin', 'rollback']);
    expect(store.rows).toEqual([]);
  });

  test('a read-only call begins as one, and is rolled back', async () => {
    const store = new Store();
    const read = tool('read', async ({ resources }) => (await resources.resolve(Store)).rows, { readOnly: true });
    const desk = await deskWith(store, read);
    expect((await desk.call('read')).kind).toBe('succeeded');
    expect(store.log).toEqual(['begin read only', 'rollback']);
  });

  test('get says that the transaction has to be awaited', async () => {
    const desk = await deskWith(
      new Store(),
      tool('act', ({ resources }) => resources.get(Store)),
    );
    expect((await desk.call('act')).text).toMatch(/await resources\.resolve\(Store\)/);
  });

  test('a nested call is a savepoint: its failure undoes it alone', async () => {
    const store = new Store();
    const desk = await deskWith(
      store,
      tool('outer', async (context) => {
        (await context.resources.resolve(Store)).insert('outer');
        await context.callTool({ id: 'good', name: 'good', arguments: {} });
        await context.callTool({ id: 'bad', name: 'bad', arguments: {} });
      }),
      insert('good', 'good'),
      tool('bad', async ({ resources }) => {
        (await resources.resolve(Store)).insert('bad');
        throw new Error('no');
      }),
    );
    expect((await desk.call('outer')).kind).toBe('succeeded');
    expect(store.rows).toEqual(['outer', 'good']);
    expect(store.log).toEqual([
      ...['begin', 'begin+', 'commit+', 'committed+', 'begin+', 'rollback+', 'commit', 'committed'],
    ]);
  });

  test('another commit of the session waits, so that neither is lost', async () => {
    class Count {
      constructor(readonly value: number) {}
    }
    const { gate, open } = openGate();
    const store = new Store({ commit: () => gate });
    const increment = (context: ToolContext): void => {
      const slice = context.session.slice(Count);
      slice.seed(new Count((slice.latest()?.value ?? 0) + 1));
    };
    const desk = await deskWith(
      store,
      tool('slow', async (context) => {
        await context.resources.resolve(Store);
        increment(context);
      }),
      tool('quick', increment),
    );
    const slow = desk.call('slow');
    await sleep(10);
    const quick = desk.call('quick');
    await sleep(10);
    expect(desk.session.slice(Count).latest()).toBeUndefined();
    open();
    expect((await slow).kind).toBe('succeeded');
    expect((await quick).kind).toBe('conflicted');
    expect(desk.session.slice(Count).latest()).toEqual(new Count(1));
  });

  test('a resource that two sessions share is locked as well', async () => {
    const { gate, open } = openGate();
    const desk = await deskWith(
      new Store({ commit: () => gate }),
      insert('slow', 'pen'),
      tool('quick', (context) => {
        context.resources.get(Ledger).write('cup');
      }),
    );
    const slow = desk.call('slow');
    await sleep(10);
    const { Session } = await import('toolwright');
    const quick = desk.call('quick', {}, { session: new Session() });
    await sleep(10);
    open();
    expect((await slow).kind).toBe('succeeded');
    expect((await quick).kind).toBe('conflicted');
    expect(desk.state().lines).toEqual(['first', 'pen']);
  });

  test('a store that finds a conflict only when it commits makes the call conflict, and an idempotent one runs again', async () => {
    let commits = 0;
    const store = new Store({
      commit: async () => {
        await sleep(1);
        return ++commits === 1 ? 'conflicted' : undefined;
      },
    });
    const act = async (context: ToolContext): Promise<void> => {
      (await context.resources.resolve(Store)).insert('pen');
      writeBoth(context, 'pen');
    };
    const desk = await deskWith(store, tool('once', act), tool('again', act, { idempotent: true }));
    expect((await desk.call('once')).kind).toBe('conflicted');
    expect({ rows: store.rows, ...desk.state() }).toEqual({ rows: [], ...UNTOUCHED });
    commits = 0;
    expect((await desk.call('again')).kind).toBe('succeeded');
    expect({ rows: store.rows, ...desk.state() }).toEqual({
      rows: ['pen'],
      notes: ['first', 'pen'],
      lines: ['first', 'pen'],
    });
  });

  test('E914 a commit that rejects leaves nothing else changed, and its own effect unknown', async () => {
    const store = new Store({ commit: () => Promise.reject(new Error('connection lost')) });
    const desk = await deskWith(store, insert('act', 'pen'));
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown' });
    expect(outcome.text).toMatch(/connection lost[^]*Check the state/);
    expect(outcome.text).not.toContain('Nothing was changed');
    expect(desk.state()).toEqual(UNTOUCHED);
    expect(desk.logged.filter(({ level }) => level === 'error')).toHaveLength(1);
  });

  test('a commit that refuses has kept nothing, and its words reach the model', async () => {
    const refusal = new ToolRefusal('The order is closed.');
    const store = new Store({ commit: () => Promise.reject(refusal) });
    const desk = await deskWith(store, insert('act', 'pen'));
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', text: 'The order is closed.', error: refusal });
    expect(outcome).not.toHaveProperty('rolledBack');
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('E914 a write from outside of calls while a commit takes time is not overwritten', async () => {
    const { gate, open } = openGate();
    const store = new Store({ commit: () => gate });
    const desk = await deskWith(
      store,
      tool('act', async (context) => {
        await context.resources.resolve(Store);
        const notes = context.session.slice(Note).all().length;
        context.session.dispatch(new Note(`after ${String(notes)}`));
      }),
    );
    const running = desk.call('act');
    await sleep(10);
    desk.session.dispatch(new Note('outside'));
    open();
    const outcome = await running;
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', error: { code: 'E914', place: 'session' } });
    expect(outcome.text).toContain('its state was changed from outside of calls while a resource was committed');
    expect(desk.state().notes).toEqual(['first', 'outside']);
  });

  test('the handler can write nothing more once the commit has begun', async () => {
    const { gate, open } = openGate();
    const store = new Store({ commit: () => gate });
    let kept: ToolContext | undefined;
    const desk = await deskWith(
      store,
      tool('act', async (context) => {
        kept = context;
        await context.resources.resolve(Store);
      }),
    );
    const running = desk.call('act');
    await sleep(10);
    expect(() => kept?.session.dispatch(new Note('late'))).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
    open();
    expect((await running).kind).toBe('succeeded');
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('the handler can write nothing more while its call waits for another commit', async () => {
    const { gate, open } = openGate();
    const store = new Store({ commit: () => gate });
    let kept: ToolContext | undefined;
    const desk = await deskWith(
      store,
      insert('first', 'pen'),
      tool('second', (context) => {
        kept = context;
        context.session.dispatch(new Note('second'));
      }),
    );
    const first = desk.call('first');
    await sleep(10);
    const second = desk.call('second');
    await sleep(10);
    expect(() => kept?.session.dispatch(new Note('late'))).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
    expect(() => kept?.resources.get(Ledger)).toThrow(expect.objectContaining({ code: 'E602' }) as Error);
    open();
    expect((await Promise.all([first, second])).map(({ kind }) => kind)).toEqual(['succeeded', 'succeeded']);
    expect(desk.state().notes).toEqual(['first', 'pen', 'second']);
  });

  test('notes of policies about read-only calls wait as well, also of calls that run together', async () => {
    const { gate, open } = openGate();
    const hearing: ToolPolicy = {
      name: 'hearing',
      appliesTo: () => false,
      check: () => allow,
      onResult: (_call, _result, { session }) => {
        session.dispatch(new Note('noted'));
      },
    };
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      hints: { readOnly: true },
      policies: [hearing],
      handler: () => 'seen',
    });
    const slow = tool('slow', async ({ resources, session }) => {
      await resources.resolve(Store);
      session.dispatch(new Note(`after ${String(session.slice(Note).all().length)}`));
    });
    const desk = await deskWith(new Store({ commit: () => gate }), slow, look);
    const running = desk.call('slow');
    await sleep(10);
    const calls = ['a', 'b'].map((id) => ({ id, name: 'look', arguments: {} }));
    const looking = desk.app.callTools(desk.rendered, calls, { session: desk.session });
    await sleep(10);
    expect(desk.state().notes).toEqual(['first']);
    open();
    expect([await running, ...(await looking)].map(({ kind }) => kind)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
    expect(desk.state().notes).toEqual(['first', 'after 1', 'noted', 'noted']);
  });

  test('read-only calls that run together wait for no commit, where no policy notes anything', async () => {
    const { gate, open } = openGate();
    const look = tool('look', ({ session }) => session.slice(Note).all().length, { readOnly: true });
    const desk = await deskWith(new Store({ commit: () => gate }), insert('slow', 'pen'), look);
    const running = desk.call('slow');
    await sleep(10);
    const calls = ['a', 'b'].map((id) => ({ id, name: 'look', arguments: {} }));
    const looking = desk.app.callTools(desk.rendered, calls, { session: desk.session });
    const first = await Promise.race([looking, running, sleep(1_000, 'they wait')]);
    open();
    expect(first).toMatchObject([{ text: '1' }, { text: '1' }]);
    expect((await running).kind).toBe('succeeded');
  });

  test('the log has what a policy opened and could not be put back or closed', async () => {
    const lost = new Error('connection lost');
    class Lamp {}
    const reading: ToolPolicy = {
      name: 'reading',
      check: async (_call, { resources }) => {
        await resources.resolve(Store);
        resources.get(Lamp);
        return allow;
      },
    };
    const act = defineTool({ name: 'act', description: 'Acts.', policies: [reading], handler: () => 'done' });
    const close = (): Promise<void> => Promise.reject(new Error('stuck'));
    const desk = await deskOf([act], {
      resources: [
        bind(Store, { value: new Store({ rollback: () => Promise.reject(lost) }) }),
        bind(Lamp, { scope: 'toolCall', provide: () => new Lamp(), close }),
      ],
    });
    expect((await desk.call('act')).kind).toBe('succeeded');
    const said = (text: string): string => expect.stringContaining(text) as string;
    expect(desk.logged).toEqual([
      {
        level: 'error',
        message: 'The resource Lamp failed to close beside act: stuck',
        fields: { error: expect.objectContaining({ message: 'stuck' }) as Error },
      },
      {
        level: 'error',
        message: said('A resource was not put back beside act: '),
        fields: {
          fault: expect.objectContaining({ code: 'E911', cause: lost, message: said('connection lost') }) as Error,
        },
      },
    ]);
    expect(desk.logged[1]?.message).toContain('connection lost');
  });

  test('a call that wrote nothing to the session does not mind that the session changed while its commit took time', async () => {
    const { gate, open } = openGate();
    const store = new Store({ commit: () => gate });
    const desk = await deskWith(
      store,
      tool('act', async ({ resources, session }) => {
        (await resources.resolve(Store)).insert(`after ${String(session.slice(Note).all().length)}`);
      }),
    );
    const running = desk.call('act');
    await sleep(10);
    desk.session.dispatch(new Note('outside'));
    open();
    expect((await running).kind).toBe('succeeded');
    expect(store.rows).toEqual(['after 1']);
  });

  test('E913 a transaction that cannot begin is a failure of the call', async () => {
    const store = new Store({ begin: () => Promise.reject(new Error('no connection')) });
    const desk = await deskWith(store, insert('act', 'pen'));
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E913' } });
    expect(outcome.text).toContain('no connection');
    expect(store.log).toEqual(['begin']);
  });

  test('E911 a rollback that fails is told, and not as if nothing had changed', async () => {
    const store = new Store({ rollback: () => Promise.reject(new Error('connection lost')) });
    const desk = await deskWith(
      store,
      tool('act', async ({ resources }) => {
        await resources.resolve(Store);
        throw new Error('no');
      }),
    );
    const outcome = await desk.call('act');
    expect(outcome).toMatchObject({ kind: 'failed', effect: 'unknown', error: { code: 'E911' } });
    expect(outcome.text).not.toContain('Nothing was changed');
  });

  test.each(['conflicts', 'changed'] as const)('E915 %s that gives a promise is refused', async (question) => {
    class Wrong extends Store {}
    const store = new Wrong();
    const begin = store.begin.bind(store);
    Object.assign(store, { [question]: () => Promise.resolve(false), begin });
    const read = tool('read', ({ resources }) => resources.resolve(Store), { readOnly: question === 'changed' });
    const desk = await deskWith(store, read);
    expect(await desk.call('read')).toMatchObject({ kind: 'failed', error: { code: 'E915' } });
  });
});

describe('CALL-01 a commit that does not end', () => {
  beforeEach(() => {
    jest.useFakeTimers();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  test('E914 a commit that does not end ends five seconds after the call was stopped, with an unknown effect, and does not come late', async () => {
    const { gate, open } = openGate();
    const store = new Store({ begin: () => Promise.resolve(), commit: () => gate });
    const desk = await deskWith(store, insert('act', 'pen'));
    const running = desk.call('act', {}, { deadline: Deadline.in(1_000) });
    await jest.advanceTimersByTimeAsync(7_000);
    const outcome = await running;
    expect(outcome).toMatchObject({
      kind: 'failed',
      effect: 'unknown',
      error: {
        code: 'E914',
        message: expect.stringContaining('a commit had not ended 5000 ms after the call was stopped') as string,
      },
    });
    open();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(desk.state()).toEqual(UNTOUCHED);
  });

  test('E914 the session does not get the changes of a call that was given up, whenever its commit ends', async () => {
    const { gate, open } = openGate();
    const store = new Store({ begin: () => Promise.resolve(), commit: () => gate });
    const note = tool('note', async ({ resources, session }) => {
      (await resources.resolve(Store)).insert('pen');
      session.dispatch(new Note('pen'));
    });
    const desk = await deskWith(store, note);
    const running = desk.call('note', {}, { deadline: Deadline.in(1_000) });
    await jest.advanceTimersByTimeAsync(7_000);
    expect(await running).toMatchObject({ kind: 'failed', effect: 'unknown', error: { code: 'E914' } });
    open();
    await jest.advanceTimersByTimeAsync(1_000);
    expect({ rows: store.rows, ...desk.state() }).toEqual({ rows: ['pen'], ...UNTOUCHED });
  });
});
