// The right call and the right person: an approval reaches the call that it was given for, and nothing else.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApprovalPendingError,
  createApplication,
  definePrompt,
  defineSection,
  defineTool,
  PromptEvaluationError,
} from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import { ScriptedModel } from 'toolwright/testing';
import type { DurableStore, Runs } from '@toolwright/durable';
import type { SqliteRuns } from '@toolwright/durable/sqlite';
import { FaultyRuns } from '../durable/FaultyRuns';
import { HandEngine } from '../durable/HandEngine';
import { silent } from '../../../../spec/support/silent';
import { sqliteConnection } from '../support/sqliteConnection';
import { sqliteRuns } from '../support/sqliteRuns';
import { deskKeys, effectsOf, openDesk, questionOf, said, until, type DeskOptions, type Input } from './desk';

jest.setTimeout(120_000);
const folders: string[] = [];
const open: Runs<Input>[] = [];
afterEach(async () => {
  for (const runs of open.splice(0)) await runs.drain(100);
});
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

function fresh(): string {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-integrity-'));
  folders.push(folder);
  return folder;
}

const pathIn = (folder: string): string => join(folder, 'runs.db');
const storeIn = (folder: string): SqliteRuns => sqliteRuns(pathIn(folder));

/** A process over the file of a folder. */
async function desk(
  folder: string,
  options?: DeskOptions,
  store: DurableStore = storeIn(folder),
): Promise<Runs<Input>> {
  const runs = await openDesk(folder, store, options);
  open.push(runs);
  return runs;
}

const isWaiting = (runs: Runs<Input>, run: string) => async () => (await runs.get(run)).status === 'waiting';
const waits = (runs: Runs<Input>, run: string): Promise<void> => until(isWaiting(runs, run), `${run} waits`);
const shipped = (folder: string): number =>
  effectsOf(folder).filter((line) => line.endsWith(' ship apple') || line.endsWith(' ship crown')).length;
const approved = { kind: 'approved', by: 'ada' } as const;
const questionIn = ({ questions }: Conversation): string => questions[0]?.id ?? '';

/** A run that a worker has brought to its question; no worker is left. */
async function parked(folder: string, options?: DeskOptions): Promise<string> {
  const worker = await desk(folder, options);
  await worker.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
  await waits(worker, 'r-1');
  await worker.drain(1_000);
  return questionOf(worker, 'r-1');
}

/** Changes a file as another program would. */
function write(folder: string, sql: string): void {
  const shell = sqliteConnection(pathIn(folder));
  shell.exec(sql);
  shell.close();
}

describe('a reply to a question of a run that has ended', () => {
  const endings: readonly (readonly [string, (runs: Runs<Input>, question: string) => Promise<unknown>])[] = [
    ['cancelled', (runs) => runs.cancel('r-1', 'no')],
    ['expired', (runs) => until(async () => (await runs.get('r-1')).status === 'failed', 'it is given up')],
    ['answered', (runs, question) => runs.reply('r-1', question, { kind: 'denied', reason: 'no' })],
  ];
  test.each(endings)(
    'a reply to a question that was %s does not reach the question of the next run at its place',
    async (how, end) => {
      const folder = fresh();
      const first = await desk(folder, how === 'expired' ? { expireMs: 1_000 } : {});
      await first.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
      await waits(first, 'r-1');
      const stale = await questionOf(first, 'r-1');
      await end(first, stale);
      await until(
        async () => !['waiting', 'queued', 'running'].includes((await first.get('r-1')).status),
        'it has ended',
      );
      await first.drain(1_000);
      const runs = await desk(folder);
      await runs.start({ id: 'r-2', conversation: 'c-1', messages: said('ship') });
      await waits(runs, 'r-2');
      const [question] = await runs.questions({ run: 'r-2' });
      const [before] = (await storeIn(folder).entries('c-1')).filter((entry) => entry.kind === 'question');
      expect(question?.call).toBe((before as { readonly call: string }).call);
      expect(await runs.reply('r-1', stale, approved)).toBe('late');
      expect(await runs.reply('r-2', stale, approved)).toBe('late');
      await expect(runs.reply('r-1', question?.id ?? '', approved)).rejects.toMatchObject({ code: 'E709' });
      const conversation = await Conversation.open(storeIn(folder), 'c-1');
      expect(await conversation.reply(stale, approved)).toBe('late');
      expect(conversation.questions.map(({ id }) => id)).toEqual([question?.id]);
      expect((await runs.get('r-2')).status).toBe('waiting');
      expect(shipped(folder)).toBe(0);
      expect(await runs.reply('r-2', question?.id ?? '', approved)).toBe('taken');
      await runs.result('r-2');
      expect(shipped(folder)).toBe(1);
    },
  );
});

/** A till without a store: its tool `pay` waits for an approval. */
async function openTill(keys?: readonly string[]) {
  const paid: string[] = [];
  const pay = defineTool({
    name: 'pay',
    description: 'Pays.',
    requiresApproval: true,
    handler: () => `paid ${String(paid.push('once'))}`,
  });
  const section = defineSection({ key: 'till', title: 'Till', template: 'Pay.', tools: [pay] });
  const Till = definePrompt({ ns: 'spec', key: 'till', sections: [section] });
  const approver = { approve: () => ({ kind: 'later' as const }) };
  const app = await createApplication({ prompts: [Till], logger: silent, approver, keys });
  const evaluate = (
    conversation: Conversation,
    script: ConstructorParameters<typeof ScriptedModel>[0],
    content?: string,
  ) => {
    const messages = content === undefined ? undefined : [{ role: 'user', content } as const];
    return app.evaluate(app.prompt(Till), { adapter: new ScriptedModel(script), conversation, messages });
  };
  /** Without a message: nothing but the call that waits is left to do, and then to answer. */
  const goOn = (conversation: Conversation) => evaluate(conversation, [{ text: 'Done.' }]);
  return { paid, evaluate, goOn };
}

describe('an approval counts once', () => {
  test.each(['before', 'after'] as const)(
    'sent again once its worker died %s an entry, it is late, and the call has one key and one reply',
    async (kind) => {
      let faults = 0;
      for (let at = 8; at <= 10; at++) {
        const folder = fresh();
        const [engine, next] = [new HandEngine(), new HandEngine()];
        const store = new FaultyRuns(storeIn(folder), { at, kind });
        const runs = await desk(folder, { engine }, store);
        await runs.work();
        await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
        await engine.carry('c-1');
        const question = await questionOf(runs, 'r-1');
        expect(await runs.reply('r-1', question, approved)).toBe('taken');
        await engine.carry('c-1').catch(() => undefined);
        if (store.happened) faults += 1;
        const other = await desk(folder, { engine: next });
        await other.work();
        expect(await other.reply('r-1', question, approved)).toBe('late');
        await next.carry('c-1');
        expect((await other.result('r-1')).text).toBe('ship is done for nobody.');
        expect(await other.reply('r-1', question, approved)).toBe('late');
        await next.carry('c-1');
        const entries = await storeIn(folder).entries('c-1');
        expect(entries.filter((entry) => entry.kind === 'reply')).toHaveLength(1);
        expect(entries.filter((entry) => entry.kind === 'outcome' && entry.name === 'ship')).toHaveLength(1);
        expect(new Set(effectsOf(folder).filter((line) => line.endsWith(' ship apple'))).size).toBe(1);
      }
      expect(faults).toBeGreaterThan(0);
    },
  );

  test('a fork of a conversation has no approval: three forks do nothing until each is approved', async () => {
    const { paid, evaluate, goOn } = await openTill();
    const conversation = new Conversation();
    const begun = evaluate(conversation, [{ toolCalls: [{ name: 'pay', arguments: {} }] }], 'Pay.');
    await expect(begun).rejects.toThrow(ApprovalPendingError);
    const [asked] = conversation.questions;
    const early = conversation.fork();
    expect(await conversation.reply(asked?.id ?? '', approved)).toBe('taken');
    const forks = [early, conversation.fork(), conversation.fork()];
    for (const fork of forks) {
      expect(fork.questions).toEqual([]);
      await expect(goOn(fork)).rejects.toThrow(ApprovalPendingError);
      await expect(fork.reply(asked?.id ?? '', approved)).rejects.toMatchObject({ code: 'E709' });
    }
    const ids = forks.flatMap(({ questions }) => questions.map(({ id }) => id));
    expect(new Set([asked?.id, ...ids]).size).toBe(4);
    expect(paid).toEqual([]);
    expect((await goOn(conversation)).text).toBe('Done.');
    expect(paid).toHaveLength(1);
    for (const [index, fork] of forks.entries()) {
      await fork.reply(ids[index] ?? '', approved);
      expect((await goOn(fork)).text).toBe('Done.');
      expect(paid).toHaveLength(2 + index);
    }
  });

  test('a retry from an entry after the approval asks anew', async () => {
    const folder = fresh();
    const question = await parked(folder);
    const inbox = await desk(folder, { work: false });
    expect(await inbox.reply('r-1', question, approved)).toBe('taken');
    const { length } = await storeIn(folder).entries('c-1');
    expect(await inbox.cancel('r-1', 'no')).toBe('cancelled');
    const runs = await desk(folder);
    const copies = await Promise.all([1, 2, 3].map(() => runs.retry('r-1', { from: length })));
    for (const { id } of copies) await waits(runs, id);
    const asked = await Promise.all(copies.map(({ id }) => questionOf(runs, id)));
    expect(new Set([question, ...asked]).size).toBe(4);
    expect(shipped(folder)).toBe(0);
    const [copy] = copies;
    await runs.reply(copy?.id ?? '', asked[0] ?? '', approved);
    await copy?.result();
    expect(shipped(folder)).toBe(1);
  });
});

describe('an approval holds for what was shown', () => {
  /** Brings a run to its question, has it approved, and goes on; returns what became of it. */
  async function goneOn(before: DeskOptions, after: DeskOptions, change?: ((folder: string) => void) | null) {
    const folder = fresh();
    const question = await parked(folder, before);
    const inbox = await desk(folder, { ...before, work: false });
    expect(await inbox.reply('r-1', question, approved)).toBe('taken');
    change?.(folder);
    const warnings: string[] = [];
    const runs = await desk(folder, { ...after, warnings });
    await until(async () => ['waiting', 'answered'].includes((await runs.get('r-1')).status), 'it waits or has ended');
    return { folder, question, runs, warnings, status: (await runs.get('r-1')).status };
  }
  const old = 'an old key, as long as keys have to be';
  const current = 'the current key, and longer than that one';

  test.each<[string, DeskOptions, DeskOptions, ((folder: string) => void) | null]>([
    ['another declaration', {}, { ships: 'Ships, and bills it.' }, null],
    ['another principal', { principal: 'ada' }, { principal: 'eve' }, null],
    ['no principal', { principal: 'ada' }, {}, null],
    ['keys that nobody knows', { keys: [old] }, { keys: [current] }, null],
    [
      'other arguments in the log',
      {},
      {},
      (folder) => write(folder, `UPDATE entries SET sum = '', entry = replace(entry, 'apple', 'crown')`),
    ],
  ])('an approval is dropped with a warning and asked for again: %s', async (_what, before, after, change) => {
    const { folder, question, runs, warnings, status } = await goneOn(before, after, change);
    expect(status).toBe('waiting');
    expect(shipped(folder)).toBe(0);
    expect(warnings.filter((text) => text.includes('An approval is no longer valid'))).toHaveLength(1);
    const [again, ...more] = await runs.questions();
    expect(more).toEqual([]);
    expect(again).toMatchObject({ run: 'r-1', call: '2.0', about: 'approval' });
    expect(again?.id).not.toBe(question);
    expect(again?.arguments).toEqual({ item: change === null ? 'apple' : 'crown' });
    expect(await runs.reply('r-1', question, approved)).toBe('late');
    expect(await runs.reply('r-1', again?.id ?? '', approved)).toBe('taken');
    await runs.result('r-1');
    expect(shipped(folder)).toBe(1);
  });

  test.each<[string, DeskOptions, DeskOptions]>([
    ['nothing has changed', {}, {}],
    ['the key was rotated', { keys: [old] }, { keys: [current, old] }],
    ['the text of a section has changed', {}, { template: 'Sell other things.' }],
  ])('an approval stays valid: %s', async (_what, before, after) => {
    const { folder, warnings, status } = await goneOn(before, after);
    expect([status, shipped(folder)]).toEqual(['answered', 1]);
    expect(warnings.filter((text) => text.includes('approval'))).toEqual([]);
  });

  test.each([
    ['another conversation', 'acme', 'c-2'],
    ['another tenant', 'globex', 'c-1'],
    ['no tenant', null, 'c-1'],
  ])('a log that is copied to %s with its approval asks anew', async (_where, tenant, id) => {
    const { paid, evaluate, goOn } = await openTill(deskKeys);
    const store = storeIn(fresh());
    const there = store.forTenant('acme');
    const conversation = await Conversation.open(there, 'c-1');
    const begun = evaluate(conversation, [{ toolCalls: [{ name: 'pay', arguments: {} }] }], 'Pay.');
    await expect(begun).rejects.toThrow(ApprovalPendingError);
    expect(await conversation.reply(questionIn(conversation), approved)).toBe('taken');
    const copied = (await there.entries('c-1')).map((entry) =>
      entry.kind === 'conversation' ? { ...entry, id } : entry,
    );
    const target = store.forTenant(tenant);
    await target.append({ conversation: id, epoch: (await target.open(id)).epoch, after: 0 }, copied);
    await expect(goOn(await Conversation.open(target, id))).rejects.toThrow(ApprovalPendingError);
    expect(paid).toEqual([]);
    expect((await goOn(await Conversation.open(there, 'c-1'))).text).toBe('Done.');
    expect(paid).toHaveLength(1);
    await store.close();
  });

  test('later messages of its conversation do not end it', async () => {
    const folder = fresh();
    const question = await parked(folder);
    const runs = await desk(folder);
    const next = await runs.start({ conversation: 'c-1', messages: said('hello') });
    expect(await runs.reply('r-1', question, approved)).toBe('taken');
    await next.result();
    expect([(await runs.get('r-1')).status, shipped(folder)]).toEqual(['answered', 1]);
  });

  test('runs that other processes work on need keys: E747', async () => {
    const folder = fresh();
    await expect(desk(folder, { engine: new HandEngine(), keys: [] })).rejects.toMatchObject({ code: 'E747' });
    await expect(desk(folder, { work: false, keys: [] })).rejects.toMatchObject({ code: 'E747' });
    await desk(folder, { engine: new HandEngine(), keys: deskKeys });
  });

  test('a process that works later needs no keys, and begins with runs.work()', async () => {
    const runs = await desk(fresh(), { work: 'later', keys: [] });
    const run = await runs.start({ messages: said('ship') });
    expect([(await runs.health()).isWorking, (await run.record()).status]).toEqual([false, 'queued']);
    await runs.work();
    await waits(runs, run.id);
  });

  test.each<[string, unknown, string]>([
    ['a key that is too short', [current, 'short-secret'], 'keys[1]: expected a text of at least 32 characters'],
    ['a key that is no text', [7], 'keys[0]: expected a text'],
    ['a single text', current, 'keys: expected a list of texts'],
  ])('%s is E312, and the message does not have it', async (_what, keys, message) => {
    const error: unknown = await createApplication({ prompts: [], keys: keys as never }).catch(
      (thrown: unknown) => thrown,
    );
    expect(String(error)).toContain(`E312 createApplication: ${message}`);
    expect(String(error)).not.toMatch(/short-secret|current key/);
  });
});

describe('a conversation with a run that waits', () => {
  test('a conversation with a run that waits is neither deleted nor pruned, and its approval works afterwards', async () => {
    const folder = fresh();
    const question = await parked(folder);
    const runs = await desk(folder, { work: false });
    const store = storeIn(folder);
    const soon = new Date(Date.now() + 60_000);
    await expect(store.delete('c-1')).rejects.toMatchObject({
      code: 'E746',
      message: expect.stringContaining('the run "r-1" has not ended (waiting)') as string,
    });
    expect(await store.prune(soon)).toBe(0);
    expect(await store.prune(soon, { only: 'ended' })).toBe(0);
    expect(await runs.prune(soon)).toBe(0);
    expect(await runs.acrossTenants.prune(soon)).toBe(0);
    expect(await questionOf(runs, 'r-1')).toBe(question);
    expect(await runs.reply('r-1', question, approved)).toBe('taken');
    await expect(store.delete('c-1')).rejects.toMatchObject({ code: 'E746' });
    await (await desk(folder)).result('r-1');
    expect(shipped(folder)).toBe(1);
    await store.delete('c-1');
    await expect(runs.get('r-1')).rejects.toMatchObject({ code: 'E738' });
    expect(await store.entries('c-1')).toEqual([]);
  });
});

describe('a byte that was changed in the file', () => {
  /** Two conversations that have ended, and a run that waits. */
  async function kept() {
    const folder = fresh();
    const runs = await desk(folder);
    for (const id of ['1', '2'])
      await (await runs.start({ id: `r-${id}`, conversation: `c-${id}`, messages: said('buy') })).result();
    await runs.start({ id: 'r-3', conversation: 'c-3', messages: said('ship') });
    await waits(runs, 'r-3');
    await runs.drain(1_000);
    return { folder, store: storeIn(folder) };
  }
  const flipped = (column: string, at: string): string =>
    `${column} = substr(${column}, 1, ${at} - 1) || CASE substr(${column}, ${at}, 1) WHEN 'a' THEN 'b' ELSE 'a' END || substr(${column}, ${at} + 1)`;

  test('a changed byte of an entry is E709 with its place; everything else can be read', async () => {
    const { folder, store } = await kept();
    const whole = await store.entries('c-1');
    const others = await store.entries('c-2');
    for (const [position, at] of [
      [0, '2'],
      [3, 'length(entry) / 2'],
      [whole.length - 1, 'length(entry) - 3'],
    ] as const) {
      const where = `WHERE conversation = 'c-1' AND position = ${String(position)}`;
      write(
        folder,
        `CREATE TABLE saved AS SELECT entry FROM entries ${where}; UPDATE entries SET ${flipped('entry', at)} ${where}`,
      );
      await expect(store.entries('c-1')).rejects.toMatchObject({
        code: 'E709',
        place: expect.stringContaining('c-1') as string,
        message: expect.stringContaining(`damaged at entry ${String(position)}`) as string,
      });
      expect(await store.entries('c-1', position + 1)).toEqual(whole.slice(position + 1));
      expect(await store.entries('c-2')).toEqual(others);
      write(folder, `UPDATE entries SET entry = (SELECT entry FROM saved) ${where}; DROP TABLE saved`);
      expect(await store.entries('c-1')).toEqual(whole);
    }
  });

  test('a changed byte of a record is E709 with its place; others, logs and questions can be read', async () => {
    const { folder, store } = await kept();
    const whole = await store.records.get('r-1');
    for (const column of ['id', 'conversation', 'input', 'messages']) {
      write(folder, `CREATE TABLE saved AS SELECT * FROM runs WHERE place = 1`);
      write(folder, `UPDATE runs SET ${flipped(column, '2')} WHERE place = 1`);
      const id = column === 'id' ? 'ra1' : 'r-1';
      await expect(store.records.get(id)).rejects.toMatchObject({ code: 'E709', place: `run "${id}"` });
      expect(await store.records.get('r-2')).toMatchObject({ id: 'r-2', status: 'answered' });
      expect(await store.records.questions()).toHaveLength(1);
      expect((await store.entries('c-1')).length).toBeGreaterThan(0);
      expect((await store.acrossTenants.outline()).map(({ order }) => order)).toEqual([1, 2, 3]);
      write(folder, `UPDATE runs SET ${column} = (SELECT ${column} FROM saved) WHERE place = 1; DROP TABLE saved`);
      expect(await store.records.get('r-1')).toEqual(whole);
    }
  });

  test('a changed byte of a question is E709 with its place; its log still has it, and other questions can be read', async () => {
    const { folder, store } = await kept();
    const runs = await desk(folder);
    await runs.start({ id: 'r-4', conversation: 'c-4', messages: said('ship') });
    await waits(runs, 'r-4');
    const question = await questionOf(runs, 'r-3');
    write(folder, `UPDATE questions SET entry = replace(entry, 'apple', 'crown') WHERE run = 'r-3'`);
    await expect(store.records.questions({ run: 'r-3' })).rejects.toMatchObject({
      code: 'E709',
      place: `c-3/question ${question}`,
    });
    expect(await store.records.questions({ run: 'r-4' })).toMatchObject([{ arguments: { item: 'apple' } }]);
    expect(await runs.reply('r-3', question, { kind: 'denied', reason: 'it is damaged' })).toBe('taken');
    expect((await runs.result('r-3')).text).toBe('ship is done for nobody.');
    expect(await store.records.questions()).toHaveLength(1);
  });

  test.each([
    [
      'the last entry is gone',
      `DELETE FROM entries WHERE position = (SELECT max(position) FROM entries AS last WHERE last.conversation = entries.conversation)`,
    ],
    ['an entry in the middle is gone', 'DELETE FROM entries WHERE position = 3'],
    ['the count is too high', 'UPDATE logs SET count = count + 1'],
    ['the count is a text', `UPDATE logs SET count = 'x'`],
    ['the epoch is out of reach', 'UPDATE logs SET epoch = 9223372036854775807'],
    ['an entry is no JSON', `UPDATE entries SET entry = 'x' WHERE position = 3`],
  ])(
    'a log is changed so that %s: a reply is E709 with its place; its run can be cancelled, and it can be deleted',
    async (_what, sql) => {
      const { folder, store } = await kept();
      const runs = await desk(folder, { work: false });
      const question = await questionOf(runs, 'r-3');
      write(folder, `${sql}${sql.includes('WHERE') ? ' AND' : ' WHERE'} conversation = 'c-3'`);
      // One driver refuses to read such an epoch, and names the file.
      const fault = { code: 'E709', place: expect.stringMatching(/c-3|runs\.db$/) as string };
      await expect(runs.reply('r-3', question, approved)).rejects.toMatchObject(fault);
      await expect(store.reply('c-3', question, approved)).rejects.toMatchObject(fault);
      expect(await runs.cancel('r-3', 'its log is damaged')).toBe('cancelled');
      expect(await runs.get('r-3')).toMatchObject({ status: 'cancelled', problem: 'its log is damaged' });
      await store.delete('c-3');
      expect(await store.list()).toEqual(['c-1', 'c-2']);
      expect(shipped(folder)).toBe(0);
    },
  );

  test('a changed byte of a run that is to be done holds up no run of another conversation', async () => {
    const folder = fresh();
    const starter = await desk(folder, { work: false });
    for (const id of ['1', '2'])
      await starter.start({ id: `r-${id}`, conversation: `c-${id}`, messages: said('hello') });
    write(folder, `UPDATE runs SET ${flipped('messages', '5')} WHERE id = 'r-1'`);
    const warnings: string[] = [];
    const runs = await desk(folder, { warnings });
    expect((await runs.result('r-2')).text).toBe('hello is done for nobody.');
    await until(() => warnings.some((text) => text.includes('run "r-1"')), 'the damage is told');
    const later = await runs.start({ conversation: 'c-3', messages: said('hello') });
    expect((await later.result()).text).toBe('hello is done for nobody.');
  });
});

describe('tenants', () => {
  test('the id of a run of another tenant is a new run, and its messages are not seen', async () => {
    const folder = fresh();
    const all = await desk(folder);
    const [acme, other] = [all.forTenant('acme'), all.forTenant('other')];
    const secret = await acme.start({ id: 'r', conversation: 'c', messages: said('buy') });
    await secret.result();
    const own = await other.start({ id: 'r', conversation: 'c', messages: said('hello') });
    const { text, transcript } = await own.result();
    expect(text).toBe('hello is done for nobody.');
    expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['hello']);
    expect(JSON.stringify(transcript)).not.toContain('buy');
    expect((await acme.get('r')).messages).toEqual(said('buy'));
    expect((await other.get('r')).messages).toEqual(said('hello'));
    const events: string[] = [];
    for await (const event of other.events('r')) events.push(JSON.stringify(event));
    expect(events.join()).not.toContain('apple');
    expect((await all.acrossTenants.list()).map(({ tenant }) => tenant)).toEqual(['acme', 'other']);
    expect(await all.list()).toEqual([]);
  });

  test('nothing of another tenant is read, answered, ended or copied', async () => {
    const folder = fresh();
    const all = await desk(folder);
    const [acme, other] = [all.forTenant('acme'), all.forTenant('other')];
    await acme.start({ id: 'r', conversation: 'c', messages: said('ship') });
    await waits(acme, 'r');
    const question = await questionOf(acme, 'r');
    for (const runs of [other, all]) {
      const attempts = [
        () => runs.get('r'),
        () => runs.run('r'),
        () => runs.result('r'),
        () => runs.reply('r', question, approved),
        () => runs.preview('r', question),
        () => runs.cancel('r', 'no'),
        () => runs.pause('r'),
        () => runs.retry('r'),
        () => runs.fork('r'),
        () => runs.events('r').next(),
      ];
      for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code: 'E738' });
      expect([await runs.list(), await runs.questions()]).toEqual([[], []]);
    }
    expect((await acme.get('r')).status).toBe('waiting');
    await acme.reply('r', question, approved);
    await acme.result('r');
    expect(shipped(folder)).toBe(1);
  });
});

describe('cancel', () => {
  /** A store whose log another writer takes over before each of the first appends. */
  function contended(
    store: DurableStore,
    times: number,
  ): { readonly store: DurableStore; readonly refused: () => number } {
    let refused = 0;
    const append: DurableStore['append'] = (position, entries) => {
      if (refused >= times) return store.append(position, entries);
      refused += 1;
      const details = { phase: 'tool', code: 'E709' } as const;
      return Promise.reject(new PromptEvaluationError('another writer opened the log', details));
    };
    const proxy: DurableStore = new Proxy(store, {
      get(target, name) {
        if (name === 'append') return append;
        if (name === 'forTenant') return () => proxy;
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? (member as () => unknown).bind(target) : member;
      },
    });
    return { store: proxy, refused: () => refused };
  }

  test('cancel is repeated until it is written', async () => {
    const folder = fresh();
    await parked(folder);
    const { store, refused } = contended(storeIn(folder), 3);
    const runs = await desk(folder, { work: false }, store);
    expect(await runs.cancel('r-1', 'no longer needed')).toBe('cancelled');
    expect(refused()).toBe(3);
    expect(await runs.get('r-1')).toMatchObject({ status: 'cancelled', problem: 'no longer needed' });
    const ends = (await storeIn(folder).entries('c-1')).filter((entry: RunEntry) => entry.kind === 'end');
    expect(ends).toMatchObject([{ run: 'r-1', how: 'cancelled', problem: 'no longer needed' }]);
  });

  test('cancel returns how a run had ended, and leaves it so', async () => {
    const runs = await desk(fresh());
    const answered = await runs.start({ messages: said('hello') });
    const failed = await runs.start({ messages: said('fail') });
    await answered.result();
    await expect(failed.result()).rejects.toMatchObject({ code: 'E740' });
    const before = await Promise.all([answered.record(), failed.record()]);
    expect(await runs.cancel(answered.id, 'no')).toBe('answered');
    expect(await runs.cancel(failed.id, 'no')).toBe('failed');
    expect(await Promise.all([answered.record(), failed.record()])).toEqual(before);
  });

  test('several clients cancel beside a reply: all are told the one end that the log has', async () => {
    const folder = fresh();
    const [runs, other] = [await desk(folder), await desk(folder, { work: false })];
    await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
    await waits(runs, 'r-1');
    const question = await questionOf(runs, 'r-1');
    const replied = runs.reply('r-1', question, approved);
    const ends = await Promise.all(
      Array.from({ length: 6 }, (_none, index) => (index % 2 === 0 ? runs : other).cancel('r-1', String(index))),
    );
    expect(['taken', 'late']).toContain(await replied);
    const { status } = await runs.get('r-1');
    expect(new Set(ends)).toEqual(new Set([status]));
    const logged = (await storeIn(folder).entries('c-1')).filter((entry) => entry.kind === 'end');
    expect(logged).toMatchObject([{ run: 'r-1', how: status }]);
  });
});

test('a retry that 20 clients repeat leaves one run and one copy', async () => {
  const folder = fresh();
  const [runs, other] = [await desk(folder), await desk(folder, { work: false })];
  await (await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('buy') })).result();
  const clients = Array.from({ length: 20 }, (_none, index) => (index % 2 === 0 ? runs : other));
  const copies = await Promise.all(clients.map((client) => client.retry('r-1', { id: 'again' })));
  await runs.result('again');
  const conversations = new Set(copies.map(({ conversation }) => conversation));
  expect([...conversations]).toEqual([expect.stringMatching(/^retry-/)]);
  expect((await runs.list()).map(({ id }) => id)).toEqual(['r-1', 'again']);
  const store = storeIn(folder);
  expect([...(await store.list())].sort()).toEqual(['c-1', ...conversations].sort());
  const entries = await store.entries([...conversations][0] ?? '');
  for (const kind of ['conversation', 'run', 'end'])
    expect(entries.filter((entry) => entry.kind === kind)).toHaveLength(1);
  expect(effectsOf(folder).filter((line) => line.includes(' pay '))).toHaveLength(2);
  expect((await runs.retry('r-1', { id: 'again' })).conversation).toBe(copies[0]?.conversation);
  await expect(runs.retry('r-1', { id: 'again', from: 3 })).rejects.toMatchObject({ code: 'E739' });
});
