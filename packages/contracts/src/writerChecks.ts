import assert from 'node:assert/strict';
import type { LogEntry, QuestionReply } from 'toolwright/conversations';
import { ended, notes, refused } from './ContractLogs.js';
import { requirement, type StoreRequirement } from './storeChecks.js';

const ROUNDS = 10;
const approved: QuestionReply = { kind: 'approved', by: 'Ada' };

/** One writer at a time, and one reply. */
export const writerChecks: readonly StoreRequirement[] = [
  requirement('a writer shuts out every earlier one', async (logs) => {
    const { epoch } = await logs.begun(notes('a'));
    const second = await logs.other.open(logs.conversation);
    assert.ok(second.epoch > epoch, 'the epoch was not raised');
    assert.deepEqual(second.entries, notes('a'));
    await refused(logs.append(epoch, 1, notes('late')), 'an append of an earlier epoch');
    await refused(logs.append(epoch, 1, notes('late'), logs.other), 'an append of an earlier epoch');
    await refused(logs.append(epoch, 0, notes('a', 'late')), 'an append of an earlier epoch');
    await logs.append(second.epoch, 1, notes('b'), logs.other);
    await refused(logs.append(epoch, 2, notes('late')), 'an append of an earlier epoch');
    await logs.holds(notes('a', 'b'));
  }),
  requirement('an epoch that was never opened is refused', async (logs) => {
    const { epoch } = await logs.begun(notes('a'));
    await refused(logs.append(epoch + 1, 1, notes('b')), 'an append of an epoch that was never opened');
    await logs.holds(notes('a'));
  }),
  requirement('of writers that open at once, each has an epoch of its own, and one can write', async (logs) => {
    const stores = [logs.store, logs.other, logs.store, logs.other, logs.store, logs.other];
    const opened = await Promise.all(stores.map((store) => store.open(logs.conversation)));
    assert.equal(new Set(opened.map(({ epoch }) => epoch)).size, stores.length, 'two have the same epoch');
    const appended = await Promise.allSettled(
      opened.map(({ epoch }, index) => logs.append(epoch, 0, notes(String(epoch)), stores[index])),
    );
    assert.equal(appended.filter(({ status }) => status === 'fulfilled').length, 1, 'writers that could write');
    await logs.holds(notes(String(Math.max(...opened.map(({ epoch }) => epoch)))));
  }),
  requirement('an append beside the opening of another writer is seen by it, or refused', async (logs) => {
    let { epoch } = await logs.begun();
    let count = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const batch = notes(...Array.from({ length: 20 }, (_none, index) => `${String(round)} ${String(index)}`));
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
      await logs.holds(opened.value.entries);
      ({ epoch } = opened.value);
      count += added;
    }
  }),
  requirement('of two appends to one place, one counts', async (logs) => {
    const { epoch } = await logs.begun();
    for (let round = 0; round < ROUNDS; round++) {
      const batches = [notes(`a${String(round)}`, 'x'), notes(`b${String(round)}`, 'x')] as const;
      const before = await logs.store.entries(logs.conversation);
      const results = await Promise.allSettled([
        logs.append(epoch, 2 * round, batches[0]),
        logs.append(epoch, 2 * round, batches[1], logs.other),
      ]);
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, 'appends that were accepted');
      await logs.holds([...before, ...(results[0].status === 'fulfilled' ? batches[0] : batches[1])]);
    }
  }),
  requirement('the first reply to a question is taken, and every later one comes too late', async (logs) => {
    const { store, other, conversation } = logs;
    const asked = [...notes('a'), logs.question('2.0'), logs.question('2.1')];
    await logs.begun(asked);
    assert.equal(await other.reply(conversation, logs.idOf('2.1'), approved), 'taken');
    assert.equal(await store.reply(conversation, logs.idOf('2.1'), { kind: 'denied', reason: 'no' }), 'late');
    assert.equal(await store.reply(conversation, logs.idOf('2.0'), { kind: 'denied', reason: 'no' }), 'taken');
    await logs.holds([...asked, logs.replied('2.1', approved), logs.replied('2.0', { kind: 'denied', reason: 'no' })]);
  }),
  requirement('of replies that come at once, one is taken', async (logs) => {
    await logs.begun([logs.question('1.0')]);
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
    await logs.holds([logs.question('1.0'), logs.replied('1.0', reply)]);
  }),
  requirement('a reply to a run that has ended, or to a call that has, comes too late', async (logs) => {
    const message = { role: 'tool', toolCallId: 'x', name: 'ship', content: 'Shipped.', failed: false } as const;
    const shipped: LogEntry = { kind: 'outcome', call: '1.1', name: 'ship', outcome: 'succeeded', message };
    const { epoch } = await logs.begun([logs.question('1.0'), logs.question('1.1'), shipped]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.1'), approved), 'late');
    await logs.append(epoch, 3, [ended]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0'), approved), 'late');
    assert.equal((await logs.store.entries(logs.conversation)).length, 4);
  }),
  requirement('a call can be asked about again', async (logs) => {
    const { epoch } = await logs.begun([logs.question('1.0')]);
    assert.equal(await logs.store.reply(logs.conversation, logs.idOf('1.0'), approved), 'taken');
    // A reply is an entry like others, and does not shut the writer out.
    await logs.append(epoch, 2, [logs.question('1.0', 'unknown')]);
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0', 'unknown'), { kind: 'repeat' }), 'taken');
    assert.equal(await logs.other.reply(logs.conversation, logs.idOf('1.0', 'unknown'), { kind: 'repeat' }), 'late');
  }),
  requirement('a reply to a question that was never asked is refused', async (logs) => {
    await refused(logs.store.reply(logs.conversation, logs.idOf('1.0'), approved), 'a reply in no conversation');
    await logs.begun([logs.question('1.0')]);
    await refused(logs.store.reply(logs.conversation, logs.idOf('1.1'), approved), 'a reply without a question');
    await logs.holds([logs.question('1.0')]);
  }),
  requirement('a reply of a kind that the question does not take is refused', async (logs) => {
    const { store, other } = logs;
    await logs.begun([logs.question('1.0')]);
    const outcome: QuestionReply = { kind: 'outcome', text: 'Shipped.' };
    await refused(
      store.reply(logs.conversation, logs.idOf('1.0'), { kind: 'repeat' }),
      'repeat for an approval',
      'E735',
    );
    await refused(other.reply(logs.conversation, logs.idOf('1.0'), outcome), 'an outcome for an approval', 'E735');
    await logs.holds([logs.question('1.0')]);
    assert.equal(await store.reply(logs.conversation, logs.idOf('1.0'), approved), 'taken');
  }),
];
