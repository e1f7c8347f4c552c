import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createApplication,
  type ModelAdapter,
  Param,
  Prompt,
  Section,
  Tool,
  ToolContext,
  ToolRefusal,
} from 'toolwright';
import { type DurableStore, MemoryRuns, openRuns, type Runs } from '@toolwright/durable';
import { sqliteRuns } from '../support/sqliteRuns';

jest.setTimeout(60_000);

/** What a desk has in stock; the last value counts. */
class Stock {
  @Param({ description: 'Pieces', type: Number }) readonly pieces: number;

  constructor(pieces: number) {
    this.pieces = pieces;
  }
}

/** Called within each handler, after it has read the state and before it writes. */
let meanwhile: () => Promise<void> = () => Promise.resolve();

class Pieces {
  @Param({ description: 'Who', type: String }) who!: string;
  @Param({ description: 'How many', type: Number }) count!: number;
}

@Section({ title: 'Desk', template: 'Sell.' })
class Desk {
  @Tool({ description: 'Takes pieces.', hints: { openWorld: false } })
  async take({ count }: Pieces, { session }: ToolContext): Promise<string> {
    const { pieces } = session.slice(Stock).latest() ?? new Stock(10);
    await meanwhile();
    if (pieces < count) throw new ToolRefusal(`Only ${String(pieces)} are left.`);
    session.dispatch(new Stock(pieces - count));
    return `${String(pieces - count)} are left.`;
  }
}

@Prompt({ ns: 'test', key: 'shop', sections: [Desk] })
class Agent {}

/** Takes as many pieces as the last message of the user says, once for each number in it. */
const model: ModelAdapter = {
  name: 'taker',
  complete: ({ messages }) => {
    const asked = messages.map(({ role }) => role).lastIndexOf('user');
    const [who = '', ...counts] = String(messages[asked]?.content).split(' ');
    const answers = messages.slice(asked).filter(({ role }) => role === 'tool');
    const count = counts[answers.length];
    const call = { id: String(messages.length), name: 'take', arguments: { who, count: Number(count) } };
    const last = String(answers.at(-1)?.content);
    return Promise.resolve(
      count === undefined
        ? { text: last, toolCalls: [], finishReason: 'stop', usage: undefined }
        : { text: null, toolCalls: [call], finishReason: 'tool_calls', usage: undefined },
    );
  },
};

const open: Runs[] = [];
const folders: string[] = [];
afterEach(async () => {
  meanwhile = () => Promise.resolve();
  for (const runs of open.splice(0)) await runs.drain(2_000);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const prepare = (sharedSession: string) => ({ prompt: Agent, adapter: model, slices: [Stock], sharedSession });

/** A worker of its own, as another process has it; null for the session of each conversation. */
async function workerOn(store: DurableStore, name: string | null = 'shop-1'): Promise<Runs> {
  const app = await createApplication({ prompts: [Agent] });
  const prepared = name === null ? { ...prepare(''), sharedSession: undefined } : prepare(name);
  const runs = await openRuns(app, { store, prepare: () => prepared, pollMs: 20 });
  open.push(runs);
  return runs;
}

async function take(runs: Runs, conversation: string, counts: string): Promise<string | null> {
  const run = await runs.start({ conversation, messages: [{ role: 'user', content: `${conversation} ${counts}` }] });
  return (await run.result()).text;
}

async function piecesIn(runs: Runs, conversation: string): Promise<number | undefined> {
  const [record] = await runs.list({ conversation });
  const { session } = await (await runs.run(record?.id ?? '')).session();
  return session.slice(Stock).latest()?.pieces;
}

/** A store that does something before each append with changes of a shared session. */
function beforeAppend(store: DurableStore, act: () => Promise<void>): DurableStore {
  return new Proxy(store, {
    get: (target, name) => {
      if (name === 'forTenant') return () => beforeAppend(target, act);
      if (name === 'append')
        return async (...given: Parameters<DurableStore['append']>) => {
          if (given[0].session !== undefined) await act();
          await target.append(...given);
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
}

/** Leaves 6 pieces, from a conversation that the runs of the test do not have. */
async function changeFromClerk(store: DurableStore): Promise<void> {
  const { epoch } = await store.open('clerk');
  const changes = [{ version: 1, delta: { appended: { Stock: [{ pieces: 6 }] } } }];
  await store.append({ conversation: 'clerk', epoch, after: 0, session: { name: 'shop-1', changes } }, []);
}

const stores: readonly [string, () => () => DurableStore][] = [
  [
    'memory',
    () => {
      const store = new MemoryRuns();
      return () => store;
    },
  ],
  [
    'SQLite',
    () => {
      const folder = mkdtempSync(join(tmpdir(), 'toolwright-shared-'));
      folders.push(folder);
      return () => sqliteRuns(join(folder, 'runs.db'));
    },
  ],
];

describe.each(stores)('a session that conversations share, in %s', (_name, storage) => {
  test('a conversation goes on with what another one has left', async () => {
    const store = storage()();
    const runs = await workerOn(store);
    expect(await take(runs, 'buyer', '3')).toBe('7 are left.');
    expect(await take(runs, 'clerk', '2')).toBe('5 are left.');
    expect(await take(runs, 'buyer', '1 1')).toBe('3 are left.');
    expect([await piecesIn(runs, 'buyer'), await piecesIn(runs, 'clerk')]).toEqual([3, 3]);
  });

  test('a change by another conversation while a handler runs does not get lost', async () => {
    const opened = storage();
    let isFirst = true;
    meanwhile = async () => {
      if (isFirst) await changeFromClerk(opened());
      isFirst = false;
    };
    const runs = await workerOn(opened());
    expect(await take(runs, 'buyer', '3')).toBe('3 are left.');
    expect(await piecesIn(runs, 'buyer')).toBe(3);
  });

  test('a change that comes between commit and append is found: nothing of the call is kept, and it runs again', async () => {
    const opened = storage();
    let isFirst = true;
    const raced = beforeAppend(opened(), async () => {
      if (!isFirst) return;
      isFirst = false;
      await changeFromClerk(opened());
    });
    const runs = await workerOn(raced);
    expect(await take(runs, 'buyer', '3')).toBe('3 are left.');
    expect(await piecesIn(runs, 'buyer')).toBe(3);
    const entries = await raced.entries('buyer');
    expect(entries.filter(({ kind }) => kind === 'outcome')).toHaveLength(1);
  });

  test('takes of many conversations and two workers add up, and take no more than there is', async () => {
    const opened = storage();
    const workers = [await workerOn(opened()), await workerOn(opened())];
    const ids = Array.from({ length: 6 }, (_none, index) => `c-${String(index)}`);
    await Promise.all(ids.map((id, index) => take(workers[index % 2] as Runs, id, '2 2')));
    const logs = await Promise.all(ids.map((id) => opened().entries(id)));
    const taken = logs.flat().filter((entry) => entry.kind === 'outcome' && entry.outcome === 'succeeded').length;
    expect(taken).toBeGreaterThan(0);
    expect(await piecesIn(workers[0] as Runs, 'c-0')).toBe(10 - 2 * taken);
  });

  test('the state of a tenant is not that of another one', async () => {
    const runs = await workerOn(storage()());
    expect(await take(runs.forTenant('ann'), 'buyer', '3')).toBe('7 are left.');
    expect(await take(runs.forTenant('bob'), 'buyer', '1')).toBe('9 are left.');
  });
});

test('a change of a call is stored before its run asks the model again', async () => {
  const store = new MemoryRuns();
  const seen: number[] = [];
  const app = await createApplication({ prompts: [Agent] });
  const adapter: ModelAdapter = {
    name: 'looking',
    complete: async (request) => {
      seen.push((await store.sessionChanges('shop-1')).length);
      return model.complete(request);
    },
  };
  const runs = await openRuns(app, { store, prepare: () => ({ ...prepare('shop-1'), adapter }) });
  open.push(runs);
  expect(await take(runs, 'buyer', '3 3')).toBe('4 are left.');
  expect(seen).toEqual([0, 1, 2]);
});

describe('a conversation keeps the session that it began with', () => {
  const failed = async (runs: Runs): Promise<string> =>
    take(runs, 'buyer', '1').then(
      () => 'answered',
      (error: unknown) => String(error),
    );

  test.each([
    [
      'another name',
      'shop-1',
      'shop-2',
      /E726 the shared session shop-1: the conversation began with it, and prepare returned shop-2/,
    ],
    ['a name where the log has the state', null, 'shop-1', /E726 .*the log of the conversation has a state of its own/],
    ['no name any more', 'shop-1', null, /E726 the shared session shop-1: .*and prepare returned none/],
  ])('E726 a conversation refuses another session: %s', async (_name, before, after, message) => {
    const store = new MemoryRuns();
    expect(await take(await workerOn(store, before), 'buyer', '3')).toBe('7 are left.');
    for (const runs of open.splice(0)) await runs.drain(1_000);
    expect(await failed(await workerOn(store, after))).toMatch(message);
  });
});
