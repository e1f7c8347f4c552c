import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation } from 'toolwright/conversations';
import type { DurableStore, RunEngine } from '@toolwright/durable';
import { MemoryRuns } from '@toolwright/durable';
import { HandEngine } from '../durable/HandEngine';
import { changed } from '../../../../spec/support/changed';
import { sqliteRuns } from '../support/sqliteRuns';
import { effectsOf, openDesk, questionOf, said, until } from './desk';

const folders: string[] = [];
const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-replies-'));
  folders.push(folder);
  return folder;
};
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** An engine that takes part in changes of the store. */
class TakingPart extends HandEngine implements RunEngine {
  readonly isTransactional = true;
}

/** A run that waits for a reply, in a process whose engine is told by hand what to do. */
async function waiting(store: DurableStore, engine = new HandEngine(), expireMs?: number) {
  const folder = fresh();
  const runs = await openDesk(folder, store, { engine, ...(expireMs === undefined ? {} : { expireMs }) });
  await runs.work();
  await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
  await engine.carry('c-1');
  const question = await questionOf(runs, 'r-1');
  engine.jobs.length = 0;
  return { folder, runs, engine, question };
}

describe.each<[string, () => DurableStore]>([
  ['SqliteRuns', () => sqliteRuns(join(fresh(), 'runs.db'))],
  ['a store in memory', () => new MemoryRuns()],
])('a reply through the log of %s', (_name, open) => {
  test.each<[string, () => HandEngine]>([
    ['that takes part in no transaction', () => new HandEngine()],
    ['that takes part in transactions', () => new TakingPart()],
  ])('a reply reaches an engine %s', async (_what, engineOf) => {
    const store = open();
    const { runs, engine, folder, question } = await waiting(store, engineOf());
    expect(await store.reply('c-1', question, { kind: 'approved' })).toBe('taken');
    await until(() => engine.jobs.length > 0, 'the job is enqueued');
    await until(async () => (await runs.get('r-1')).expiresAt === null, 'the record says so');
    expect(engine.jobs).toEqual([{ tenant: null, conversation: 'c-1', run: 'r-1' }]);
    expect((await runs.get('r-1')).status).toBe('queued');
    await engine.carry('c-1');
    expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
    expect(effectsOf(folder).filter((line) => line.includes(' ship apple'))).toHaveLength(1);
    await runs.drain(100);
  });

  test('a reply through the log does not shut out the worker that goes on with the run', async () => {
    const store = open();
    const { runs, engine, question } = await waiting(store);
    let openings = 0;
    const counting = changed(store, {
      open: (id: string) => {
        openings++;
        return store.open(id);
      },
    });
    const conversation = await Conversation.open(counting, 'c-1');
    expect(await conversation.reply(question, { kind: 'approved' })).toBe('taken');
    expect([openings, conversation.questions]).toEqual([1, []]);
    await engine.carry('c-1');
    expect((await runs.get('r-1')).status).toBe('answered');
    await runs.drain(100);
  });

  test('a reply that comes as its time ends keeps the run if it is the first in the log', async () => {
    const store = open();
    let reply: (() => Promise<unknown>) | undefined;
    const slow: DurableStore = changed(store, {
      forTenant: () => slow,
      open: async (conversation: string) => {
        const opened = await store.open(conversation);
        await reply?.();
        return opened;
      },
    });
    const { runs, engine, question } = await waiting(slow, new HandEngine(), 2_000);
    const taken: unknown[] = [];
    const record = (await store.records.get('r-1')) ?? fail('no run');
    reply = async () => {
      reply = undefined;
      // The store has checked the time before it was over.
      taken.push(await store.records.reply(record, question, { kind: 'approved' }));
    };
    await until(() => Date.now() > (record.expiresAt ?? Infinity), 'its time is over');
    await engine.carry('c-1');
    expect(taken).toEqual(['taken']);
    expect(await runs.get('r-1')).toMatchObject({ status: 'answered', problem: null });
    await runs.drain(100);
  });

  test('a reply that comes after the end is late', async () => {
    const store = open();
    const { runs, engine, question } = await waiting(store, new HandEngine(), 2_000);
    await until(async () => Date.now() > ((await store.records.get('r-1'))?.expiresAt ?? Infinity), 'its time is over');
    await engine.carry('c-1');
    expect(await runs.get('r-1')).toMatchObject({ status: 'failed', problem: 'no reply came in time' });
    const record = (await store.records.get('r-1')) ?? fail('no run');
    for (const late of [
      runs.reply('r-1', question, { kind: 'approved' }),
      store.reply('c-1', question, { kind: 'approved' }),
      store.records.reply(record, question, { kind: 'approved' }),
    ])
      expect(await late).toBe('late');
    await runs.drain(100);
  });
});

test('workers that cannot read the store for a moment find the reply afterwards', async () => {
  const store = new MemoryRuns();
  let isAway = false;
  const flaky: DurableStore = changed(store, {
    acrossTenants: changed(store.acrossTenants, {
      outline: (filter: Parameters<DurableStore['acrossTenants']['outline']>[0]) =>
        isAway ? Promise.reject(new TypeError('away')) : store.acrossTenants.outline(filter),
    }),
  });
  const { runs, engine, question } = await waiting(flaky);
  isAway = true;
  await store.reply('c-1', question, { kind: 'approved' });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(engine.jobs).toEqual([]);
  isAway = false;
  await until(() => engine.jobs.length > 0, 'the job is enqueued');
  await runs.drain(100);
});

function fail(problem: string): never {
  throw new TypeError(problem);
}
