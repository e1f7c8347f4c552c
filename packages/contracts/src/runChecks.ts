import assert from 'node:assert/strict';
import type { QuestionReply } from 'toolwright/conversations';
import type { RunFilter, RunRecord } from '@toolwright/durable';
import { requireDurable, ended, makeNotes, assertRefused, removeVersion } from './ContractLogs.js';
import { ContractRecords } from './ContractRecords.js';
import { NO_IDS, defineRequirement, type StoreRequirement } from './storeChecks.js';

const ODD = 'ä💡\u2028\0\ud800\'"; DROP TABLE runs; --';
const approved: QuestionReply = { kind: 'approved', by: 'Ada' };

export const runChecks: readonly StoreRequirement[] = [
  defineRequirement('a run is created once, and read as it was given', async (logs) => {
    const runs = new ContractRecords(logs);
    const messages = [{ role: 'user', content: ODD }] as const;
    const run = runs.run(ODD, { input: { a: [ODD, 1.5, null] }, messages, trace: '00-a-b-01' });
    const before = Date.now() - 1_000;
    await runs.createAll(run);
    assert.equal(await runs.there.create({ ...run, input: 'other' }), 'exists');
    const record = await runs.there.get(run.id);
    assert.ok(record !== undefined && record.createdAt > before && record.order > 0);
    const { order: _order, createdAt: _created, changedAt: _changed, ...rest } = record;
    const begun = { status: 'queued', owner: null, takeovers: 0, progress: 0, fingerprint: null };
    assert.deepEqual(rest, { ...run, ...begun, tenant: null, problem: null, expiresAt: null });
    assert.equal(await runs.here.get(`${run.id}x`), undefined);
  }),
  defineRequirement(
    'ids that are not texts (E709), and filters that cannot be applied (E413), are refused',
    async (logs) => {
      const runs = new ContractRecords(logs);
      const run = runs.run('r');
      await runs.createAll(run);
      const record = await runs.here.get(run.id);
      for (const odd of NO_IDS) {
        const id = odd as string;
        for (const call of [
          () => runs.here.create({ ...run, id }),
          () => runs.here.create({ ...runs.run('other'), conversation: id }),
          () => runs.here.get(id),
          () => runs.here.head(id),
          () => runs.here.change(id, { status: ['queued'] }, { status: 'failed' }),
          () => runs.here.reply({ ...run, id } as RunRecord, logs.idOf('1.0'), approved),
        ])
          await assertRefused((async () => call())(), `an id that is ${typeof odd}`);
      }
      const { acrossTenants } = requireDurable(logs.store);
      for (const wrong of [null, { limit: -1 }, { limit: 1.5 }, { limti: 1 }, { conversation: '' }, { tenant: '' }]) {
        const filter = wrong as RunFilter;
        for (const call of [
          () => acrossTenants.list(filter),
          () => acrossTenants.outline(filter),
          () => acrossTenants.questions(filter),
          () => runs.here.list(filter),
          () => runs.here.questions(filter),
        ])
          await assertRefused((async () => call())(), `the filter ${JSON.stringify(wrong)}`, 'E413');
      }
      const status = 'queued' as unknown as RunFilter['status'];
      await assertRefused((async () => runs.here.list({ status }))(), 'a text as a list of states', 'E413');
      for (const records of [runs.here, acrossTenants])
        await assertRefused((async () => records.prune(new Date(Number.NaN)))(), 'a date that is not valid', 'E413');
      await runs.assertLists({ conversation: logs.conversation }, ['r']);
      assert.deepEqual(await runs.here.get(run.id), record);
    },
  ),
  defineRequirement('of runs that are created at once under one id, one is', async (logs) => {
    const runs = new ContractRecords(logs);
    const all = Array.from({ length: 8 }, (_none, index) =>
      (index % 2 === 0 ? runs.here : runs.there).create(runs.run('r', { input: index })),
    );
    assert.deepEqual((await Promise.all(all)).sort(), ['created', ...Array.from({ length: 7 }, () => 'exists')]);
  }),
  defineRequirement('a record changes only in the state, and for the owner, that are given', async (logs) => {
    const runs = new ContractRecords(logs);
    const run = runs.run('r');
    await runs.createAll(run);
    const taken = await runs.there.change(
      run.id,
      { status: ['queued'] },
      { status: 'running', owner: 'a', progress: 3 },
    );
    assert.deepEqual([taken?.status, taken?.owner, taken?.progress], ['running', 'a', 3]);
    assert.equal(await runs.here.change(run.id, { status: ['queued'] }, { status: 'cancelled' }), undefined);
    const ofOther = { status: ['running' as const], owner: 'b' };
    assert.equal(await runs.here.change(run.id, ofOther, { status: 'answered' }), undefined);
    const ofNone = { status: ['running' as const], owner: null };
    assert.equal(await runs.here.change(run.id, ofNone, { status: 'answered' }), undefined);
    assert.equal((await runs.there.get(run.id))?.status, 'running');
    const isTaken = { status: ['running' as const, 'waiting' as const], owner: 'a' };
    const changes = {
      status: 'paused',
      owner: null,
      problem: ODD,
      expiresAt: 5,
      takeovers: 2,
      fingerprint: 'f',
    } as const;
    await runs.here.change(run.id, isTaken, changes);
    const { status, owner, problem, expiresAt, takeovers, fingerprint } = (await runs.there.get(run.id)) ?? {};
    assert.deepEqual({ status, owner, problem, expiresAt, takeovers, fingerprint }, changes);
    assert.equal(await runs.here.change(`${run.id}x`, { status: ['queued'] }, { status: 'paused' }), undefined);
  }),
  defineRequirement('of changes that exclude each other, one counts', async (logs) => {
    const runs = new ContractRecords(logs);
    const run = runs.run('r');
    await runs.createAll(run);
    const changed = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        (index % 2 === 0 ? runs.here : runs.there).change(
          run.id,
          { status: ['queued'] },
          { status: 'running', owner: String(index) },
        ),
      ),
    );
    const counted = changed.filter((record) => record !== undefined);
    assert.equal(counted.length, 1, 'changes that counted');
    assert.equal((await runs.there.get(run.id))?.owner, counted[0]?.owner);
  }),
  defineRequirement('the first run of a conversation that has not ended is its head', async (logs) => {
    const runs = new ContractRecords(logs);
    const all = ['a', 'b', 'c'].map((name) => runs.run(name));
    await runs.createAll(...all);
    for (const [index, { id, conversation }] of all.entries()) {
      assert.equal((await runs.there.head(conversation))?.id, id);
      const status = (['answered', 'failed', 'cancelled'] as const)[index] ?? 'answered';
      await runs.here.change(id, { status: ['queued'] }, { status: 'waiting' });
      assert.equal((await runs.there.head(conversation))?.id, id, 'a run that waits holds back those behind it');
      await runs.here.change(id, { status: ['waiting'] }, { status });
    }
    assert.equal(await runs.here.head(logs.conversation), undefined);
  }),
  defineRequirement('runs are listed in their order, by status and conversation, page by page', async (logs) => {
    const runs = new ContractRecords(logs);
    const { conversation } = logs;
    const all = ['a', 'b', 'c', 'd'].map((name) => runs.run(name));
    await runs.createAll(...all);
    await runs.here.change(all[0]?.id ?? '', { status: ['queued'] }, { status: 'failed' });
    await runs.assertLists({ conversation }, ['a', 'b', 'c', 'd']);
    await runs.assertLists({ conversation, status: ['queued'] }, ['b', 'c', 'd']);
    const [, second] = await runs.here.list({ conversation, limit: 2 });
    await runs.assertLists({ conversation, limit: 1, after: second?.order ?? 0 }, ['c']);
    await runs.assertLists({ conversation: `${conversation}x` }, []);
    for (const [index, expiresAt] of [null, 10, 20].entries())
      await runs.here.change(all[index + 1]?.id ?? '', { status: ['queued'] }, { status: 'waiting', expiresAt });
    await runs.assertLists({ conversation, expiresBefore: 20 }, ['c']);
    await runs.assertLists({ conversation, expiresBefore: 21 }, ['c', 'd']);
  }),
  defineRequirement(
    'questions of waiting runs are listed until they are answered; a reply brings the run back',
    async (logs) => {
      const runs = new ContractRecords(logs);
      const { store, conversation } = logs;
      const run = runs.run('r');
      await runs.createAll(run);
      await runs.here.change(run.id, { status: ['queued'] }, { status: 'running', owner: 'a' });
      const { epoch } = await store.open(conversation);
      await logs.append(epoch, 0, [...makeNotes('x'), logs.question('2.1')]);
      await runs.here.change(run.id, { status: ['running', 'waiting'] }, { status: 'waiting', expiresAt: 7 });
      const { kind: _kind, ...asked } = logs.question('2.1');
      const expected = { ...asked, run: run.id, conversation, tenant: null };
      for (const filter of [{ conversation }, { run: run.id }])
        assert.deepEqual(await runs.there.questions(filter), [expected]);
      assert.deepEqual(await runs.here.questions({ conversation: `${conversation}x` }), []);
      const record = await runs.there.get(run.id);
      assert.ok(record);
      await assertRefused(runs.there.reply(record, logs.idOf('2.0'), approved), 'a reply without a question');
      await assertRefused(
        runs.there.reply(record, logs.idOf('2.1'), { kind: 'repeat' }),
        'repeat for an approval',
        'E735',
      );
      assert.equal((await runs.here.get(run.id))?.status, 'waiting');
      let enqueued = 0;
      const within = (): void => {
        enqueued++;
      };
      assert.equal(await runs.there.reply(record, logs.idOf('2.1'), approved, within), 'taken');
      assert.equal(enqueued, 1, 'calls of the work within the change');
      assert.equal(await runs.here.reply(record, logs.idOf('2.1'), { kind: 'denied', reason: 'no' }), 'late');
      const { status, expiresAt } = (await runs.here.get(run.id)) ?? {};
      assert.deepEqual({ status, expiresAt }, { status: 'queued', expiresAt: null });
      assert.deepEqual(await runs.here.questions({ conversation }), []);
      assert.deepEqual((await store.entries(conversation)).map(removeVersion).at(-1), logs.makeReply('2.1', approved));
    },
  ),
  defineRequirement(
    'a reply through the log brings back the run that waits for it, unless its time is over',
    async (logs) => {
      const runs = new ContractRecords(logs);
      const { store, other, conversation } = logs;
      const [first, behind] = [runs.run('a'), runs.run('b')];
      await runs.createAll(first, behind);
      await runs.here.change(first.id, { status: ['queued'] }, { status: 'running', owner: 'a' });
      const { epoch } = await store.open(conversation);
      await logs.append(epoch, 0, [{ kind: 'run', run: first.id, messages: [] }, logs.question('1.0')]);
      await runs.here.change(first.id, { status: ['running', 'waiting'] }, { status: 'waiting', expiresAt: 7 });
      assert.equal(await other.reply(conversation, logs.idOf('1.0'), approved), 'late', 'a reply after the time');
      assert.equal((await store.entries(conversation)).length, 2, 'entries after a late reply');
      const later = Date.now() + 600_000;
      await runs.there.change(first.id, { status: ['waiting'] }, { expiresAt: later });
      const before = Date.now();
      assert.equal(await other.reply(conversation, logs.idOf('1.0'), approved), 'taken');
      const { status, expiresAt } = (await runs.here.get(first.id)) ?? {};
      assert.equal(status, 'queued');
      assert.ok(typeof expiresAt === 'number' && expiresAt >= before && expiresAt < later, 'the time of the reply');
      assert.deepEqual(await runs.here.questions({ conversation }), []);
      assert.equal(await store.reply(conversation, logs.idOf('1.0'), approved), 'late');
      assert.equal((await runs.here.get(behind.id))?.expiresAt, null);
      await runs.here.change(first.id, { status: ['queued'] }, { status: 'paused', expiresAt: null });
      await logs.append(epoch, 3, [logs.question('1.1')]);
      assert.equal(await other.reply(conversation, logs.idOf('1.1'), approved), 'taken');
      assert.equal((await runs.there.get(first.id))?.status, 'paused', 'a paused run goes on only with `resume`');
    },
  ),
  defineRequirement('the work within a change is done only if the change is made', async (logs) => {
    const runs = new ContractRecords(logs);
    const run = runs.run('r');
    const done: string[] = [];
    await runs.here.create(run, () => void done.push('created'));
    await runs.there.create(run, () => void done.push('created again'));
    await runs.there.change(run.id, { status: ['queued'] }, { status: 'paused' }, () => void done.push('paused'));
    await runs.here.change(run.id, { status: ['queued'] }, { status: 'paused' }, () => void done.push('paused again'));
    assert.deepEqual(done, ['created', 'paused']);
  }),
  defineRequirement(
    'an append that ends a run ends its record as well, exactly if records follow the log',
    async (logs) => {
      const runs = new ContractRecords(logs);
      const run = runs.run('r');
      await runs.createAll(run);
      await logs.begin([{ ...ended, run: run.id }]);
      const { status, problem } = (await runs.there.get(run.id)) ?? {};
      const isFollowing = runs.here.followLog === true;
      assert.deepEqual([status, problem], isFollowing ? ['cancelled', 'no longer needed'] : ['queued', null]);
    },
  ),
  defineRequirement('a reply never reaches the question of another run', async (logs) => {
    const runs = new ContractRecords(logs);
    const [first, second] = [runs.run('a'), runs.run('b')];
    await runs.createAll(first, second);
    await logs.begin([
      { kind: 'run', run: first.id, messages: [] },
      logs.question('1.0'),
      { ...ended, run: first.id },
      { kind: 'run', run: second.id, messages: [] },
      logs.question('1.0', 'unknown'),
    ]);
    const [past, record] = [await runs.there.get(first.id), await runs.there.get(second.id)];
    assert.ok(past && record);
    const open = logs.idOf('1.0', 'unknown');
    await assertRefused(
      runs.there.reply(past, open, { kind: 'repeat' }),
      'a reply to the open question of another run',
    );
    assert.equal(await runs.there.reply(record, logs.idOf('1.0'), approved), 'late');
    assert.equal(await runs.here.reply(record, open, { kind: 'repeat' }), 'taken');
  }),
  defineRequirement('a conversation goes together with its runs, and not while one of them is open', async (logs) => {
    const runs = new ContractRecords(logs);
    const run = runs.run('r');
    await runs.createAll(run);
    await assertRefused(logs.store.delete(logs.conversation), 'the deletion of a queued run', 'E746');
    const { epoch } = await logs.store.open(logs.conversation);
    await logs.append(epoch, 0, [{ kind: 'run', run: run.id, messages: [] }, logs.question('1.0')]);
    await runs.here.change(run.id, { status: ['queued'] }, { status: 'waiting' });
    await assertRefused(logs.other.delete(logs.conversation), 'the deletion of a run that waits', 'E746');
    assert.equal((await logs.other.entries(logs.conversation)).length, 2);
    await runs.there.change(run.id, { status: ['waiting'] }, { status: 'cancelled' });
    await logs.other.delete(logs.conversation);
    assert.equal(await runs.here.get(run.id), undefined);
    assert.equal(await runs.here.create(run), 'created');
    await runs.here.change(run.id, { status: ['queued'] }, { status: 'failed' });
  }),
  defineRequirement(
    'a conversation whose only run was cancelled before it began is deleted with that run',
    async (logs) => {
      const runs = new ContractRecords(logs);
      const [run, other] = [runs.run('r'), runs.run('o', { conversation: `${logs.conversation} other` })];
      await runs.createAll(run, other);
      for (const { id } of [run, other]) await runs.here.change(id, { status: ['queued'] }, { status: 'cancelled' });
      await logs.other.delete(logs.conversation);
      assert.equal(await runs.here.get(run.id), undefined);
      assert.ok(await runs.here.get(other.id));
    },
  ),
  defineRequirement('runs that ended are deleted, and conversations that have no others', async (logs) => {
    const runs = new ContractRecords(logs);
    const other = `${logs.conversation} other`;
    const [past, kept, alone] = [runs.run('a'), runs.run('b'), runs.run('c', { conversation: other })];
    await runs.createAll(past, kept, alone);
    for (const conversation of [logs.conversation, other]) await logs.store.open(conversation);
    for (const { id } of [past, alone]) await runs.here.change(id, { status: ['queued'] }, { status: 'failed' });
    await runs.here.prune(new Date(0));
    assert.ok(await runs.there.get(past.id));
    await runs.here.prune(new Date(Date.now() + 1_000));
    const left = [past, kept, alone].map(async ({ id }) => (await runs.there.get(id)) !== undefined);
    assert.deepEqual(await Promise.all(left), [false, true, false]);
    const ids = await logs.other.list();
    assert.deepEqual([ids.includes(logs.conversation), ids.includes(other)], [true, false]);
  }),
];
