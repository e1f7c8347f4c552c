import assert from 'node:assert/strict';
import type { RunEntry } from 'toolwright/conversations';
import { toJson, makeNotes, assertRefused, type ContractLogs } from './ContractLogs.js';

export interface StoreRequirement {
  readonly name: string;
  /** Throws an AssertionError if the store does not meet it. */
  readonly check: (logs: ContractLogs) => Promise<void>;
}

export function defineRequirement(name: string, check: (logs: ContractLogs) => Promise<void>): StoreRequirement {
  return { name, check };
}

/** Texts that a storage may misinterpret. */
const odd = ['', ' ', '\0', '\u2028', '\ud800', 'ä\u0308💡', "'; DROP TABLE runs; --", '{"a":1}', '\n\r\t"\\', 'null'];

/** Values that code without types may pass as ids. */
export const NO_IDS: readonly unknown[] = ['', undefined, null, 1041, {}, ['a'], Symbol('a')];

/** An entry with everything that JSON can hold; its keys are unsorted, and one of them would set a prototype in careless code. */
const everything = JSON.parse(
  '{"kind":"model","means":{"z":[1,-0.5,1e21,5e-324,true,false,null,[],{}],"__proto__":{"a":"b"},"10":1,"9":2,"a":""},"adapter":"x"}',
) as RunEntry;

/** Checks that appended entries are stored, complete and once. */
export const recordChecks: readonly StoreRequirement[] = [
  defineRequirement(
    'a conversation that was never opened is empty, and can be deleted',
    async ({ store, conversation }) => {
      assert.deepEqual(await store.entries(conversation), []);
      assert.equal((await store.list()).includes(conversation), false);
      await store.delete(conversation);
    },
  ),
  defineRequirement('entries are read as they were appended, in order, here and in another process', async (logs) => {
    const entries = [...makeNotes(...odd), everything, ...makeNotes('last')];
    const { epoch } = await logs.begin(entries);
    await logs.append(epoch, entries.length, makeNotes('more'));
    await logs.assertHolds([...entries, ...makeNotes('more')]);
    const { entries: opened } = await logs.other.open(logs.conversation);
    assert.deepEqual(toJson(opened), toJson([...entries, ...makeNotes('more')]));
  }),
  defineRequirement('entries are read from any position', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a', 'b', 'c'));
    await logs.append(epoch, 3, makeNotes('d'));
    for (const store of [logs.store, logs.other]) {
      for (let after = 0; after <= 5; after++)
        assert.deepEqual(await store.entries(logs.conversation, after), makeNotes('a', 'b', 'c', 'd').slice(after));
    }
  }),
  defineRequirement('a large entry, and many in one append, are whole', async (logs) => {
    const entries = makeNotes('x'.repeat(1_000_000), ...Array.from({ length: 300 }, (_none, index) => String(index)));
    await logs.begin(entries);
    await logs.assertHolds(entries);
  }),
  defineRequirement('an append is there whole or not at all', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a'));
    const circle: Record<string, unknown> = { kind: 'note' };
    circle['message'] = circle;
    await assert.rejects(logs.append(epoch, 1, [...makeNotes('b'), circle as unknown as RunEntry, ...makeNotes('c')]));
    await logs.assertHolds(makeNotes('a'), 'an append that failed left a part of it');
    await logs.append(epoch, 1, makeNotes('b'));
    await logs.assertHolds(makeNotes('a', 'b'));
  }),
  defineRequirement('an append of nothing changes nothing', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a'));
    await logs.append(epoch, 1, []);
    await logs.assertHolds(makeNotes('a'));
  }),
  defineRequirement('conversations are kept apart, whatever their ids are', async ({ store, other, conversation }) => {
    const ids = ['../x', 'A', 'a', 'ä', 'a\u0308', 'x'.repeat(1_000), '%', "'", '💡', '.', '__proto__'];
    const all = ids.map((id) => `${conversation} ${id}`);
    await Promise.all(
      all.map(async (id) => {
        const { epoch } = await store.open(id);
        await store.append({ conversation: id, epoch, after: 0 }, makeNotes(id));
      }),
    );
    for (const id of all) assert.deepEqual(await other.entries(id), makeNotes(id));
    const listed = await other.list();
    assert.deepEqual(
      all.filter((id) => listed.filter((each) => each === id).length !== 1),
      [],
      'not listed once',
    );
    await Promise.all(all.map((id) => store.delete(id)));
    assert.deepEqual(
      (await other.list()).filter((id) => all.includes(id)),
      [],
    );
  }),
  defineRequirement('an id that is not a text of at least one character is refused (E709)', async (logs) => {
    const { store } = logs;
    const { epoch } = await logs.begin([logs.question('1.0')]);
    const before = [...(await store.list())].sort();
    for (const odd of NO_IDS) {
      const id = odd as string;
      const calls: Readonly<Record<string, () => Promise<unknown>>> = {
        open: () => store.open(id),
        append: () => store.append({ conversation: id, epoch, after: 0 }, makeNotes('a')),
        reply: () => store.reply(id, logs.idOf('1.0'), { kind: 'approved' }),
        'reply to a question': () => store.reply(logs.conversation, id, { kind: 'approved' }),
        entries: () => store.entries(id),
        delete: () => store.delete(id),
      };
      // A store may throw at once, or reject.
      for (const [name, call] of Object.entries(calls))
        await assertRefused((async () => call())(), `${name} of ${typeof odd}`);
    }
    assert.deepEqual([...(await store.list())].sort(), before);
    await logs.assertHolds([logs.question('1.0')]);
  }),
  defineRequirement(
    'an append that is repeated is there once, since its acknowledgement may have been lost',
    async (logs) => {
      const { epoch } = await logs.begin(makeNotes('a', 'b'));
      await logs.append(epoch, 0, makeNotes('a', 'b'));
      await logs.append(epoch, 2, makeNotes('c'), logs.other);
      await logs.append(epoch, 2, makeNotes('c'));
      await logs.append(epoch, 0, makeNotes('a', 'b'), logs.other);
      await logs.assertHolds(makeNotes('a', 'b', 'c'));
      await logs.append(epoch, 3, makeNotes('a', 'b'));
      await logs.assertHolds(makeNotes('a', 'b', 'c', 'a', 'b'), 'the same entries at another position are others');
    },
  ),
  defineRequirement('an append at the place of others is refused', async (logs) => {
    const { epoch } = await logs.begin(makeNotes('a', 'b'));
    await assertRefused(logs.append(epoch, 0, makeNotes('a', 'x')), 'an append over others');
    await assertRefused(logs.append(epoch, 1, makeNotes('b', 'x')), 'an append that begins as others do');
    await assertRefused(logs.append(epoch, 3, makeNotes('x')), 'an append after entries that are not there');
    await logs.assertHolds(makeNotes('a', 'b'));
  }),
  defineRequirement('a log that was deleted is empty, and can be begun again', async (logs) => {
    const { store, other, conversation } = logs;
    const { epoch } = await logs.begin(makeNotes('a'));
    await other.delete(conversation);
    await logs.assertHolds([]);
    assert.equal((await store.list()).includes(conversation), false);
    await assertRefused(logs.append(epoch, 1, makeNotes('b')), 'an append to a log that was deleted');
    const opened = await other.open(conversation);
    assert.deepEqual(opened.entries, []);
    await assertRefused(
      logs.append(epoch, 0, makeNotes('b')),
      'an append of before the log was deleted and begun again',
    );
    await logs.append(opened.epoch, 0, makeNotes('c'), other);
    await logs.assertHolds(makeNotes('c'));
  }),
];
