import { setTimeout as sleep } from 'node:timers/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Session } from 'toolwright';
import { Conversation, type QuestionReply, type ShownEntry } from 'toolwright/conversations';
import type { DurableStore, Runs } from '@toolwright/durable';
import { effectsOf, Line, openDesk, questionOf, said, until, type DeskOptions, type Input } from './desk';

async function eventsOf(events: AsyncIterable<ShownEntry>): Promise<readonly ShownEntry[]> {
  const all: ShownEntry[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/**
 * What durable runs do, over any store.
 *
 * @param storeOf opens a store on the storage that belongs to a folder, another one each time
 */
export function runsBehaviour(storeOf: (folder: string) => DurableStore): void {
  const open: Runs<Input>[] = [];
  const folders: string[] = [];
  afterEach(async () => {
    for (const runs of open.splice(0)) await runs.drain(100);
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });

  function fresh(): string {
    const folder = mkdtempSync(join(tmpdir(), 'toolwright-runs-'));
    folders.push(folder);
    return folder;
  }

  async function desk(folder: string, options?: DeskOptions): Promise<Runs<Input>> {
    const runs = await openDesk(folder, storeOf(folder), options);
    open.push(runs);
    return runs;
  }

  describe('a durable run', () => {
    test('is started, worked on, and has its response', async () => {
      const folder = fresh();
      const runs = (await desk(folder)).forTenant('acme');
      const run = await runs.start({ id: 'r-1', input: { tenant: 'acme' }, messages: said('buy') });
      const { text, turns } = await run.result();
      expect({ text, turns }).toEqual({ text: 'buy is done for acme.', turns: 4 });
      expect(await run.record()).toMatchObject({ status: 'answered', tenant: 'acme', takeovers: 0 });
    });

    test('has the same response in a process that did not work on it, and nothing is asked for it', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ id: 'r-1', messages: said('buy') });
      const here = await run.result();
      const before = effectsOf(folder);
      const there = await (await (await desk(folder, { work: false })).run('r-1')).result();
      expect(there).toEqual(here);
      expect(effectsOf(folder)).toEqual(before);
    });

    test('is the same for the same id: nothing is done twice', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const start = () => runs.start({ id: 'r-1', conversation: 'c-1', messages: said('buy') });
      const [one, two] = await Promise.all([start(), start()]);
      expect([one.conversation, two.conversation]).toEqual(['c-1', 'c-1']);
      await Promise.all([one.result(), two.result()]);
      expect(effectsOf(folder).filter((line) => line.includes(' pay '))).toHaveLength(1);
      await expect(runs.start({ id: 'r-1', conversation: 'c-2', messages: said('buy') })).rejects.toThrow(/E739/);
    });

    test('is started in one process and worked on in another, which polls', async () => {
      const folder = fresh();
      const other = await desk(folder, { work: false });
      await desk(folder);
      const run = await other.start({ messages: said('buy') });
      expect((await run.result()).text).toBe('buy is done for nobody.');
    });

    test('runs of a conversation go on in the order in which they were started, and see each other', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const wishes = ['buy', 'hello', 'buy', 'hello', 'buy'];
      const started = [];
      for (const wish of wishes) started.push(await runs.start({ conversation: 'c-1', messages: said(wish) }));
      const responses = await Promise.all(started.map((run) => run.result()));
      expect(responses.map(({ text }) => text)).toEqual(wishes.map((wish) => `${wish} is done for nobody.`));
      const asked = effectsOf(folder).flatMap((line) => /^asked (\w+) 1$/.exec(line)?.[1] ?? []);
      expect(asked).toEqual(wishes);
      const users = responses.at(-1)?.transcript.filter(({ role }) => role === 'user');
      expect(users?.map(({ content }) => content)).toEqual(wishes);
    });

    test('a failed run is a finished one: those behind it go on', async () => {
      const runs = await desk(fresh());
      const bad = await runs.start({ conversation: 'c-1', messages: said('fail') });
      const good = await runs.start({ conversation: 'c-1', messages: said('hello') });
      expect((await good.result()).text).toBe('hello is done for nobody.');
      await expect(bad.result()).rejects.toThrow(/E740.*the run ended \(failed\): .*out of order/s);
    });

    test('a fault of prepare is tried again, and does not end the run', async () => {
      const folder = fresh();
      writeFileSync(join(folder, 'unprepared'), '');
      const warnings: string[] = [];
      const runs = await desk(folder, { warnings });
      const run = await runs.start({ messages: said('hello') });
      await until(() => warnings.some((text) => text.includes('is tried again: not now')), 'it has failed once');
      rmSync(join(folder, 'unprepared'));
      expect((await run.result()).text).toBe('hello is done for nobody.');
    });
  });

  describe('the session', () => {
    const itemsOf = (session: Session): readonly string[] =>
      session
        .slice(Line)
        .all()
        .map(({ item }) => item);

    test('is read in any process, with its version; the worker goes on', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ conversation: 'c-1', messages: said('slow') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      const there = await (await desk(folder, { work: false })).run(run.id);
      const during = await there.session();
      expect(itemsOf(during.session)).toEqual(['stamp apple']);
      writeFileSync(join(folder, 'go'), '');
      expect((await run.result()).text).toBe('slow is done for nobody.');
      const after = await there.session();
      expect(itemsOf(after.session)).toEqual(['stamp apple', 'hold apple', 'stamp apple']);
      const ended = (await eventsOf(run.events())).filter(({ kind }) => kind === 'outcome');
      expect([during.version, after.version]).toEqual([ended[0]?.seq, ended[2]?.seq]);
    });

    test('keeps its version in a run that changes nothing, and is a copy', async () => {
      const runs = await desk(fresh());
      const first = await runs.start({ conversation: 'c-1', messages: said('buy') });
      await first.result();
      const { session, version } = await first.session();
      session.dispatch(Object.assign(new Line(), { item: 'elsewhere' }));
      const second = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await second.result();
      const now = await second.session();
      expect(now.version).toBe(version);
      expect(itemsOf(now.session)).toEqual(['pay apple', 'stamp apple']);
    });

    test('has version 0 as long as nothing has changed it', async () => {
      const runs = await desk(fresh());
      const run = await runs.start({ messages: said('hello') });
      await run.result();
      const { session, version } = await run.session();
      expect({ version, items: itemsOf(session) }).toEqual({ version: 0, items: [] });
    });
  });

  describe('questions', () => {
    test('park the run; a reply from another process lets it go on', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.forTenant('acme').start({ id: 'r-1', conversation: 'c-1', messages: said('ship') });
      await until(async () => (await run.record()).status === 'waiting', 'it waits');
      await until(async () => (await runs.health()).active === 0, 'no process holds it');
      const all = await desk(folder, { work: false });
      const inbox = all.forTenant('acme');
      const [question, ...others] = await inbox.questions();
      expect(others).toEqual([]);
      expect(question).toMatchObject({
        call: '2.0',
        run: 'r-1',
        name: 'ship',
        arguments: { item: 'apple' },
        about: 'approval',
      });
      for (const tenant of ['other', null]) expect(await all.forTenant(tenant).questions()).toEqual([]);
      expect(await all.acrossTenants.questions()).toEqual([question]);
      const id = question?.id ?? '';
      await expect(inbox.reply('r-1', '2.0', { kind: 'approved' })).rejects.toThrow(/E709/);
      expect(await inbox.reply('r-1', id, { kind: 'approved', by: 'ada' })).toBe('taken');
      expect(await inbox.reply('r-1', id, { kind: 'denied', reason: 'no' })).toBe('late');
      expect((await run.result()).text).toBe('ship is done for nobody.');
      expect(effectsOf(folder).filter((line) => line.includes(' ship apple'))).toHaveLength(1);
      expect(effectsOf(folder).filter((line) => line.startsWith('looked'))).toHaveLength(1);
      expect(await inbox.questions()).toEqual([]);
    });

    test('runs behind a parked one wait for it', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const first = await runs.start({ conversation: 'c-1', messages: said('ship') });
      const second = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await until(async () => (await first.record()).status === 'waiting', 'it waits');
      // Time in which the second one would begin.
      await sleep(200);
      expect((await second.record()).status).toBe('queued');
      await runs.reply(first.id, await questionOf(runs, first.id), { kind: 'denied', reason: 'not today' });
      await second.result();
      expect((await first.record()).status).toBe('answered');
    });

    test('expire: the run is given up, and the next one goes on', async () => {
      const folder = fresh();
      const runs = await desk(folder, { expireMs: 50 });
      const first = await runs.start({ conversation: 'c-1', messages: said('ship') });
      const second = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await expect(first.result()).rejects.toThrow(/E740.*no reply came in time/s);
      expect((await second.result()).text).toBe('hello is done for nobody.');
      const entries = await storeOf(folder).entries('c-1');
      const asked = entries.flatMap((entry) => (entry.kind === 'question' ? [entry.id] : []));
      expect(asked).toHaveLength(1);
      for (const id of asked) expect(await runs.reply(first.id, id, { kind: 'approved' })).toBe('late');
    });

    /** Starts a run that asks whether it may ship, and returns its question. */
    async function asking(runs: Runs<Input>, id: string): Promise<string> {
      const run = await runs.start({ id, conversation: id, messages: said('ship') });
      await until(async () => (await run.record()).status === 'waiting', 'it waits');
      await until(async () => (await runs.health()).active === 0, 'no process holds it');
      return questionOf(runs, id);
    }

    type Log = (folder: string) => Promise<(question: string, reply: QuestionReply) => Promise<'taken' | 'late'>>;
    const logs: readonly (readonly [string, Log])[] = [
      [
        'the store',
        async (folder) => {
          const store = storeOf(folder);
          return (question, reply) => store.reply('r-1', question, reply);
        },
      ],
      [
        'the conversation',
        async (folder) => {
          const conversation = await Conversation.open(storeOf(folder), 'r-1');
          return (question, reply) => conversation.reply(question, reply);
        },
      ],
    ];
    test.each(logs)('a reply through %s lets the run go on', async (_name, replies) => {
      const folder = fresh();
      const runs = await desk(folder);
      const question = await asking(runs, 'r-1');
      const reply = await replies(folder);
      expect(await reply(question, { kind: 'approved' })).toBe('taken');
      expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
      expect(await reply(question, { kind: 'denied', reason: 'no' })).toBe('late');
      expect(await runs.reply('r-1', question, { kind: 'denied', reason: 'no' })).toBe('late');
      expect(effectsOf(folder).filter((line) => line.includes(' ship apple'))).toHaveLength(1);
      expect((await runs.get('r-1')).expiresAt).toBeNull();
    });

    test('a reply through the store while no worker is there queues the run in the same write', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const question = await asking(runs, 'r-1');
      await runs.drain(100);
      const store = storeOf(folder);
      expect(await store.reply('r-1', question, { kind: 'denied', reason: 'not today' })).toBe('taken');
      expect((await store.records.get('r-1'))?.status).toBe('queued');
      expect(await store.records.questions()).toEqual([]);
      expect((await (await desk(folder)).result('r-1')).text).toBe('ship is done for nobody.');
    });

    test('a reply through the store in time counts, although a worker comes only after the time', async () => {
      const folder = fresh();
      const runs = await desk(folder, { expireMs: 4_000 });
      const question = await asking(runs, 'r-1');
      await runs.drain(100);
      const store = storeOf(folder);
      expect(await store.reply('r-1', question, { kind: 'approved' })).toBe('taken');
      await sleep(4_000);
      expect((await (await desk(folder)).result('r-1')).text).toBe('ship is done for nobody.');
    });

    test('a reply after the time is late, also while no worker is there', async () => {
      const folder = fresh();
      const runs = await desk(folder, { expireMs: 3_000 });
      const question = await asking(runs, 'r-1');
      await runs.drain(100);
      await sleep(3_000);
      const store = storeOf(folder);
      const inbox = await desk(folder, { work: false });
      expect((await store.records.get('r-1'))?.status).toBe('waiting');
      expect(await inbox.reply('r-1', question, { kind: 'approved' })).toBe('late');
      expect(await store.reply('r-1', question, { kind: 'approved' })).toBe('late');
      const conversation = await Conversation.open(store, 'r-1');
      expect(await conversation.reply(question, { kind: 'approved' })).toBe('late');
      await expect(inbox.reply('r-1', 'never asked', { kind: 'approved' })).rejects.toThrow(/E709/);
      await expect((await desk(folder)).result('r-1')).rejects.toThrow(/E740.*no reply came in time/s);
      expect(effectsOf(folder).filter((line) => line.includes(' ship apple'))).toEqual([]);
    });

    test('a reply in the log keeps a run whose time is over, whatever its record says', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const question = await asking(runs, 'r-1');
      await runs.drain(100);
      const { records } = storeOf(folder);
      expect(await runs.reply('r-1', question, { kind: 'approved' })).toBe('taken');
      await records.change('r-1', { status: ['queued'] }, { status: 'waiting', expiresAt: Date.now() - 1 });
      expect((await (await desk(folder)).result('r-1')).text).toBe('ship is done for nobody.');
    });
  });

  describe('cancel', () => {
    test('a running run stops in its call, writes nothing more, and the next one goes on', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ conversation: 'c-1', messages: said('slow') });
      const next = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      expect(await runs.cancel(run.id, 'no longer needed')).toBe('cancelled');
      // Repeated, it says how the run ended; of an answered one too.
      expect(await runs.cancel(run.id, 'again')).toBe('cancelled');
      expect((await run.record()).problem).toBe('no longer needed');
      await expect(run.result()).rejects.toThrow(/E740.*cancelled.*no longer needed/s);
      expect((await next.result()).text).toBe('hello is done for nobody.');
      expect(effectsOf(folder).some((line) => line.includes(' hold '))).toBe(false);
      expect(await runs.cancel(next.id, 'again')).toBe('answered');
    });

    test('from another process: the worker ends the run, and stops', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ conversation: 'c-1', messages: said('slow') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      const other = await desk(folder, { work: false });
      expect(await other.cancel(run.id, 'no longer needed')).toBe('cancelled');
      await until(async () => (await runs.health()).active === 0, 'it stopped');
      expect((await run.record()).problem).toBe('no longer needed');
      expect(effectsOf(folder).some((line) => line.includes(' hold '))).toBe(false);
    });

    test.each(['waiting', 'queued'])('a run that is %s', async (status) => {
      const folder = fresh();
      const runs = await desk(folder);
      const first = await runs.start({ conversation: 'c-1', messages: said('ship') });
      const second = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await until(async () => (await first.record()).status === 'waiting', 'it waits');
      const run = status === 'waiting' ? first : second;
      expect(await runs.cancel(run.id, 'no')).toBe('cancelled');
      const ended = await eventsOf(run.events());
      expect(ended.at(-1)).toMatchObject({ kind: 'end', how: 'cancelled', problem: 'no' });
      if (status === 'queued') expect((await first.record()).status).toBe('waiting');
      else expect((await second.result()).text).toBe('hello is done for nobody.');
    });
  });

  describe('events', () => {
    test('are read while the run goes on, here and in another process, and are the same', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const other = await desk(folder, { work: false });
      const run = await runs.start({ id: 'r-1', messages: said('ship') });
      const both = Promise.all([eventsOf(run.events()), eventsOf(other.events('r-1'))]);
      await until(async () => (await run.record()).status === 'waiting', 'it waits');
      await runs.reply('r-1', await questionOf(runs, 'r-1'), { kind: 'approved' });
      const [here, there] = await both;
      expect(there).toEqual(here);
      expect(here.map(({ kind }) => kind)).toEqual([
        ...['answer', 'outcome', 'answer', 'question', 'reply', 'outcome', 'answer', 'end'],
      ]);
      const places = here.map(({ seq }) => seq ?? 0);
      expect(places).toEqual([...places].sort((one, two) => one - two));
    });

    test('a client that reconnects gets exactly what it does not have', async () => {
      const runs = await desk(fresh());
      const run = await runs.start({ messages: said('buy') });
      await run.result();
      const all = await eventsOf(run.events());
      for (const [index, { seq = 0 }] of all.entries())
        expect(await eventsOf(run.events({ after: seq }))).toEqual(all.slice(index + 1));
    });

    test('a client that leaves after each event, and comes back in another process while the run goes on, has each once', async () => {
      const folder = fresh();
      const run = await (await desk(folder)).start({ id: 'r-1', messages: said('slow') });
      const read: ShownEntry[] = [];
      while (read.at(-1)?.kind !== 'end') {
        const other = await desk(folder, { work: false });
        for await (const event of other.events('r-1', { after: read.at(-1)?.seq })) {
          read.push(event);
          break;
        }
        // The call of the second answer holds until now.
        if (read.length === 3) writeFileSync(join(folder, 'go'), '');
      }
      expect(read).toEqual(await eventsOf(run.events()));
      expect(read.filter(({ kind }) => kind === 'answer')).toHaveLength(4);
    });

    test('hold those of one run, not of its conversation', async () => {
      const runs = await desk(fresh());
      const first = await runs.start({ conversation: 'c-1', messages: said('hello') });
      const second = await runs.start({ conversation: 'c-1', messages: said('hello') });
      await second.result();
      const [one, two] = [await eventsOf(first.events()), await eventsOf(second.events())];
      expect([one.length, two.length]).toEqual([2, 2]);
      expect(one[0]?.seq).toBeLessThan(two[0]?.seq ?? 0);
    });

    test('a reader that leaves ends nothing', async () => {
      const runs = await desk(fresh());
      const run = await runs.start({ messages: said('buy') });
      for await (const event of run.events()) if (event.kind === 'answer') break;
      expect((await run.result()).turns).toBe(4);
    });
  });

  describe('operating', () => {
    test('pause stops before the next step, and resume goes on from there', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ messages: said('slow') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      await runs.pause(run.id);
      writeFileSync(join(folder, 'go'), '');
      await until(async () => (await runs.health()).active === 0, 'it stopped');
      expect((await run.record()).status).toBe('paused');
      expect(effectsOf(folder).filter((line) => line === 'asked slow 3')).toEqual([]);
      await expect(runs.resume('none')).rejects.toThrow(/E738/);
      await runs.resume(run.id);
      expect((await run.result()).text).toBe('slow is done for nobody.');
      await expect(runs.pause(run.id)).rejects.toThrow(/E743.*answered/s);
      await expect(runs.resume(run.id)).rejects.toThrow(/E743.*not paused/s);
      expect(effectsOf(folder).filter((line) => line.startsWith('asked'))).toHaveLength(4);
    });

    test('a run whose workers end without progress is given up, and the one behind it goes on', async () => {
      const folder = fresh();
      const inbox = await desk(folder, { work: false });
      const poison = await inbox.start({ conversation: 'c-1', messages: said('buy') });
      const next = await inbox.start({ conversation: 'c-1', messages: said('hello') });
      const taken = { status: 'running', owner: 'a worker that ended', takeovers: 2 } as const;
      await storeOf(folder).records.change(poison.id, { status: ['queued'] }, taken);
      const runs = await desk(folder, { maxTakeovers: 2 });
      await expect(runs.result(poison.id)).rejects.toThrow(/E740.*E742.*3 workers ended/s);
      expect((await runs.result(next.id)).text).toBe('hello is done for nobody.');
      expect(effectsOf(folder).filter((line) => line.includes('buy'))).toEqual([]);
    });

    test('drain stops before the next step, and another worker goes on: nothing is asked or called again', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ messages: said('slow') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      const draining = runs.drain(20_000);
      writeFileSync(join(folder, 'go'), '');
      await draining;
      expect(await run.record()).toMatchObject({ status: 'queued', owner: null });
      const count = effectsOf(folder).length;
      const next = await desk(folder);
      expect((await next.result(run.id)).text).toBe('slow is done for nobody.');
      expect(effectsOf(folder).slice(0, count)).toHaveLength(count);
      const asked = effectsOf(folder).filter((line) => line.startsWith('asked'));
      expect(asked).toEqual([1, 2, 3, 4].map((turn) => `asked slow ${String(turn)}`));
      expect(effectsOf(folder).filter((line) => line.includes(' hold '))).toHaveLength(1);
    });

    test('a run that does not stop in time is aborted, and goes on elsewhere', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      const run = await runs.start({ messages: said('slow') });
      await until(() => effectsOf(folder).includes('holding'), 'it holds');
      await runs.drain(10);
      expect((await run.record()).status).toBe('queued');
      writeFileSync(join(folder, 'go'), '');
      expect((await (await desk(folder)).result(run.id)).text).toBe('slow is done for nobody.');
    });

    test('retry runs an ended run again in a copy of its conversation, from any of its entries', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      await (await runs.start({ conversation: 'c-1', messages: said('hello') })).result();
      const run = await runs.start({ conversation: 'c-1', messages: said('buy') });
      await run.result();
      const events = await eventsOf(run.events());
      const paid = events.find((event) => event.kind === 'outcome' && event.name === 'pay');
      const again = await runs.retry(run.id, { from: paid?.seq });
      expect(again.conversation).not.toBe('c-1');
      const { transcript } = await again.result();
      expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['hello', 'buy']);
      expect(effectsOf(folder).filter((line) => line.includes(' pay '))).toHaveLength(1);
      expect(effectsOf(folder).filter((line) => line.includes(' stamp '))).toHaveLength(2);
      const whole = await runs.retry(run.id);
      await whole.result();
      expect(effectsOf(folder).filter((line) => line.includes(' pay '))).toHaveLength(2);
      await expect(runs.retry(run.id, { from: 1 })).rejects.toThrow(/E743/);
      await expect(runs.retry(run.id, { from: events.at(-1)?.seq })).rejects.toThrow(/E743/);
    });

    test('fork copies what was before a run, and the copy goes its own way', async () => {
      const runs = await desk(fresh());
      await (await runs.start({ conversation: 'c-1', messages: said('hello') })).result();
      const run = await runs.start({ conversation: 'c-1', messages: said('buy') });
      await run.result();
      const copy = await runs.fork(run.id);
      const other = await runs.start({ conversation: copy, messages: said('hello') });
      const { transcript } = await other.result();
      expect(transcript.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
        'hello',
        'hello',
      ]);
    });

    test('list finds runs by status, tenant and conversation, page by page', async () => {
      const all = await desk(fresh(), { work: false });
      const [runs, others] = [all.forTenant('a'), all.forTenant('b')];
      for (let index = 0; index < 5; index++)
        await (index < 3 ? runs : others).start({
          id: String(index),
          conversation: `c-${String(index % 2)}`,
          messages: said('hello'),
        });
      await others.cancel('4', 'no');
      const { acrossTenants } = all;
      type Filter = Parameters<typeof acrossTenants.list>[0];
      const ids = async (filter: Filter) => (await acrossTenants.list(filter)).map(({ id }) => id);
      expect(await ids({})).toEqual(['0', '1', '2', '3', '4']);
      expect(await ids({ tenant: 'a' })).toEqual(['0', '1', '2']);
      expect(await ids({ tenant: 'b', status: ['queued'] })).toEqual(['3']);
      expect(await ids({ tenant: null })).toEqual([]);
      expect(await ids({ conversation: 'c-1' })).toEqual(['1', '3']);
      expect((await others.list({ status: ['queued'] })).map(({ id }) => id)).toEqual(['3']);
      expect((await runs.list({ conversation: 'c-1' })).map(({ id }) => id)).toEqual(['1']);
      expect(await all.list()).toEqual([]);
      const [, second] = await acrossTenants.list({ limit: 2 });
      expect(await ids({ limit: 2, after: second?.order })).toEqual(['2', '3']);
    });

    test('prune deletes runs that ended before a time, and conversations that have no others', async () => {
      const folder = fresh();
      const runs = await desk(folder);
      await (await runs.start({ id: 'r-1', conversation: 'c-1', messages: said('hello') })).result();
      const waits = await runs.start({ conversation: 'c-2', messages: said('ship') });
      await until(async () => (await waits.record()).status === 'waiting', 'it waits');
      expect(await runs.prune(new Date(0))).toBe(0);
      expect(await runs.prune(new Date(Date.now() + 1_000))).toBe(1);
      await expect(runs.get('r-1')).rejects.toThrow(/E738/);
      expect(await storeOf(folder).list()).toEqual(['c-2']);
    });

    test.each(['continue', 'park', 'fail'] as const)('a run that began with another prompt: %s', async (onVersion) => {
      const folder = fresh();
      const before = await desk(folder);
      const run = await before.start({ id: 'r-1', messages: said('ship') });
      await until(async () => (await run.record()).status === 'waiting', 'it waits');
      await before.drain(1_000);
      const runs = await desk(folder, { template: 'Sell other things.', onVersion });
      await runs.reply('r-1', await questionOf(runs, 'r-1'), { kind: 'approved' });
      if (onVersion === 'continue') expect((await runs.result('r-1')).text).toBe('ship is done for nobody.');
      else if (onVersion === 'fail') await expect(runs.result('r-1')).rejects.toThrow(/E740.*E744/s);
      else {
        await until(async () => (await runs.get('r-1')).status === 'paused', 'it is paused');
        expect((await runs.get('r-1')).problem).toMatch(/E744/);
      }
    });
  });
}
