import assert from 'node:assert/strict';
import type { ChatRecord, ChatRecords, NewChat } from '@toolwright/durable';
import { assertRefused, requireDurable, type ContractLogs } from './ContractLogs.js';
import { defineRequirement, NO_IDS, type StoreRequirement } from './storeChecks.js';

/** A text that breaks keys and statements that are concatenated from texts. */
const ODD = 'ä💡\u2028\0\ud800\'"; DROP TABLE chats; --';

/** The chats of two stores on one storage, and an owner for this check only. */
class ContractChats {
  readonly here: ChatRecords;
  readonly there: ChatRecords;
  readonly owner: string;

  constructor({ store, other, conversation }: ContractLogs) {
    this.here = requireDurable(store).chats;
    this.there = requireDurable(other).chats;
    this.owner = conversation;
  }

  chat(id: string, fields: Partial<NewChat> = {}): NewChat {
    const { owner } = this;
    return { owner, id, branches: [`${id} 1`], title: null, ...fields };
  }

  async assertLists(page: Parameters<ChatRecords['list']>[1], ids: readonly string[]): Promise<void> {
    for (const chats of [this.here, this.there])
      assert.deepEqual(
        (await chats.list(this.owner, page)).map(({ id }) => id),
        ids,
      );
  }
}

export const chatChecks: readonly StoreRequirement[] = [
  defineRequirement('a chat is created once for its owner, and read as it was given', async (logs) => {
    const chats = new ContractChats(logs);
    const chat = chats.chat(ODD, { branches: [ODD, 'b'], title: ODD });
    const before = Date.now() - 1_000;
    assert.equal(await chats.here.create(chat), 'created');
    assert.equal(await chats.there.create({ ...chat, title: 'another' }), 'exists');
    const record = await chats.there.get(chats.owner, ODD);
    assert.ok(record !== undefined && record.createdAt > before && record.changedAt === record.createdAt);
    const { createdAt: _created, changedAt: _changed, ...rest } = record;
    assert.deepEqual(rest, chat);
    assert.equal(await chats.here.get(chats.owner, `${ODD}x`), undefined);
    assert.equal(await chats.here.get(`${chats.owner}x`, ODD), undefined);
    assert.equal(await chats.there.delete(chats.owner, ODD), true);
    assert.equal(await chats.here.delete(chats.owner, ODD), false);
    assert.equal(await chats.here.get(chats.owner, ODD), undefined);
  }),
  defineRequirement('a chat changes only while it shows the given conversation', async (logs) => {
    const chats = new ContractChats(logs);
    const { owner } = chats;
    await chats.here.create(chats.chat('a', { branches: ['one'], title: 'First' }));
    const shown = { owner, id: 'a', branch: 'one' };
    const changed = await chats.there.change(shown, { branches: ['one', 'two'] });
    assert.deepEqual([changed?.branches, changed?.title], [['one', 'two'], 'First']);
    assert.ok(changed !== undefined && changed.changedAt > changed.createdAt);
    assert.equal(await chats.here.change(shown, { title: 'late' }), undefined);
    assert.equal(await chats.here.change({ ...shown, id: 'b' }, { title: 'none' }), undefined);
    assert.deepEqual(await chats.here.get(owner, 'a'), changed);
    const renamed = await chats.here.change({ ...shown, branch: 'two' }, { title: null });
    assert.deepEqual([renamed?.branches, renamed?.title], [['one', 'two'], null]);
    assert.equal(renamed?.createdAt, changed.createdAt);
  }),
  defineRequirement('of changes of a chat that exclude each other, one counts', async (logs) => {
    const chats = new ContractChats(logs);
    const { owner } = chats;
    await chats.here.create(chats.chat('a', { branches: ['0'] }));
    const changes = await Promise.all(
      Array.from({ length: 8 }, (_none, index) =>
        (index % 2 === 0 ? chats.here : chats.there).change(
          { owner, id: 'a', branch: '0' },
          { branches: [`next ${String(index)}`] },
        ),
      ),
    );
    const counted = changes.filter((chat): chat is ChatRecord => chat !== undefined);
    assert.equal(counted.length, 1, 'changes that counted');
    assert.deepEqual(await chats.there.get(owner, 'a'), counted[0]);
    // Both fields change at once, each by another caller: none undoes the other.
    const [branch = ''] = counted[0]?.branches ?? [];
    await Promise.all([
      chats.here.change({ owner, id: 'a', branch }, { title: 'A title' }),
      chats.there.change({ owner, id: 'a', branch }, { branches: ['before', branch] }),
    ]);
    const { title, branches } = (await chats.here.get(owner, 'a')) ?? {};
    assert.deepEqual([title, branches], ['A title', ['before', branch]]);
  }),
  defineRequirement('the chats of an owner are listed page by page, the last changed first', async (logs) => {
    const chats = new ContractChats(logs);
    for (const id of ['a', 'b', 'c', 'd']) await chats.here.create(chats.chat(id));
    await chats.here.create(chats.chat('of another', { owner: `${chats.owner} other` }));
    await chats.assertLists({}, ['d', 'c', 'b', 'a']);
    await chats.there.change({ owner: chats.owner, id: 'b', branch: 'b 1' }, { title: 'x' });
    await chats.assertLists({}, ['b', 'd', 'c', 'a']);
    const [, second] = await chats.here.list(chats.owner, { limit: 2 });
    await chats.assertLists({ before: second?.changedAt ?? 0 }, ['c', 'a']);
    await chats.assertLists({ limit: 1, before: second?.changedAt ?? 0 }, ['c']);
    await chats.assertLists({ before: 0 }, []);
    assert.equal(await chats.here.delete(`${chats.owner} other`, 'of another'), true);
  }),
  defineRequirement('tenants have chats of their own under the same ids', async (logs) => {
    const { owner } = new ContractChats(logs);
    const stores = [null, `${owner} a`, ODD].map((tenant) => logs.ofTenant(tenant));
    for (const [index, { chats }] of stores.entries())
      assert.equal(await chats.create({ owner, id: 'a', branches: ['1'], title: String(index) }), 'created');
    for (const [index, { chats }] of stores.entries()) {
      assert.deepEqual(
        (await chats.list(owner)).map(({ title }) => title),
        [String(index)],
      );
      await chats.delete(owner, 'a');
    }
  }),
  defineRequirement('ids (E709), and titles, branches and pages (E413), that are none are refused', async (logs) => {
    const { here, owner, ...chats } = new ContractChats(logs);
    const chat: NewChat = { owner, id: 'a', branches: ['1'], title: null };
    for (const odd of NO_IDS) {
      const id = odd as string;
      for (const call of [
        () => here.get(id, 'a'),
        () => here.get(owner, id),
        () => here.create({ ...chat, owner: id }),
        () => here.create({ ...chat, id }),
        () => here.change({ owner, id: 'a', branch: id }, {}),
        () => here.change({ owner, id, branch: '1' }, {}),
        () => here.list(id),
        () => here.delete(owner, id),
      ])
        await assertRefused((async () => call())(), `an id that is ${typeof odd}`);
    }
    const branches = [[], [''], [7], 'a', null] as unknown as readonly string[][];
    const titles = [7, {}, 'x'.repeat(1_001)] as string[];
    for (const wrong of [...branches.map((each) => ({ branches: each })), ...titles.map((title) => ({ title }))]) {
      const what = Object.keys(wrong)[0] ?? '';
      await assertRefused((async () => here.create({ ...chat, ...wrong }))(), what, 'E413');
      await assertRefused((async () => here.change({ owner, id: 'a', branch: '1' }, wrong))(), what, 'E413');
    }
    for (const page of [{ limit: -1 }, { before: 'now' as unknown as number }])
      await assertRefused((async () => here.list(owner, page))(), JSON.stringify(page), 'E413');
    assert.deepEqual(await chats.there.list(owner), []);
  }),
];
