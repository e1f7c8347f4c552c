import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Application,
  createApplication,
  defineTool,
  definePrompt,
  defineSection,
  Param,
  Session,
} from 'toolwright';
import { Conversation, forgetUser, readUser, type RunStore } from 'toolwright/conversations';
import { TransactionalTable } from 'toolwright/resources';
import { expectStablePrefix, ScriptedModel, type ScriptStep } from 'toolwright/testing';
import { type DurableStore, MemoryRuns, openRuns } from '@toolwright/durable';
import { PostgresRuns } from '@toolwright/durable/postgres';
import { describeOnPostgres } from '../../../../spec/support/postgresServer';
import { sqliteRuns } from '../support/sqliteRuns';
import {
  Agent,
  beforeAppend,
  call,
  Count,
  Fact,
  factsOf,
  moments,
  Note,
  openApp,
  remember,
  slices,
  talk as talkOf,
  timesOf,
} from './desk';

jest.setTimeout(60_000);

let app: Application;
const folders: string[] = [];
beforeAll(async () => {
  app = await openApp();
});
afterEach(() => {
  moments.meanwhile = undefined;
});
afterAll(async () => {
  await app.close();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

type Given = Parameters<typeof talkOf>[2];
const talk = (store: RunStore, steps: readonly ScriptStep[], given: Omit<Given, 'app'> = {}) =>
  talkOf(store, steps, { app, ...given });

const stores: readonly [string, () => DurableStore][] = [
  ['memory', () => new MemoryRuns()],
  [
    'SQLite',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'toolwright-user-'));
      folders.push(folder);
      return sqliteRuns(join(folder, 'runs.db'));
    },
  ],
];

describe.each(stores)('the memory of a user, in %s', (_name, create) => {
  testMemory(create);
});

let schemas = 0;
describeOnPostgres('the memory of a user', (postgres) => {
  testMemory(() => new PostgresRuns(postgres.pool, { schema: `users_${String(schemas++)}` }));
});

function testMemory(create: () => DurableStore): void {
  test('another conversation of the user knows it, and another user or tenant does not', async () => {
    const store = create();
    await talk(store, [remember('likes tea'), call('count')], { id: 'monday' });
    const next = await talk(store, [call('count')], { id: 'friday' });
    expect(next.system).toContain('likes tea');
    expect(next.session.slice(Note).all()).toEqual([]);
    expect(next.session.slice(Count).latest()).toEqual(new Count(2));
    for (const [where, principal] of [
      [store, 'ben'],
      [store.forTenant('acme'), 'ada'],
    ] as const) {
      const other = await talk(where, [call('count')], { id: 'other', principal });
      expect(other.system).not.toContain('tea');
      expect(other.session.slice(Count).latest()).toEqual(new Count(1));
    }
    expect(await timesOf(store)).toBe(2);
  });

  test('a call that fails leaves nothing in the memory, nor does a value that is not JSON', async () => {
    const store = create();
    const { kinds } = await talk(store, [remember('fails'), call('odd'), remember('stays')]);
    expect(kinds).toEqual(['failed', 'failed', 'succeeded']);
    expect(await factsOf(store)).toEqual(['stays']);
  });

  test('a conversation goes on in another process with the state of both, and deleting it deletes no memory', async () => {
    const store = create();
    await talk(store, [remember('one')]);
    await talk(store, [remember('elsewhere')], { id: 'other' });
    const { session, system } = await talk(store, [remember('two')]);
    expect(session.slice(Note).all()).toEqual([new Note('one'), new Note('two')]);
    expect(system).not.toContain('elsewhere');
    await store.delete('c');
    expect(await factsOf(store)).toEqual(['one', 'elsewhere', 'two']);
  });

  test('a call that another conversation overtakes runs again with the new state', async () => {
    const store = create();
    moments.meanwhile = async () => {
      moments.meanwhile = undefined;
      await talk(store, [call('count')], { id: 'other' });
    };
    const { session } = await talk(store, [call('count')]);
    expect(session.slice(Count).latest()).toEqual(new Count(2));
    expect(await timesOf(store)).toBe(2);
  });

  test('a call that reads while the user is forgotten runs again, and finds nothing', async () => {
    const store = create();
    await talk(store, [call('count'), call('count'), remember('gone')], { id: 'before' });
    moments.meanwhile = async () => {
      moments.meanwhile = undefined;
      await forgetUser(store, 'ada');
    };
    const { session, response } = await talk(store, [call('count')]);
    expect(JSON.stringify(response.transcript)).toContain('before 0');
    expect([session.slice(Fact).all(), session.slice(Count).all()]).toEqual([[], [new Count(1)]]);
    expect([await factsOf(store), await timesOf(store)]).toEqual([[], 1]);
  });

  test('a write that was based on forgotten state is refused (E755), also when as much was remembered anew', async () => {
    const store = create();
    await talk(store, [call('count'), call('count')], { id: 'before' });
    const raced = beforeAppend(store, async () => {
      await forgetUser(store, 'ada');
      await talk(store, [call('count'), remember('new')], { id: 'after' });
    });
    const stale = await Conversation.open(raced, 'c');
    await expect(talk(raced, [call('count')], { conversation: stale })).rejects.toMatchObject({ code: 'E755' });
    expect([await factsOf(store), await timesOf(store)]).toEqual([['new'], 1]);
    // The run goes on from its record, with the new state.
    const session = new Session({ slices });
    const adapter = new ScriptedModel([{ text: 'Done.' }]);
    const conversation = await Conversation.open(store, 'c');
    await app.evaluate(app.prompt(Agent), { adapter, conversation, session, runMetadata: { principal: 'ada' } });
    expect([await timesOf(store), session.slice(Count).latest()]).toEqual([2, new Count(2)]);
  });

  test('a user can be forgotten twice, without ever having been known, and remembered again', async () => {
    const store = create();
    await forgetUser(store, 'ada');
    expect(await factsOf(store)).toEqual([]);
    await talk(store, [remember('old')]);
    await talk(store, [remember('of ben')], { id: 'ben', principal: 'ben' });
    await forgetUser(store, 'ada');
    await forgetUser(store, 'ada');
    const { session } = await talk(store, [remember('new')]);
    expect(session.slice(Fact).all()).toEqual([new Fact('new', 'code 4711')]);
    expect([await factsOf(store), await factsOf(store, 'ben')]).toEqual([['new'], ['of ben']]);
  });

  test('principals are kept apart, whatever their characters and length', async () => {
    const store = create();
    const odd = ['a', 'A', 'ä', 'a\u0308', '\ud800', '\ud801', '"', ' ', '\0', '__proto__', 'x'.repeat(9_999), '✓'];
    for (const [index, principal] of odd.entries())
      await talk(store, [remember(String(index))], { id: `c-${String(index)}`, principal });
    for (const [index, principal] of odd.entries()) expect(await factsOf(store, principal)).toEqual([String(index)]);
  });
}

test('a request of a conversation begins with the one before, while its memory changes', async () => {
  const store = new MemoryRuns();
  const first = await talk(store, [remember('one')]);
  await talk(store, [remember('elsewhere')], { id: 'other' });
  const second = await talk(store, [remember('two')]);
  await forgetUser(store, 'ada');
  const third = await talk(store, []);
  const requests = [first, second, third].flatMap(({ adapter }) => adapter.requests);
  expect(expectStablePrefix(requests).requests).toBe(5);
});

test('a host that keeps conversation and session finds the memory as others have changed it', async () => {
  const store = new MemoryRuns();
  for (const place of ['within', 'apart'] as const) {
    const conversation = await Conversation.open(store, place, { session: place });
    const session = new Session({ slices });
    await talk(store, [remember(`one ${place}`)], { conversation, session });
    await talk(store, [remember(`elsewhere ${place}`)], { id: `other ${place}` });
    await talk(store, [remember(`two ${place}`)], { conversation, session });
    const texts = session
      .slice(Fact)
      .all()
      .map(({ text }) => text);
    expect(texts.slice(-3)).toEqual([`one ${place}`, `elsewhere ${place}`, `two ${place}`]);
    expect(texts).toEqual(await factsOf(store));
    await forgetUser(store, 'ada');
    await talk(store, [], { conversation, session });
    expect([session.slice(Fact).all(), session.slice(Note).all().length]).toEqual([[], 2]);
    await expect(talk(store, [], { conversation, session, principal: 'ben' })).rejects.toMatchObject({ code: 'E759' });
  }
});

test('the response of a run that has ended is returned again, and remembers nothing twice', async () => {
  const store = new MemoryRuns();
  const respond = async (): Promise<string | null> => {
    const { text } = await app.evaluate(app.prompt(Agent), {
      adapter: new ScriptedModel([remember('one'), { text: 'Done.' }]),
      conversation: await Conversation.open(store, 'c'),
      session: new Session({ slices }),
      messages: [{ role: 'user', content: 'Hello' }],
      runId: 'r-1',
      runMetadata: { principal: 'ada' },
    });
    return text;
  };
  expect([await respond(), await respond()]).toEqual(['Done.', 'Done.']);
  expect(await factsOf(store)).toEqual(['one']);
});

test('secrets of a fact are not kept, and an encrypted file shows nothing of it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-user-'));
  folders.push(folder);
  const flip = (text: string): string => Buffer.from(text).toString('hex');
  const store = sqliteRuns(join(folder, 'runs.db'), {
    encrypt: (text) => flip(text),
    decrypt: (text) => Buffer.from(text, 'hex').toString(),
  });
  await talk(store, [remember('likes tea')]);
  expect((await readUser(store, 'ada', slices)).slice(Fact).latest()?.code).toBeUndefined();
  await store.close();
  const bytes = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'));
  expect(bytes.join()).not.toMatch(/likes tea|ada|4711/);
});

test('a table with the scope of the user is remembered and forgotten by rows', async () => {
  class Visits extends TransactionalTable<string, number> {}
  const visit = defineTool({
    name: 'visit',
    description: 'Visits.',
    handler: (_none, { session }) => {
      const visits = session.table(Visits);
      visits.set('shop', (visits.get('shop') ?? 0) + 1);
      return 'visited';
    },
  });
  const Shop = definePrompt({
    ns: 'test',
    key: 'shop',
    sections: [defineSection({ key: 'shop', title: 'Shop', template: 'Shop.', tools: [visit] })],
  });
  const shop = await createApplication({ prompts: [Shop] });
  const store = new MemoryRuns();
  const tables = [{ type: Visits, scope: 'user' }] as const;
  const go = async (id: string): Promise<number | undefined> => {
    const session = new Session({ slices: tables });
    await shop.evaluate(shop.prompt(Shop), {
      adapter: new ScriptedModel([call('visit'), { text: 'Done.' }]),
      conversation: await Conversation.open(store, id),
      session,
      messages: [{ role: 'user', content: 'Go' }],
      runMetadata: { principal: 'ada' },
    });
    return session.table(Visits).get('shop');
  };
  expect([await go('a'), await go('b'), await go('a')]).toEqual([1, 2, 3]);
  await forgetUser(store, 'ada');
  expect([await go('b'), (await readUser(store, 'ada', tables)).table(Visits).size]).toEqual([1, 1]);
  await shop.close();
});

describe('a session in the hands of its host', () => {
  test('JSON, snapshots and reset leave the slices of the user out', () => {
    const session = new Session({ slices });
    session.slice(Fact).seed(new Fact('now'));
    session.slice(Note).seed(new Note('now'));
    expect(Object.keys(session.toJSON().slices)).toEqual(['Note']);
    const snapshot = session.snapshot();
    session.slice(Fact).clear();
    session.slice(Note).clear();
    session.restore(snapshot);
    expect(session.slice(Fact).all()).toEqual([]);
    expect(session.slice(Note).latest()?.text).toBe('now');
    session.slice(Fact).seed(new Fact('later'));
    session.reset();
    expect(session.slice(Fact).latest()?.text).toBe('later');
    expect(session.slice(Note).all()).toEqual([]);
    expect(session.clone().slice(Fact).all()).toEqual([new Fact('later')]);
  });

  test('E809 values that were written for one conversation do not become those of a user', async () => {
    const before = new Session({ slices: [Fact, Note] });
    before.slice(Fact).seed(new Fact('mine'));
    expect(() => Session.fromJSON(before.toJSON(), { slices })).toThrow(/E809 slices\.Fact: .*scope 'user'/);
    const store = new MemoryRuns();
    const conversation = await Conversation.open(store, 'c');
    await talk(store, [remember('mine')], { conversation, session: new Session({ slices: [Fact, Count, Note] }) });
    await expect(talk(store, [])).rejects.toMatchObject({
      code: 'E709',
      message: expect.stringContaining('appended.Fact: the values were written for one conversation') as string,
    });
    expect(await factsOf(store)).toEqual([]);
  });

  test.each([
    [{ type: Fact, scope: 'tenant' }, /E804 .*expected the scope "conversation" or "user"/],
    [{ type: Fact, scope: 'user', policy: 'log' }, /E804 .*a log is not stored/],
  ])('E804 a scope that there is not is refused: %j', (declaration, message) => {
    expect(() => new Session({ slices: [declaration as never] })).toThrow(message);
  });
});

describe('a memory that cannot be used', () => {
  test.each([[undefined], ['']])('E758 a run without a principal is refused before it asks: %j', async (principal) => {
    const store = new MemoryRuns();
    const adapter = new ScriptedModel([{ text: 'Done.' }]);
    const conversation = await Conversation.open(store, 'c');
    const options = { adapter, conversation, session: new Session({ slices }), messages: [] };
    const runMetadata = principal === undefined ? undefined : { principal };
    await expect(app.evaluate(app.prompt(Agent), { ...options, runMetadata })).rejects.toMatchObject({
      code: 'E758',
      phase: 'request',
    });
    expect([adapter.requests, await store.entries('c')]).toEqual([[], []]);
    for (const odd of ['', 5, null] as never[]) {
      await expect(forgetUser(store, odd)).rejects.toMatchObject({ code: 'E758' });
      await expect(readUser(store, odd, slices)).rejects.toMatchObject({ code: 'E758' });
    }
  });

  test('E759 a reading without a slice of the user, or without a store, is refused', async () => {
    const store = new MemoryRuns();
    for (const wrong of [[], [Fact]])
      await expect(readUser(store, 'ada', wrong)).rejects.toMatchObject({
        code: 'E759',
        message: expect.stringContaining("List each slice to read as { type: Facts, scope: 'user' }") as string,
      });
    await expect(readUser(undefined as never, 'ada', slices)).rejects.toMatchObject({ code: 'E759' });
    await expect(forgetUser(undefined as never, 'ada')).rejects.toMatchObject({ code: 'E759' });
  });

  test('E759 a run that nothing keeps is refused', async () => {
    const session = (): Session => new Session({ slices });
    const plain = { adapter: new ScriptedModel([]), messages: [{ role: 'user', content: 'Hello' }] } as const;
    const runMetadata = { principal: 'ada' };
    const evaluate = (conversation?: Conversation): Promise<unknown> =>
      app.evaluate(app.prompt(Agent), { ...plain, conversation, session: session(), runMetadata });
    await expect(evaluate()).rejects.toThrow(/E759 app\.evaluate: .*the run has none/);
    await expect(evaluate(new Conversation())).rejects.toThrow(/E759 .*it is not in a store/);
    const fork = (await Conversation.open(new MemoryRuns(), 'c')).fork();
    await expect(evaluate(fork)).rejects.toThrow(/E759 .*it is not in a store/);
    const { append, open, entries, list, reply, delete: remove } = MemoryRuns.prototype;
    const small = Object.assign(Object.create({ append, open, entries, list, reply, delete: remove }), {
      memory: new MemoryRuns().memory,
    }) as RunStore;
    await expect(evaluate(await Conversation.open(small, 'c'))).rejects.toThrow(
      /E759 .*its store has no shared sessions/,
    );
    await expect(forgetUser(small, 'ada')).rejects.toMatchObject({ code: 'E759' });
  });

  test('E759 a conversation with the memory of another user is refused, and so is a session of another conversation', async () => {
    const store = new MemoryRuns();
    const { session } = await talk(store, [remember('one')]);
    await expect(talk(store, [], { principal: 'ben' })).rejects.toThrow(/E759 .*memory of another principal/);
    const elsewhere = await Conversation.open(store, 'other', { session: 'apart' });
    await expect(talk(store, [], { conversation: elsewhere, session })).rejects.toThrow(/E759 session/);
    const seeded = new Session({ slices });
    seeded.slice(Fact).seed(new Fact('seeded'));
    await expect(talk(store, [], { id: 'third', session: seeded })).rejects.toThrow(/E759 session/);
  });

  test('E810 a stored fact that its class no longer holds is refused, and a new optional field is not', async () => {
    const store = new MemoryRuns();
    await talk(store, [remember('one')]);
    class Renamed {
      @Param({ description: 'What it says', type: String }) readonly words!: string;
    }
    class Extended {
      @Param({ description: 'What it says', type: String }) readonly text!: string;
      @Param({ description: 'Since when', type: String }) readonly since: string = 'always';
    }
    const read = (type: typeof Renamed | typeof Extended): Promise<Session> =>
      readUser(store, 'ada', [{ type, name: 'Fact', scope: 'user' }]);
    await expect(read(Renamed)).rejects.toThrow(/E810 .*its change 1 cannot be restored: .*appended\.Fact/);
    const adapter = new ScriptedModel([]);
    const session = new Session({ slices: [{ type: Renamed, name: 'Fact', scope: 'user' }] });
    const conversation = await Conversation.open(store, 'new');
    const options = { adapter, session, conversation, messages: [], runMetadata: { principal: 'ada' } };
    await expect(app.evaluate(app.prompt(Agent), options)).rejects.toMatchObject({ code: 'E810' });
    const extended = await read(Extended);
    expect(extended.slice(Extended).latest()).toMatchObject({ text: 'one', since: 'always' });
  });

  test('a prompt with other slices skips what it does not declare, and its own slice of the same name', async () => {
    const store = new MemoryRuns();
    await talk(store, [remember('one'), call('count')]);
    const session = new Session({ slices: [Fact, { type: Count, scope: 'user' }] });
    const { system } = await talk(store, [call('count')], { id: 'other', session });
    expect(system).not.toContain('one');
    expect([await factsOf(store), await timesOf(store)]).toEqual([['one'], 2]);
  });
});

describe('durable runs', () => {
  const principalOf = (conversation: string): string => conversation.split('-')[0] ?? '';

  async function runsOn(store: DurableStore, more: object = {}, steps: readonly ScriptStep[] = [call('count')]) {
    return openRuns(app, {
      store,
      pollMs: 20,
      prepare: ({ conversation }) => ({
        prompt: Agent,
        adapter: new ScriptedModel([...steps, { text: 'Done.' }], { by: 'position' }),
        slices,
        runMetadata: { principal: principalOf(conversation) },
        ...more,
      }),
    });
  }

  test('runs of one user on two workers add up, and those of another user are apart', async () => {
    const [, create] = stores[1] as (typeof stores)[number];
    const store = create();
    const workers = [await runsOn(store), await runsOn(store)];
    const ids = ['ada-1', 'ada-2', 'ben-1', 'ada-3', 'ada-4'];
    const started = await Promise.all(
      ids.map((conversation, index) =>
        (workers[index % 2] as (typeof workers)[0]).start({
          conversation,
          messages: [{ role: 'user', content: 'Go' }],
        }),
      ),
    );
    await Promise.all(started.map((run) => run.result()));
    expect([await timesOf(store, 'ada'), await timesOf(store, 'ben')]).toEqual([4, 1]);
    const run = await (workers[0] as (typeof workers)[0]).run(started[0]?.id ?? '');
    expect((await run.session()).session.slice(Count).latest()).toEqual(new Count(4));
    expect((await run.result()).text).toBe('Done.');
    for (const worker of workers) await worker.drain(2_000);
  });

  test.each([
    [{ sharedSession: 'cart-17' }, /E759 sharedSession: cart-17: .*either a shared session or slices/],
    [{ sharedSession: 'toolwright:user:x', slices: [Note] }, /E759 .*names that begin with toolwright:user:/],
    [{ runMetadata: {} }, /E758/],
  ])('E758 and E759 a run is refused whose memory cannot be kept: %j', async (more, message) => {
    const runs = await runsOn(new MemoryRuns(), more);
    const run = await runs.start({ conversation: 'ada-1', messages: [{ role: 'user', content: 'Go' }] });
    await expect(run.result()).rejects.toThrow(message);
    await runs.drain(1_000);
  });
});
