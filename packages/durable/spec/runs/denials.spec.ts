// Denials that hold over durable runs: in every process, in copies, and until they are lifted.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RunEntry } from 'toolwright/conversations';
import { type DurableStore, MemoryRuns } from '@toolwright/durable';
import { sqliteRuns } from '../support/sqliteRuns';
import { openQuestion, openTill, outcomes, waiting } from './till';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-denials-'));
  folders.push(folder);
  return folder;
};
const held = { kind: 'denied', reason: 'not without me', until: 'lifted', by: 'grace' } as const;
const lifted = { kind: 'lifted', by: 'grace' } as const;
const say = (content: string) => [{ role: 'user', content } as const];

describe.each<[string, () => DurableStore]>([
  ['SqliteRuns', () => sqliteRuns(join(fresh(), 'runs.db'))],
  ['a store in memory', () => new MemoryRuns()],
])('a denial over %s', (_name, open) => {
  test('a denial holds in the process that takes over, and until the next message', async () => {
    const store = open();
    const { runs, question, folder } = await waiting(fresh(), { store }, 'Pay 30 30 31');
    expect(await runs.reply('r', question, { kind: 'denied', reason: 'too much' })).toBe('taken');
    await runs.drain(100);
    const other = await openTill(folder, { store });
    await other.engine.carry('c');
    const texts = await outcomes(store);
    expect(texts).toHaveLength(2);
    expect(texts[1]).toContain('A person has denied the same call before');
    expect((await other.runs.questions({ run: 'r' }))[0]).toMatchObject({ call: '3.0', arguments: { amount: 31 } });
    await other.runs.reply('r', await openQuestion(other), { kind: 'denied', reason: 'no' });
    await other.engine.carry('c');
    await other.runs.start({ id: 'r-2', conversation: 'c', messages: say('Pay 30') });
    await other.engine.carry('c');
    expect(await openQuestion(other, 'r-2')).not.toBe(question);
    await other.runs.drain(100);
  });

  test('a denial that holds is lifted through its question after the end of its run, and no run is queued', async () => {
    const store = open();
    const { runs, engine, question, paid } = await waiting(fresh(), { store });
    await expect(runs.reply('r', question, lifted)).rejects.toMatchObject({ code: 'E735' });
    expect(await runs.reply('r', question, held)).toBe('taken');
    await expect(runs.reply('r', question, lifted)).rejects.toMatchObject({ code: 'E735' });
    await engine.carry('c');
    await runs.start({ id: 'r-2', conversation: 'c', messages: say('Pay 30 31') });
    await engine.carry('c');
    expect((await outcomes(store)).at(-1)).toContain('until that denial is lifted');
    engine.jobs.length = 0;
    const { changedAt: _at, ...before } = await runs.get('r-2');
    expect(before.status).toBe('waiting');
    await expect(runs.reply('r-2', question, lifted)).rejects.toMatchObject({ code: 'E709' });
    expect(await runs.reply('r', question, lifted)).toBe('taken');
    expect(await runs.reply('r', question, lifted)).toBe('late');
    expect(await store.reply('c', question, lifted)).toBe('late');
    expect(await runs.get('r-2')).toMatchObject(before);
    expect(engine.jobs).toEqual([]);
    await runs.reply('r-2', await openQuestion({ runs }, 'r-2'), { kind: 'denied', reason: 'no' });
    await engine.carry('c');
    expect((await runs.get('r-2')).status).toBe('answered');
    await runs.start({ id: 'r-3', conversation: 'c', messages: say('Pay 30') });
    await engine.carry('c');
    expect(paid).toEqual([]);
    await runs.reply('r-3', await openQuestion({ runs }, 'r-3'), { kind: 'approved' });
    await engine.carry('c');
    expect(paid).toHaveLength(1);
    await runs.drain(100);
  });

  test('a copy keeps a denial that holds, which is lifted in each conversation by itself', async () => {
    const store = open();
    const { runs, engine, question, paid } = await waiting(fresh(), { store });
    await runs.reply('r', question, held);
    await engine.carry('c');
    await runs.start({ id: 'r-2', conversation: 'c', messages: say('Pay 30') });
    await engine.carry('c');
    const copy = await runs.fork('r-2', { conversation: 'copy' });
    expect(await store.reply('c', question, lifted)).toBe('taken');
    const retried = await runs.retry('r-2', { id: 'r-3' });
    await runs.start({ id: 'r-4', conversation: copy, messages: say('Pay 30') });
    for (const conversation of [retried.conversation, copy]) {
      await engine.carry(conversation);
      const entries = await store.entries(conversation);
      const last = entries.filter((entry): entry is RunEntry<'outcome'> => entry.kind === 'outcome').at(-1);
      expect(last?.message.content).toContain('until that denial is lifted');
      expect(await store.reply(conversation, question, lifted)).toBe('taken');
    }
    const again = await runs.retry('r', { id: 'r-5' });
    await engine.carry(again.conversation);
    expect(await openQuestion({ runs }, 'r-5')).not.toBe(question);
    expect(paid).toEqual([]);
    await runs.drain(100);
  });
});

test('a reply that lifts a denial while a run waits is one of its events', async () => {
  const { runs, engine, question } = await waiting(fresh(), {}, 'Pay 30 31');
  await runs.reply('r', question, held);
  await engine.carry('c');
  expect(await runs.reply('r', question, lifted)).toBe('taken');
  await runs.reply('r', await openQuestion({ runs }), { kind: 'denied', reason: 'no' });
  await engine.carry('c');
  const replies = [];
  for await (const event of runs.events('r')) if (event.kind === 'reply') replies.push(event.reply);
  expect(replies).toEqual([held, lifted, { kind: 'denied', reason: 'no' }]);
  await runs.drain(100);
});
