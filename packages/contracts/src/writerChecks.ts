import assert from 'node:assert/strict';
import type { RunEntry, QuestionReply } from 'toolwright/conversations';
import { ended, makeNotes, assertRefused } from './ContractLogs.js';
import { defineRequirement, type StoreRequirement } from './storeChecks.js';

const ROUNDS = 10;
const approved: QuestionReply = { kind: 'approved', by: 'Ada' };

/** Checks that a conversation has one writer at a time, and a question one reply. */
export const writerChecks: readonly StoreRequirement[] = [
  defineRequirement('a writer shuts out every earlier one', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a'));
    const second = await logs.other.open(logs.conversation);
    assert.ok(second.epoch > epoch, 'the epoch was not raised');
    assert.deepEqual(second.entries, makeNotes('a'));
    await assertRefused(logs.append(epoch, 1, makeNotes('late')), 'an append of an earlier epoch');
    await assertRefused(logs.append(epoch, 1, makeNotes('late'), logs.other), 'an append of an earlier epoch');
    await assertRefused(logs.append(epoch, 0, makeNotes('a', 'late')), 'an append of an earlier epoch');
    await logs.append(second.epoch, 1, makeNotes('b'), logs.other);
    await assertRefused(logs.append(epoch, 2, makeNotes('late')), 'an append of an earlier epoch');
    await logs.assertHolds(makeNotes('a', 'b'));
  }),
  defineRequirement('an epoch that was never opened is refused', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a'));
    await assertRefused(logs.append(epoch + 1, 1, makeNotes('b')), 'an append of an epoch that was never opened');
    await logs.assertHolds(makeNotes('a'));
  }),
  defineRequirement('of writers that open at once, each has an epoch of its own, and one can write', async (logs) => {
    const stores = [logs.store, logs.other, logs.store, logs.other, logs.store, logs.other];
    const opened = await Promise.all(stores.map((store) => store.open(logs.conversation)));
    assert.equal(new Set(opened.map(({ epoch }) => epoch)).size, stores.length, 'two have the same epoch');
    const appended = await Promise.allSettled(
      opened.map(({ epoch }, index) => logs.append(epoch, 0, makeNotes(String(epoch)), stores[index])),
    );
    assert.equal(appended.filter(({ status }) => status === 'fulfilled').length, 1, 'writers that could write');
    await logs.assertHolds(makeNotes(String(Math.max(...opened.map(({ epoch }) => epoch)))));
  }),
  defineRequirement('an append beside the opening of another writer is seen by it, or refused', async (logs) => {
    let { epoch } = await logs.begin();
    let count = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const batch = makeNotes(...Array.from({ length: 20 }, (_none, index) => `${String(round)} ${String(index)}`));
      const [appended, opened] = await Promise.allSettled([
        logs.append(epoch, count, batch),
        logs.other.open(logs.conversation),
      ]);
      if (opened.status === 'rejected') throw opened.reason;
      const added = opened.value.entries.length - count;
      assert.equal(
        added,
        appended.status === 'fulfilled' ? batch.length : 0,
        'what the next writer sees of the append',
      );
      await logs.assertHolds(opened.value.entries);
      ({ epoch } = opened.value);
      count += added;
    }
  }),
  defineRequirement('of two appends to one place, one counts', async (logs) => {
    const { epoch } = await logs.begin();
    for (let round = 0; round < ROUNDS; round++) {
      const batches = [makeNotes(`a${String(round)}`, 'x'), makeNotes(`b${String(round)}`, 'x')] as const;
      const before = await logs.store.entries(logs.conversation);
      const results = await Promise.allSettled([
        logs.append(epoch, 2 * round, batches[0]),
        logs.append(epoch, 2 * round, batches[1], logs.other),
      ]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, 'appends that were accepted');
      await logs.assertHolds([...before, ...(results[0].status === 'fulfilled' ? batches[0] : batches[1])]);
    }
  }),
  defineRequirement('the first reply to a question is taken, and every later one comes too late', async (logs) => {
    const { store, other, conversation } = logs;
    const asked = [...makeNotes('a'), logs.question('2.0'), logs.question('2.1')];
    await logs.begin(asked);
    assert.equal(await other.reply(conversation, logs.idOf('2.1'), approved), 'taken');
    assert.equal(await store.reply(conversation, logs.idOf('2.1'), { kind: 'denied', reason: 'no' }), 'late');
    assert.equal(await store.reply(conversation, logs.idOf('2.0'), { kind: 'denied', reason: 'no' }), 'taken');
    await logs.assertHolds([
      ...asked,
      logs.makeReply('2.1', approved),
      logs.makeReply('2.0', { kind: 'denied', reason: 'no' }),
    ]);
  }),
  defineRequirement('of replies that come at once, one is taken', async (logs) => {
    await logs.begin([logs.question('1.0')]);
    const replies = Array.from({ length: 8 }, (_none, index): QuestionReply => ({
      kind: 'approved',
      by: String(index),
    }));
    const answers = await Promise.all(
      replies.map((reply, index) =>
        (index % 2 === 0 ? logs.store : logs.other).reply(logs.conversation, logs.idOf('1.0'), reply),
      ),
    );
    assert.deepEqual([...answers].sort(), [...Array.from({ length: 7 }, () => 'late'), 'taken']);
    const reply = replies[answers.indexOf('taken')] ?? approved;
    await logs.assertHolds([logs.question('1.0'), logs.makeReply('1.0', reply)]);
  }),
  defineRequirement('a reply to a run that has ended, or to a call that has, comes too late', async (logs) => {
    const message = { role: 'tool', toolCallId: 'x', name: 'ship', content: 'Shipped.', failed: false } as const;
    const shipped: RunEntry = { kind: 'outcome', call: '1.1', name: 'ship', outcome: 'succeeded', message };
    const { epoch } = await logs.begin([logs.question('1.0'), logs.question('1.1'), shipped]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.1'), approved), 'late');
    await logs.append(epoch, 3, [ended]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0'), approved), 'late');
    assert.equal((await logs.store.entries(logs.conversation)).length, 4);
  }),
  defineRequirement('a denial that holds until it is lifted is lifted once, and only that', async (logs) => {
    const { store, other, conversation } = logs;
    await logs.begin([logs.question('1.0'), logs.question('1.1'), logs.question('1.2')]);
    const [held, plain] = [
      { kind: 'denied', reason: 'no', until: 'lifted' } as const,
      { kind: 'denied', reason: 'no' } as const,
    ];
    const lifted: QuestionReply = { kind: 'lifted' };
    await assertRefused(store.reply(conversation, logs.idOf('1.0'), lifted), 'a lift of an open question', 'E735');
    assert.equal(await other.reply(conversation, logs.idOf('1.0'), held), 'taken');
    assert.equal(await store.reply(conversation, logs.idOf('1.1'), plain), 'taken');
    await assertRefused(
      other.reply(conversation, logs.idOf('1.1'), lifted),
      'a lift of a denial that does not hold',
      'E735',
    );
    const lifts = await Promise.all(
      [store, other, store, other].map((each) => each.reply(conversation, logs.idOf('1.0'), lifted)),
    );
    assert.deepEqual([...lifts].sort(), ['late', 'late', 'late', 'taken']);
    assert.equal(await other.reply(conversation, logs.idOf('1.0'), approved), 'late', 'an approval after the denial');
    assert.equal(await other.reply(conversation, logs.idOf('1.2'), approved), 'taken', 'another question');
    await logs.assertHolds([
      logs.question('1.0'),
      logs.question('1.1'),
      logs.question('1.2'),
      logs.makeReply('1.0', held),
      logs.makeReply('1.1', plain),
      logs.makeReply('1.0', lifted),
      logs.makeReply('1.2', approved),
    ]);
  }),
  defineRequirement('arguments that a person approved are kept as they were given', async (logs) => {
    const edited: QuestionReply = { kind: 'approved', arguments: { to: 'Ada \0\ud800', 'odd "key"': [1.5, null] } };
    await logs.begin([logs.question('1.0')]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0'), edited), 'taken');
    await logs.assertHolds([logs.question('1.0'), logs.makeReply('1.0', edited)]);
  }),
  defineRequirement('a call can be asked about again', async (logs) => {
    const { epoch } = await logs.begin([logs.question('1.0')]);
    assert.equal(await logs.store.reply(logs.conversation, logs.idOf('1.0'), approved), 'taken');
    // A reply is an ordinary entry, and does not take the conversation from its writer.
    await logs.append(epoch, 2, [logs.question('1.0', 'unknown')]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0', 'unknown'), { kind: 'repeat' }), 'taken');
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0', 'unknown'), { kind: 'repeat' }), 'late');
  }),
  defineRequirement('a reply to a question that was never asked is refused', async (logs) => {
    await assertRefused(logs.store.reply(logs.conversation, logs.idOf('1.0'), approved), 'a reply in no conversation');
    await logs.begin([logs.question('1.0')]);
    await assertRefused(logs.store.reply(logs.conversation, logs.idOf('1.1'), approved), 'a reply without a question');
    await logs.assertHolds([logs.question('1.0')]);
  }),
  defineRequirement('a reply of a kind that the question does not take is refused', async (logs) => {
    const { store, other } = logs;
    await logs.begin([logs.question('1.0')]);
    const outcome: QuestionReply = { kind: 'outcome', text: 'Shipped.' };
    await assertRefused(
      store.reply(logs.conversation, logs.idOf('1.0'), { kind: 'repeat' }),
      'repeat for an approval',
      'E735',
    );
    await assertRefused(
      other.reply(logs.conversation, logs.idOf('1.0'), outcome),
      'an outcome for an approval',
      'E735',
    );
    await logs.assertHolds([logs.question('1.0')]);
    assert.equal(await store.reply(logs.conversation, logs.idOf('1.0'), approved), 'taken');
  }),
];
