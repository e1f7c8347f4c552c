import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStoreContract } from '@toolwright/contracts';
import type { DurableStore, RunRecord, RunRecords } from '@toolwright/durable';
import { changed } from '../support/changed';
import { sqliteRuns } from '../../packages/durable/spec/support/sqliteRuns';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-records-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Broken = (records: RunRecords) => Partial<RunRecords>;

/** Two stores on one file, as two processes have it. A check opens one of each. */
const stores = [sqliteRuns(join(folder, 'runs.db')), sqliteRuns(join(folder, 'runs.db'))] as const;
let opened = 0;
const nextStore = (): DurableStore => stores[opened++ % 2 === 0 ? 0 : 1];

/** A store whose records do some things in another way. */
function withRecords(broken: Broken): DurableStore {
  const store = nextStore();
  return changed(store, { records: changed(store.records, broken(store.records)) });
}

const anyStatus = ['queued', 'running', 'waiting', 'paused', 'answered', 'failed', 'cancelled'] as const;

/** A store that answers in another way. */
function withReply(reply: (store: DurableStore) => DurableStore['reply']): DurableStore {
  const store = nextStore();
  return changed(store, { reply: reply(store) });
}

describe('the contract of replies', () => {
  test.each<[string, (store: DurableStore) => DurableStore['reply']]>([
    [
      'leaves the run waiting',
      (store) => async (conversation, question, reply) => {
        const taken = await store.reply(conversation, question, reply);
        const head = await store.records.head(conversation);
        if (taken === 'taken' && head !== undefined)
          await store.records.change(head.id, { status: ['queued'] }, { status: 'waiting' });
        return taken;
      },
    ],
    [
      'says of no engine that it is to be told',
      (store) => async (conversation, question, reply) => {
        const taken = await store.reply(conversation, question, reply);
        const head = await store.records.head(conversation);
        if (head !== undefined) await store.records.change(head.id, { status: ['queued'] }, { expiresAt: null });
        return taken;
      },
    ],
    [
      'takes a reply after the time',
      (store) => async (conversation, question, reply) => {
        const head = await store.records.head(conversation);
        if (head !== undefined) await store.records.change(head.id, { status: ['waiting'] }, { expiresAt: null });
        return store.reply(conversation, question, reply);
      },
    ],
  ])('the contract of replies finds a store that %s', async (_what, reply) => {
    const checks = runStoreContract({ open: () => withReply(reply), keepsRuns: true });
    const check = checks.find(({ name }) => name.startsWith('a reply through the log brings back the run'));
    await expect(check?.run()).rejects.toThrow();
  });
});

describe('the contract of records', () => {
  test.each<[string, Broken, string]>([
    [
      'writes a run over',
      (records) => ({
        create: async (run, within) => {
          const created = await records.create(run, within);
          return created === 'exists' ? 'created' : created;
        },
      }),
      'a run is created once',
    ],
    [
      'changes whatever the state is',
      (records) => ({
        change: (id, when, changes, within) => records.change(id, { ...when, status: anyStatus }, changes, within),
      }),
      'a record changes only in the state',
    ],
    [
      'changes for any owner',
      (records) => ({
        change: (id, { status }, changes, within) => records.change(id, { status }, changes, within),
      }),
      'a record changes only in the state',
    ],
    [
      'lets two changes count',
      (records) => ({
        change: async (id, when, changes) => {
          const before = await records.get(id);
          if (before === undefined || !when.status.includes(before.status)) return undefined;
          return records.change(id, { status: anyStatus }, changes);
        },
      }),
      'of changes that exclude each other, one counts',
    ],
    [
      'passes over runs that wait',
      (records) => ({
        head: async (conversation) => (await records.list({ conversation, status: ['queued', 'running'] }))[0],
      }),
      'the first run of a conversation that has not ended',
    ],
    [
      'lists all conversations',
      (records) => ({ list: ({ conversation: _conversation, ...filter } = {}) => records.list(filter) }),
      'runs are listed in their order',
    ],
    [
      'has no pages',
      (records) => ({ list: ({ after: _after, ...filter } = {}) => records.list(filter) }),
      'runs are listed in their order',
    ],
    [
      'shows questions of other conversations',
      (records) => ({
        questions: ({ conversation: _conversation, ...filter } = {}) => records.questions(filter),
      }),
      'questions of waiting runs',
    ],
    [
      'leaves an answered run waiting',
      (records) => ({
        reply: async (run: RunRecord, call, reply, within) => {
          const taken = await records.reply(run, call, reply, within);
          await records.change(run.id, { status: ['queued'] }, { status: 'waiting' });
          return taken;
        },
      }),
      'questions of waiting runs',
    ],
    [
      'enqueues nothing with a reply',
      (records) => ({
        reply: (run, call, reply) => records.reply(run, call, reply),
      }),
      'questions of waiting runs',
    ],
    [
      'enqueues without a change',
      (records) => ({
        create: async (run, within) => {
          const created = await records.create(run);
          await within?.(undefined);
          return created;
        },
      }),
      'the work within a change is done only if',
    ],
    [
      'deletes runs that go on',
      (records) => ({
        prune: async (before) => {
          for (const { id } of await records.list({ limit: 1_000 }))
            await records.change(id, { status: anyStatus }, { status: 'failed' });
          return records.prune(new Date(before.getTime() + 60_000));
        },
      }),
      'runs that ended are deleted',
    ],
    ['deletes nothing', () => ({ prune: () => Promise.resolve(0) }), 'runs that ended are deleted'],
  ])('the contract of records is not met by a store that %s', async (_name, broken, expected) => {
    const checks = runStoreContract({ open: () => withRecords(broken), keepsRuns: true });
    const check = checks.find(({ name }) => name.startsWith(expected));
    await expect(check?.run()).rejects.toThrow();
  });

  test('the contract of records is not met by a store without records', async () => {
    const store = changed(nextStore(), { records: undefined });
    const last = runStoreContract({ open: () => store, keepsRuns: true }).at(-1);
    await expect(last?.run()).rejects.toThrow(/no records/);
  });
});
