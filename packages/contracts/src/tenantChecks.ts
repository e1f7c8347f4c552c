import assert from 'node:assert/strict';
import type { DurableStore } from '@toolwright/durable';
import { requireDurable, makeNotes, assertRefused } from './ContractLogs.js';
import { defineRequirement, type StoreRequirement } from './storeChecks.js';

/** A text that breaks keys and statements that are concatenated from texts. */
const ODD = 'ä💡\u2028\0\ud800\'"; DROP TABLE runs; --';

export const tenantChecks: readonly StoreRequirement[] = [
  defineRequirement('tenants have runs, logs and questions of their own under the same ids', async (logs) => {
    const { conversation } = logs;
    const tenants = [null, ODD, `${conversation} other`];
    const stores = tenants.map((tenant) => logs.ofTenant(tenant));
    for (const [index, store] of stores.entries()) {
      assert.equal(store.tenant, tenants[index]);
      assert.equal(await store.records.get(conversation), undefined);
      assert.deepEqual(await store.entries(conversation), []);
      const run = { id: conversation, conversation, input: index, messages: [], trace: null };
      assert.equal(await store.records.create(run), 'created');
      const { epoch } = await store.open(conversation);
      const asked = { ...logs.question('1.0'), id: `${conversation} ${String(index)}` };
      await store.append({ conversation, epoch, after: 0 }, [...makeNotes(String(index)), asked]);
      await store.records.change(conversation, { status: ['queued'] }, { status: 'waiting' });
    }
    for (const [index, tenant] of tenants.entries()) {
      const { records, ...store } = requireDurable(logs.other).forTenant(tenant);
      const there = requireDurable(logs.other).forTenant(tenant);
      assert.equal(store.tenant, tenant);
      assert.equal((await records.get(conversation))?.input, index);
      assert.deepEqual(
        (await records.list({ conversation })).map(({ input }) => input),
        [index],
      );
      assert.equal((await records.head(conversation))?.tenant, tenant);
      const texts = (await there.entries(conversation)).flatMap((entry) =>
        entry.kind === 'note' ? [entry.message.content] : [],
      );
      assert.deepEqual(texts, [String(index)]);
      assert.equal((await there.list()).filter((id) => id === conversation).length, 1);
    }
  }),
  defineRequirement('to a tenant, what belongs to another does not exist', async (logs) => {
    const { conversation } = logs;
    const [mine, others] = ['mine', 'other'].map((name) => logs.ofTenant(`${conversation} ${name}`)) as [
      DurableStore,
      DurableStore,
    ];
    await others.records.create({ id: 'r', conversation, input: null, messages: [], trace: null });
    const { epoch } = await others.open(conversation);
    await others.append({ conversation, epoch, after: 0 }, [logs.question('1.0')]);
    const asked = logs.idOf('1.0');
    for (const id of [asked, 'never asked'])
      await assertRefused(mine.reply(conversation, id, { kind: 'approved' }), `a reply to ${id} of another tenant`);
    for (const there of [conversation, 'never begun']) {
      assert.deepEqual(await mine.entries(there), []);
      await assertRefused(
        mine.append({ conversation: there, epoch, after: 0 }, makeNotes('a')),
        'an append to another tenant',
      );
      await mine.delete(there);
    }
    for (const id of ['r', 'never']) {
      assert.equal(await mine.records.get(id), undefined);
      assert.equal(await mine.records.change(id, { status: ['queued'] }, { status: 'cancelled' }), undefined);
    }
    assert.deepEqual([...(await mine.list())], []);
    assert.deepEqual(await mine.records.list(), []);
    assert.deepEqual(await mine.records.questions(), []);
    await mine.records.prune(new Date(Date.now() + 60_000));
    assert.equal((await others.entries(conversation)).length, 1);
    assert.equal((await others.records.get('r'))?.status, 'queued');
  }),
  defineRequirement('an operator sees the runs and questions of all tenants, or of one', async (logs) => {
    const { conversation } = logs;
    const tenants = ['a', 'b'].map((name) => `${conversation} ${name}`);
    for (const [index, tenant] of tenants.entries()) {
      const store = logs.ofTenant(tenant);
      await store.records.create({ id: 'r', conversation, input: null, messages: [], trace: null });
      await store.records.change('r', { status: ['queued'] }, { status: 'running' });
      const { epoch } = await store.open(conversation);
      const asked = { ...logs.question('1.0'), id: `${conversation} ${String(index)}` };
      await store.append({ conversation, epoch, after: 0 }, [asked]);
      await store.records.change('r', { status: ['running', 'waiting'] }, { status: 'waiting' });
    }
    const all = requireDurable(logs.other).acrossTenants;
    const owners = (rows: readonly { readonly tenant: string | null }[]) => rows.map(({ tenant }) => tenant);
    assert.deepEqual(owners(await all.list({ conversation })), tenants);
    assert.deepEqual(owners(await all.questions({ conversation })), tenants);
    for (const tenant of tenants) {
      assert.deepEqual(owners(await all.list({ conversation, tenant })), [tenant]);
      assert.deepEqual(owners(await all.questions({ conversation, tenant })), [tenant]);
    }
    assert.deepEqual(await all.list({ conversation, tenant: null }), []);
    const outlined = await all.outline({ conversation, status: ['waiting'] });
    assert.deepEqual(owners(outlined), tenants);
    for (const { id, status, owner, order } of outlined) {
      assert.deepEqual([id, status, owner], ['r', 'waiting', null]);
      assert.ok(order > 0);
    }
    assert.deepEqual(owners(await all.outline({ conversation, after: outlined[0]?.order ?? 0 })), tenants.slice(1));
  }),
  defineRequirement('a tenant has to have an id', async (logs) => {
    for (const tenant of ['', undefined, 7])
      assert.throws(() => requireDurable(logs.store).forTenant(tenant as string), /tenant/);
    return Promise.resolve();
  }),
];
