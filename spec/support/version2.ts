import { Conversation } from 'toolwright/conversations';
import type { DurableStore } from '@toolwright/durable';

const head = {
  kind: 'conversation',
  version: 1,
  id: 'c-1',
  prompt: 'spec/desk',
  text: 'Help.',
  ...{ offered: [], closed: [], fingerprint: '', sections: {} },
};
const question = { kind: 'question', call: '1.0', name: 'ship', arguments: {}, about: 'approval', askedAt: 1 };
/** A conversation whose run waits, as the log of version 2 had it: questions without ids. */
const entries = [
  head,
  { kind: 'run', run: 'r-1', messages: [{ role: 'user', content: 'Ship it.' }] },
  {
    kind: 'answer',
    turn: 1,
    text: null,
    finishReason: 'tool_calls',
    toolCalls: [{ id: 'i', name: 'ship', arguments: {} }],
  },
  question,
];

/** The SQL that adds a run of a tenant that waits, and one of no tenant that ended. @param prefix stands before names of tables */
export function rowsOfVersion2(prefix: string): string {
  const run = (id: string, tenant: string, status: string): string =>
    `INSERT INTO ${prefix}runs (id, conversation, tenant, status, created, changed, input, messages)
      VALUES ('${id}', 'c-${id.slice(2)}', ${tenant}, '${status}', 1, 1, 'null', '[]');`;
  const values = entries.map((entry, position) => `('c-1', ${String(position)}, '${JSON.stringify(entry)}')`);
  return `
    INSERT INTO ${prefix}logs (conversation, epoch, writer, count) VALUES ('c-1', 7, 'w', ${String(entries.length)}), ('c-2', 3, 'w', 0);
    INSERT INTO ${prefix}entries (conversation, position, entry) VALUES ${values.join(', ')};
    ${run('r-2', 'NULL', 'answered')} ${run('r-1', "'acme'", 'waiting')}
    INSERT INTO ${prefix}questions (conversation, call, run, tenant, entry, asked)
      VALUES ('c-1', '1.0', 'r-1', 'acme', '${JSON.stringify(question)}', 1);`;
}

/** Expects that a store has taken over the rows of version 2. */
export async function expectUpgraded(store: DurableStore): Promise<void> {
  const acme = store.forTenant('acme');
  expect(await store.records.get('r-1')).toBeUndefined();
  expect(await acme.records.get('r-1')).toMatchObject({
    status: 'failed',
    tenant: 'acme',
    conversation: 'c-1',
    problem: expect.stringMatching(/^E748: it waited .*runs\.retry/) as string,
  });
  const ended = await store.records.get('r-2');
  expect(ended).toMatchObject({ status: 'answered', tenant: null });
  expect(await store.acrossTenants.questions()).toEqual([]);
  expect(await store.list()).toEqual(['c-2']);
  expect(await acme.list()).toEqual(['c-1']);
  // A new run comes after those of before.
  await store.records.create({ id: 'r-3', conversation: 'c-3', input: null, messages: [], trace: null });
  const order = (await store.acrossTenants.list()).map(({ id }) => id);
  expect(order).toEqual(['r-2', 'r-1', 'r-3']);
  // The log can be read, and its question is named by its call.
  const conversation = await Conversation.open(acme, 'c-1');
  expect(conversation.questions).toMatchObject([{ id: '1.0', call: '1.0' }]);
  const again = Conversation.fromJSON({ format: 'toolwright/conversation', version: 1, id: 'c-1', entries });
  expect(await again.reply('1.0', { kind: 'approved' })).toBe('taken');
  expect(await again.reply('1.0', { kind: 'approved' })).toBe('late');
}
