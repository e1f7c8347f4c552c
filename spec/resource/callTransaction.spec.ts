import {
  bind,
  callTransaction,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  Session,
  type Application,
  type ToolHints,
  type ToolOutcome,
} from 'toolwright';
import type { CallTransactionBinding, CallTransactionOptions } from 'toolwright/resources';
import { silentLogger } from '../conformance/declare/silentLogger';

/** A database in memory, whose transactions take a callback. */
class Database {
  readonly rows: string[] = [];
  readonly log: string[] = [];

  async transaction<T>(callback: (client: Client) => Promise<T>): Promise<T> {
    const client = new Client();
    this.log.push('begin');
    await Promise.resolve();
    try {
      const result = await callback(client);
      this.rows.push(...client.written);
      this.log.push('commit');
      return result;
    } catch (error) {
      this.log.push('rollback');
      throw error;
    }
  }
}

class Client {
  static readonly kind = 'client';
  readonly #written: string[] = [];
  label = 'client';

  get written(): readonly string[] {
    return this.#written;
  }

  write(row: string): this {
    this.#written.push(row);
    return this;
  }
}

const apps: Application[] = [];
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
});

type Act = (client: Client | undefined) => unknown;
type Call = (name: string, options?: { readonly signal?: AbortSignal }) => Promise<ToolOutcome>;

async function callsOf(
  bindings: readonly CallTransactionBinding<Client>[],
  acts: Readonly<Record<string, Act>>,
  hints: ToolHints = { openWorld: false },
): Promise<Call> {
  const [tx] = bindings;
  const tools = Object.entries(acts).map(([name, act]) =>
    defineTool({ name, description: 'Acts.', hints, timeoutMs: 5_000, handler: () => act(tx?.current()) }),
  );
  const section = defineSection({ key: 'desk', title: 'Desk', tools });
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [Desk], resources: bindings, logger: silentLogger });
  apps.push(app);
  const session = new Session();
  const rendered = await app.prompt(Desk).render({ session });
  return (name, options = {}) => app.callTool(rendered, { id: name, name, arguments: {} }, { session, ...options });
}

const write: Act = (client) => void client?.write('pen');
const open = (options: CallTransactionOptions<Client>): CallTransactionBinding<Client> =>
  callTransaction<Client>(options);

describe('a run that does not hold the transaction of its call', () => {
  let database: Database;
  beforeEach(() => {
    database = new Database();
  });

  test('E919 a run that does not hold the transaction of its call ends without having called work: the handler does not run', async () => {
    let ran = false;
    const call = await callsOf([open({ run: () => Promise.resolve() })], { act: () => (ran = true) });
    expect(await call('act')).toMatchObject({ kind: 'failed', error: { code: 'E919' } });
    expect(ran).toBe(false);
  });

  test('E919 a run forgets to return the promise of the transaction, which is rolled back', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<void> => {
      setImmediate(() => void database.transaction(work).catch(() => undefined));
      return Promise.resolve();
    };
    const call = await callsOf([open({ run })], { act: write });
    expect(await call('act')).toMatchObject({ kind: 'failed', error: { code: 'E919' } });
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(database.log).toEqual(['begin', 'rollback']);
  });

  test('E913 the transaction of a call cannot begin', async () => {
    const run = (): Promise<never> => Promise.reject(new Error('no connection'));
    const call = await callsOf([open({ run })], { act: write });
    expect(await call('act')).toMatchObject({
      error: { code: 'E913', message: expect.stringContaining('no connection') as string },
    });
  });

  test('E922 a run that does not hold the transaction of its call does not read its option for a read-only tool: the handler does not run, and nothing stays open', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> => database.transaction(work);
    const call = await callsOf([open({ run })], { act: write }, { readOnly: true });
    const outcome = await call('act');
    expect(outcome).toMatchObject({ kind: 'failed', error: { code: 'E922' } });
    expect(outcome.text).toContain('run: (work, { readOnly })');
    expect(database).toMatchObject({ rows: [], log: ['begin', 'rollback'] });
  });

  test.each<[string, CallTransactionOptions<Client>['run']]>([
    ['named in its parameters', (work, { readOnly: _ }) => database.transaction(work)],
    [
      'read of rest parameters',
      (...args) =>
        database.transaction((client) => (args[1].readOnly ? args[0](client) : Promise.reject(new Error('writes')))),
    ],
  ])('a run whose option is %s has read-only calls', async (_name, run) => {
    const call = await callsOf([open({ run })], { act: () => 'Read.' }, { readOnly: true });
    expect(await call('act')).toMatchObject({ kind: 'succeeded' });
    expect(database.log).toEqual(['begin', 'rollback']);
  });

  test('E920 a run calls work twice', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
      Promise.all([database.transaction(work), database.transaction(work)]);
    const call = await callsOf([open({ run })], {
      act: (client) => new Promise((done) => setTimeout(done, 20, client)).then(() => 'Done.'),
    });
    const outcome = await call('act');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome.text).toContain('E920');
    expect(database.rows).toEqual([]);
  });

  test('E921 a run that does not hold the transaction of its call ends the transaction while the call is running: nothing is kept', async () => {
    let giveUp: (error: Error) => void = () => undefined;
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
      database.transaction((client) => Promise.race([work(client), new Promise((_, reject) => (giveUp = reject))]));
    const tx = open({ run });
    const call = await callsOf([tx], {
      act: async (client) => {
        client?.write('pen');
        giveUp(new Error('Transaction timeout'));
        await new Promise(setImmediate);
        return 'Done.';
      },
      again: async () => {
        giveUp(new Error('Transaction timeout'));
        await new Promise(setImmediate);
        tx.current();
      },
    });
    const outcome = await call('act');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome).not.toMatchObject({ rolledBack: false });
    expect(outcome.text).toContain('Transaction timeout');
    expect(database.rows).toEqual([]);
    expect(await call('again')).toMatchObject({ error: { code: 'E921' } });
  });

  test.each(['Done.', new Error('no')])(
    'E921 a run commits while the call is running: that is not known to be undone (%s)',
    async (result) => {
      const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
        database.transaction((client) => {
          void work(client);
          return Promise.resolve();
        });
      const call = await callsOf([open({ run })], {
        act: async () => {
          await new Promise(setImmediate);
          if (typeof result === 'string') return result;
          throw result;
        },
      });
      const outcome = await call('act');
      expect(outcome).toMatchObject({ kind: 'failed', rolledBack: false, effect: 'unknown' });
      expect(JSON.stringify([outcome.text, 'error' in outcome ? String(outcome.error) : ''])).toContain('E921');
    },
  );

  test('E921 a run swallows that the call failed, and commits', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
      database.transaction((client) => work(client).catch(() => undefined));
    const call = await callsOf([open({ run })], {
      act: (client) => {
        client?.write('pen');
        throw new Error('no');
      },
    });
    const outcome = await call('act');
    expect(outcome).toMatchObject({ kind: 'failed', rolledBack: false, effect: 'unknown' });
    expect(database.rows).toEqual(['pen']);
  });

  test('E911 a run fails to roll back', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
      database.transaction(work).catch(() => Promise.reject(new Error('connection lost')));
    const call = await callsOf([open({ run })], {
      act: () => {
        throw new Error('no');
      },
    });
    expect(await call('act')).toMatchObject({
      rolledBack: false,
      error: { code: 'E911', message: expect.stringContaining('connection lost') as string },
    });
  });

  test('an error that the library wraps is still that of the rollback', async () => {
    const run = (work: (client: Client) => Promise<void>): Promise<unknown> =>
      database.transaction(work).catch((cause: unknown) => Promise.reject(new Error('rolled back', { cause })));
    const call = await callsOf([open({ run })], {
      act: () => {
        throw new Error('no');
      },
    });
    const outcome = await call('act');
    expect(outcome).toMatchObject({ kind: 'failed' });
    expect(outcome).not.toMatchObject({ rolledBack: false });
  });
});

test('a transaction that opens after its call has ended is rolled back, and the handler does not run', async () => {
  const database = new Database();
  let ran = false;
  const stop = new AbortController();
  const run = async (work: (client: Client) => Promise<void>): Promise<unknown> => {
    stop.abort(new Error('gone'));
    await new Promise((resolve) => setTimeout(resolve, 50));
    return database.transaction(work);
  };
  const call = await callsOf([open({ run })], { act: () => (ran = true) });
  await expect(call('act', { signal: stop.signal })).rejects.toThrow('gone');
  expect(database.log).toEqual(['begin', 'rollback']);
  expect(ran).toBe(false);
});

test('a resource of its own whose method has the name of something else is left alone', async () => {
  class Rooms {
    readonly entered: string[] = [];
    enter(name: string): void {
      this.entered.push(name);
    }
    begin(): this {
      return this;
    }
    commit(): void {
      this.entered.push('committed');
    }
  }
  const rooms = new Rooms();
  const tool = defineTool({
    ...{ name: 'act', description: 'Acts.', hints: { openWorld: false } },
    handler: (_params: unknown, { resources }) => {
      resources.get(Rooms).enter('hall');
    },
  });
  const section = defineSection({ key: 'a', title: 'A', tools: [tool] });
  const Desk = definePrompt({ ns: 'test', key: 'desk', sections: [section] });
  const app = await createApplication({ prompts: [Desk], resources: [bind(Rooms, { value: rooms })] });
  apps.push(app);
  const session = new Session();
  const rendered = await app.prompt(Desk).render({ session });
  await app.callTool(rendered, { id: '1', name: 'act', arguments: {} }, { session });
  expect(rooms.entered).toEqual(['hall', 'committed']);
});

describe('the client of a call', () => {
  test('the client of a call is the one of the library, with its private fields, setters and class', async () => {
    const database = new Database();
    const tx = open({ run: (work) => database.transaction(work) });
    const call = await callsOf([tx], {
      act: (client) => {
        if (client === undefined) throw new Error('no client');
        client.label = 'renamed';
        client.write(client.label).write('pen');
        return [client instanceof Client, client.constructor === Client, tx.current() === client, [...client.written]];
      },
    });
    expect(await call('act')).toMatchObject({ result: { value: [true, true, true, ['renamed', 'pen']] } });
    expect(database.rows).toEqual(['renamed', 'pen']);
  });

  test('the client of a call may be a function, as tagged templates are, a frozen object or a text', async () => {
    const frozen = Object.freeze({ ask: (): string => 'asked' });
    const template = Object.assign((strings: TemplateStringsArray) => strings.join(), { unsafe: () => 'unsafe' });
    const seen: unknown[] = [];
    for (const client of [frozen, template, 'a-1']) {
      const tx = callTransaction<string | typeof frozen | typeof template>({ run: (work) => work(client) });
      const call = await callsOf([tx as never], {
        act: () => {
          const here = tx.current();
          if (typeof here === 'function') seen.push([here`text`, here.unsafe()]);
          else seen.push(typeof here === 'object' ? here.ask() : here);
        },
      });
      expect(await call('act')).toMatchObject({ kind: 'succeeded' });
    }
    expect(seen).toEqual(['asked', ['text', 'unsafe'], 'a-1']);
  });

  test('a query that begins when it is awaited is asked once', async () => {
    let asked = 0;
    const query = {
      then(done: (value: string) => void): void {
        asked++;
        done('rows');
      },
    };
    const tx = callTransaction<{ query(): typeof query }>({ run: (work) => work({ query: () => query }) });
    const call = await callsOf([tx as never], { act: () => tx.current()?.query() });
    expect(await call('act')).toMatchObject({ result: { value: 'rows' } });
    expect(asked).toBe(1);
  });

  test('E602 the client of a call is refused after the call; work that outlives it runs outside', async () => {
    const database = new Database();
    const tx = open({ run: (work) => database.transaction(work) });
    const later: Promise<unknown>[] = [];
    const soon = <T>(work: () => T): Promise<T> => new Promise((resolve) => setTimeout(resolve, 20)).then(work);
    const call = await callsOf([tx], {
      act: (client) => {
        later.push(
          soon(() => tx.current()),
          soon(() => client?.write('late')),
          tx.outside(() => soon(() => tx.current())),
        );
        return 'Done.';
      },
    });
    expect(await call('act')).toMatchObject({ kind: 'succeeded' });
    const ends = await Promise.allSettled(later);
    expect(ends).toMatchObject([
      { status: 'rejected', reason: { code: 'E602' } },
      { status: 'rejected', reason: { code: 'E602' } },
      { status: 'fulfilled', value: undefined },
    ]);
    expect(database.rows).toEqual([]);
  });
});

test('two databases: both are open around the handler, and each in its own context', async () => {
  const databases = [new Database(), new Database()];
  const bindings = databases.map((database, index) =>
    open({ name: `Database${String(index)}`, run: (work) => database.transaction(work) }),
  );
  const call = await callsOf(bindings, {
    act: () => bindings.forEach((tx, index) => tx.current()?.write(String(index))),
    fail: () => {
      bindings.forEach((tx) => tx.current()?.write('lost'));
      throw new Error('no');
    },
  });
  expect(await call('act')).toMatchObject({ kind: 'succeeded' });
  expect(await call('fail')).toMatchObject({ kind: 'failed' });
  expect(databases.map(({ rows }) => rows)).toEqual([['0'], ['1']]);
});

test('only the calls of chosen tools begin with a transaction', async () => {
  const database = new Database();
  const tx = open({
    run: (work) => database.transaction(work),
    tools: ({ name, hints }) => name === 'act' && hints.readOnly !== true,
  });
  const call = await callsOf([tx], { act: (client) => client !== undefined, other: (client) => client !== undefined });
  expect(await call('other')).toMatchObject({ result: { value: false } });
  expect(database.log).toEqual([]);
  expect(await call('act')).toMatchObject({ result: { value: true } });
  expect(database.log).toEqual(['begin', 'commit']);
});

test('a resource of the call is provided within the transaction', async () => {
  class Repository {
    constructor(readonly client: Client | undefined) {}
  }
  const database = new Database();
  const tx = open({ run: (work) => database.transaction(work) });
  const tool = defineTool({
    ...{ name: 'act', description: 'Acts.', hints: { openWorld: false } },
    handler: (_params: unknown, { resources }) => resources.get(Repository).client === tx.current(),
  });
  const Desk = definePrompt({
    ns: 'test',
    key: 'desk',
    sections: [defineSection({ key: 'a', title: 'A', tools: [tool] })],
  });
  const repository = bind(Repository, { scope: 'toolCall', eager: true, provide: () => new Repository(tx.current()) });
  const app = await createApplication({ prompts: [Desk], resources: [repository, tx], logger: silentLogger });
  apps.push(app);
  const session = new Session();
  const rendered = await app.prompt(Desk).render({ session });
  expect(await app.callTool(rendered, { id: '1', name: 'act', arguments: {} }, { session })).toMatchObject({
    result: { value: true },
  });
});

test.each<readonly [Readonly<Record<string, unknown>>, RegExp]>([
  [{}, /E912 callTransaction: run: expected a function, got undefined/],
  [{ run: () => Promise.resolve(), savepoint: 1 }, /E912 .*savepoint: expected a function, got the number 1/],
  [{ run: () => Promise.resolve(), tools: 'all' }, /E912 .*tools: expected a function/],
  [{ run: () => Promise.resolve(), name: 3 }, /E912 .*name: expected a text, got the number 3/],
  [{ run: () => Promise.resolve(), isolation: 1 }, /E413/],
])('callTransaction refuses options that it cannot use: %j', (options, problem) => {
  expect(() => callTransaction(options as never)).toThrow(problem);
});
