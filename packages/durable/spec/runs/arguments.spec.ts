import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PromptError, ToolwrightError } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { type DurableStore, MemoryRuns, openRuns, type Runs } from '@toolwright/durable';
import { sqliteRuns } from '../support/sqliteRuns';
import { openDesk, questionOf, said, until, type DeskOptions, type Input } from './desk';

// Every argument comes from code without types, such as the body of a request.
const never = (value: unknown): never => value as never;
const folder = mkdtempSync(join(tmpdir(), 'toolwright-arguments-'));
const open: Runs<Input>[] = [];
afterEach(async () => {
  for (const runs of open.splice(0)) await runs.drain(100);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const stores: readonly (readonly [string, () => DurableStore])[] = [
  ['SqliteRuns', () => sqliteRuns(join(folder, `${String(++files)}.db`))],
  ['a store of a user', () => new MemoryRuns()],
];

async function desk(store: DurableStore, options: DeskOptions = { work: false }): Promise<Runs<Input>> {
  const runs = await openDesk(folder, store, options);
  open.push(runs);
  return runs;
}

/** The error must have the code, and name the place in its message as well. */
async function expectRefusal(act: () => unknown, code: string, place: string, problem = /expected/): Promise<void> {
  const error: unknown = await (async () => act())().then(
    () => 'accepted',
    (thrown: unknown) => thrown,
  );
  expect(error instanceof ToolwrightError ? { code: error.code, place: error.place } : error).toEqual({ code, place });
  expect((error as Error).message).toContain(`${code} ${place}: `);
  expect((error as Error).message).toMatch(problem);
}

/** Values that are no ids. */
const odd = [undefined, null, 1041, Number.NaN, 7n, '', {}, ['a'], Symbol('a'), true, () => 'a'];
const reply = { kind: 'approved' } as const;

describe.each(stores)('ids over %s', (_name, opened) => {
  const acts: Readonly<Record<string, (runs: Runs<Input>, id: never) => unknown>> = {
    run: (runs, id) => runs.run(id),
    get: (runs, id) => runs.get(id),
    result: (runs, id) => runs.result(id),
    events: (runs, id) => runs.events(id).next(),
    preview: (runs, id) => runs.preview(id, 'q'),
    reply: (runs, id) => runs.reply(id, 'q', reply),
    cancel: (runs, id) => runs.cancel(id, 'no'),
    pause: (runs, id) => runs.pause(id),
    resume: (runs, id) => runs.resume(id),
    retry: (runs, id) => runs.retry(id),
    fork: (runs, id) => runs.fork(id),
  };
  test.each(Object.keys(acts))('a run id that is not a string is refused by %s (E709)', async (method) => {
    const runs = await desk(opened());
    await runs.start({ id: '04', conversation: 'c', messages: said('hello') });
    for (const id of odd)
      await expectRefusal(() => acts[method]?.(runs, never(id)), 'E709', `runs.${method}`, /id of a run, got/);
    expect((await runs.get('04')).status).toBe('queued');
  });

  test('ids for a new run, its conversation or a copy are refused if they are unusable (E709)', async () => {
    const runs = await desk(opened());
    const { id: run } = await runs.start({ conversation: 'c', messages: said('hello') });
    await runs.cancel(run, 'no');
    for (const id of odd.slice(1)) {
      const messages = said('hello');
      await expectRefusal(() => runs.start({ id: never(id), messages }), 'E709', 'runs.start', /id of a run/);
      const started = () => runs.start({ conversation: never(id), messages });
      await expectRefusal(started, 'E709', 'runs.start', /id of a conversation/);
      await expectRefusal(() => runs.retry(run, { id: never(id) }), 'E709', 'runs.retry', /id of a run/);
      const forked = () => runs.fork(run, { conversation: never(id) });
      await expectRefusal(forked, 'E709', 'runs.fork', /id of a conversation/);
    }
    expect((await runs.list()).map(({ id }) => id)).toEqual([run]);
  });

  test('unusable ids of questions and tenants are refused (E709)', async () => {
    const runs = await desk(opened());
    const { id: run } = await runs.start({ messages: said('hello') });
    for (const id of odd) {
      await expectRefusal(() => runs.reply(run, never(id), reply), 'E709', 'runs.reply', /id of a question/);
      await expectRefusal(() => runs.preview(run, never(id)), 'E709', 'runs.preview', /id of a question/);
      if (id !== null)
        await expectRefusal(() => runs.forTenant(never(id)), 'E709', 'runs.forTenant', /id of a tenant.*null/s);
    }
  });

  test('Conversation refuses unusable conversation ids (E709)', async () => {
    const store = opened();
    for (const id of odd) {
      await expectRefusal(() => Conversation.open(store, never(id)), 'E709', 'Conversation.open', /of a conversation/);
      if (id === undefined) continue;
      await expectRefusal(() => new Conversation({ id: never(id) }), 'E709', 'Conversation', /id of a conversation/);
      const copied = () => new Conversation().fork({ id: never(id) });
      await expectRefusal(copied, 'E709', 'Conversation', /id of a conversation/);
    }
    expect(await store.list()).toEqual([]);
  });

  test('the records of the store refuse unusable ids (E709)', async () => {
    const { records } = opened();
    const run = { id: 'r', conversation: 'c', input: null, messages: [], trace: null };
    await records.create(run);
    const record = await records.get('r');
    for (const wrong of odd) {
      const id = never(wrong);
      const calls = [
        () => records.create({ ...run, id }),
        () => records.create({ ...run, id: 'r-2', conversation: id }),
        () => records.get(id),
        () => records.head(id),
        () => records.change(id, { status: ['queued'] }, { status: 'paused' }),
        () => records.reply(never({ ...record, id }), 'q', reply),
        () => records.reply(never({ ...record, conversation: id }), 'q', reply),
        () => records.reply(never(record), id, reply),
      ];
      for (const call of calls) await expect((async () => call())()).rejects.toMatchObject({ code: 'E709' });
    }
    expect(await records.list()).toEqual([record]);
  });
});

describe('ids in errors', () => {
  const long = 'x'.repeat(1_000_000);

  test('long ids are cut in errors', async () => {
    const store = stores[0]?.[1]() as DurableStore;
    const runs = await desk(store, {});
    const { id: run } = await runs.start({ conversation: 'c', messages: said('ship') });
    await until(async () => (await runs.get(run)).status === 'waiting', 'it waits');
    const calls = [
      () => runs.get(long),
      () => runs.reply(run, long, reply),
      () => runs.preview(run, long),
      () => store.reply('c', long, reply),
      () => store.reply(long, 'q', reply),
      () => runs.start({ id: run, conversation: long, messages: said('hello') }),
    ];
    for (const call of calls) {
      const error: unknown = await (call() as Promise<unknown>).catch((thrown: unknown) => thrown);
      expect(error instanceof ToolwrightError).toBe(true);
      expect((error as Error).message.length).toBeLessThan(1_000);
    }
  });
});

describe.each(stores)('filters over %s', (_name, opened) => {
  const page = [{ limit: -1 }, { limit: 1.5 }, { limit: Number.NaN }, { limit: '1' }, { limit: null }, { limti: 1 }];
  const ids = [{ conversation: '' }, { conversation: 7 }, { conversation: Symbol('c') }, { conversation: null }];
  const rows = [
    ...[{ status: 'queued' }, { status: ['Queued'] }, { status: null }, { status: {} }],
    ...[{ after: -1 }, { after: Number.NaN }, { after: '1' }, { expiresBefore: Number.NaN }, { expiresBefore: '5' }],
  ];
  const tenants = ['', 0, {}, [], Symbol('t')].map((tenant) => ({ tenant }));
  const none = [null, 'a', 7, [], Symbol('filter'), () => 1];
  const lists = [...page, ...ids, ...rows, ...none];
  const asked = [...page, ...ids, ...none, { run: '' }, { run: 7 }, { status: ['queued'] }];

  test('the methods of runs refuse filters that cannot be applied (E413)', async () => {
    const runs = await desk(opened());
    await runs.start({ messages: said('hello') });
    for (const wrong of [...lists, ...tenants])
      await expectRefusal(() => runs.list(never(wrong)), 'E413', 'runs.list', /expected|no option/);
    for (const wrong of [...asked, ...tenants])
      await expectRefusal(() => runs.questions(never(wrong)), 'E413', 'runs.questions', /expected|no option/);
    const { acrossTenants } = runs;
    for (const method of ['list', 'outline'] as const) {
      const place = `runs.acrossTenants.${method}`;
      for (const wrong of [...lists, ...tenants])
        await expectRefusal(() => acrossTenants[method](never(wrong)), 'E413', place, /expected|no option/);
    }
    for (const wrong of [...asked, ...tenants]) {
      const place = 'runs.acrossTenants.questions';
      await expectRefusal(() => acrossTenants.questions(never(wrong)), 'E413', place, /expected|no option/);
    }
    expect(await acrossTenants.list({ tenant: null, status: [], after: 0, limit: 0 })).toEqual([]);
    expect(await runs.list({ limit: undefined, status: undefined, conversation: undefined })).toHaveLength(1);
  });

  test('the store refuses filters that cannot be applied (E413)', async () => {
    const { records, acrossTenants } = opened();
    const refused = (call: Promise<unknown>) => expect(call).rejects.toMatchObject({ code: 'E413' });
    for (const wrong of lists) await refused((async () => records.list(never(wrong)))());
    for (const wrong of asked) await refused((async () => records.questions(never(wrong)))());
    for (const wrong of [...lists, ...tenants]) {
      await refused((async () => acrossTenants.list(never(wrong)))());
      await refused((async () => acrossTenants.outline(never(wrong)))());
    }
    for (const wrong of [...asked, ...tenants]) await refused((async () => acrossTenants.questions(never(wrong)))());
  });

  test('prune takes a valid date alone (E413)', async () => {
    const store = opened();
    const runs = await desk(store);
    for (const before of [new Date(Number.NaN), 'x', '2020-01-01', 5, null, undefined, {}, Symbol('d')]) {
      await expectRefusal(() => runs.prune(never(before)), 'E413', 'runs.prune', /before: expected a valid Date/);
      const all = () => runs.acrossTenants.prune(never(before));
      await expectRefusal(all, 'E413', 'runs.acrossTenants.prune', /before: expected a valid Date/);
      const there = async () => store.records.prune(never(before));
      await expect(there()).rejects.toMatchObject({ code: 'E413' });
    }
    expect(await runs.prune(new Date(0))).toBe(0);
  });
});

describe('prune of SqliteRuns', () => {
  test.each([{ only: 'Ended' }, { only: null }, { only: true }, { onyl: 'ended' }, null, 'ended'])(
    'prune with %p deletes nothing (E413)',
    async (options) => {
      const store = sqliteRuns(join(folder, `${String(++files)}.db`));
      await store.open('c');
      const later = new Date(Date.now() + 60_000);
      await expectRefusal(() => store.prune(later, never(options)), 'E413', 'SqliteRuns.prune', /expected|no option/);
      expect(await store.list()).toEqual(['c']);
    },
  );

  test.each([new Date(Number.NaN), 'x', 5, undefined])('prune before %p deletes nothing (E413)', async (before) => {
    const store = sqliteRuns(join(folder, `${String(++files)}.db`));
    await store.open('c');
    await expectRefusal(() => store.prune(never(before)), 'E413', 'SqliteRuns.prune', /before: expected a valid Date/);
    expect(await store.list()).toEqual(['c']);
  });
});

describe.each(stores)('options over %s', (_name, opened) => {
  test('options that are not objects, have unknown names or cannot be used are refused (E413)', async () => {
    const runs = await desk(opened());
    const { id: run } = await runs.start({ messages: said('hello') });
    await runs.cancel(run, 'no');
    const rows: readonly (readonly [string, unknown, () => unknown])[] = [
      ...[null, undefined, 'x', 7, []].map((wrong) => ['runs.start', wrong, () => runs.start(never(wrong))] as const),
      ...[null, 'x', { form: 1 }].map((wrong) => ['runs.retry', wrong, () => runs.retry(run, never(wrong))] as const),
      ...[Number.NaN, '3', {}, -1, 1.5, null].map(
        (from) => ['runs.retry', from, () => runs.retry(run, { from: never(from) })] as const,
      ),
      ...[null, 'x', { conversations: 'c' }].map(
        (wrong) => ['runs.fork', wrong, () => runs.fork(run, never(wrong))] as const,
      ),
      ...[null, { signal: 5 }, { signl: 1 }].flatMap((wrong) => [
        ['runs.result', wrong, () => runs.result(run, never(wrong))] as const,
        ['run.result', wrong, async () => (await runs.run(run)).result(never(wrong))] as const,
        ['runs.events', wrong, () => runs.events(run, never(wrong)).next()] as const,
        ['run.events', wrong, async () => (await runs.run(run)).events(never(wrong)).next()] as const,
      ]),
      ...[{ after: '1' }, { after: Number.NaN }, { after: -1 }].map(
        (wrong) => ['runs.events', wrong, () => runs.events(run, never(wrong)).next()] as const,
      ),
      ...[null, { rehearses: 'no' }, { rehearse: false }].map(
        (wrong) => ['runs.preview', wrong, () => runs.preview(run, 'q', never(wrong))] as const,
      ),
      ...[undefined, null, 7, Symbol('no'), 'x'.repeat(100_001)].map(
        (reason) => ['runs.cancel', reason, () => runs.cancel(run, never(reason))] as const,
      ),
      ...[undefined, '5', Number.NaN, -1].map((ms) => ['runs.drain', ms, () => runs.drain(never(ms))] as const),
    ];
    for (const [place, , act] of rows) await expectRefusal(act, 'E413', place, /expected|no option/);
    expect(await runs.list()).toHaveLength(1);
  });

  test('an input that is not JSON is refused with its place (E413)', async () => {
    const runs = await desk(opened());
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    const wide = Array.from({ length: 40 }).reduce<unknown>((inner) => [inner, inner], 1);
    for (const [input, path] of [
      [1n, 'input'],
      [() => 1, 'input'],
      [Symbol('a'), 'input'],
      [Number.NaN, 'input'],
      [new Date(), 'input'],
      [new Map(), 'input'],
      [{ a: [1, { b: 1n }] }, 'input.a[1].b'],
      [{ a: [undefined] }, 'input.a[0]'],
      [{ a: { toJSON: () => 1 } }, 'input.a'],
      [deep, 'input'],
      [circle, 'input'],
      [wide, 'input'],
    ] as const) {
      const start = () => runs.start({ input: never(input), messages: said('hello') });
      await expectRefusal(start, 'E413', 'runs.start', new RegExp(`: ${path.replace(/[[\]]/g, '\\$&')}.*: expected`));
    }
    const input = { a: [null, true, 1.5, 'x', {}], b: undefined };
    expect(await (await runs.start({ input: never(input), messages: said('hello') })).record()).toMatchObject({
      input: { a: input.a },
    });
  });

  test('a message that is nested too deeply is refused (E412)', async () => {
    const runs = await desk(opened());
    const deep = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000)) as unknown;
    const call = { id: 'x', name: 'look', arguments: { deep } };
    for (const messages of [
      [{ role: 'user', content: 'x', parts: deep }],
      [
        { role: 'assistant', content: null, toolCalls: [call] },
        { role: 'tool', toolCallId: 'x', name: 'look', content: 'x', failed: false },
      ],
    ])
      await expect(runs.start({ messages: never(messages) })).rejects.toMatchObject({ code: 'E412' });
  });
});

test.each([
  ...[{ pollMs: -1 }, { pollMs: Number.NaN }, { pollMs: '5' }, { concurrency: 0 }, { concurrency: '2' }],
  ...[{ expireMs: Number.NaN }, { maxTakeovers: -1 }, { maxTakeovers: 1.5 }, { onUnknown: 'Ask' }],
  ...[{ onVersion: 'Park' }, { work: 'no' }, { work: 1 }, { traceparent: 'x' }, { engine: 7 }],
])('openRuns refuses the option %p (E413)', async (wrong) => {
  await expectRefusal(() => desk(new MemoryRuns(), never(wrong)), 'E413', 'openRuns');
});

test.each([undefined, null, 7])('openRuns refuses %p as prepare (E413)', async (prepare) => {
  const options = { store: new MemoryRuns(), prepare };
  await expectRefusal(() => openRuns(never({}), never(options)), 'E413', 'openRuns', /prepare: expected a function/);
});

test('openRuns refuses options that are no object (E413)', async () => {
  for (const wrong of [null, undefined, 7])
    await expect(openRuns(never({}), never(wrong))).rejects.toMatchObject({ code: 'E413', place: 'openRuns' });
});

describe.each(stores)('replies over %s', (_name, opened) => {
  const long = 'x'.repeat(100_001);
  const denied = (reason: unknown) => ({ kind: 'denied', reason });

  test('replies that are too long or have unknown fields are refused before anything is written (E735)', async () => {
    const store = opened();
    const runs = await desk(store, {});
    const { id: run } = await runs.start({ conversation: 'c', messages: said('ship') });
    await until(async () => (await runs.get(run)).status === 'waiting', 'it waits');
    const question = await questionOf(runs, run);
    const before = await store.entries('c');
    const conversation = async (given: unknown) => (await Conversation.open(store, 'c')).reply(question, never(given));
    for (const given of [
      denied(long),
      denied('\0'.repeat(1_000_000)),
      { kind: 'denied', reason: 'no', by: long },
      { kind: 'denied', reason: long.slice(0, 60_000), by: long.slice(0, 60_000) },
      { kind: 'approved', seen: long },
      { kind: 'approved', by: long },
      { kind: 'approved', sen: 'x' },
      { kind: 'approved', extra: { deep: [long] } },
      { kind: 'outcome', text: long },
      { kind: 'constructor' },
      null,
      undefined,
    ]) {
      await expect(runs.reply(run, question, never(given))).rejects.toMatchObject({ code: 'E735' });
      await expect(store.reply('c', question, never(given))).rejects.toMatchObject({ code: 'E735' });
      await expect(conversation(given)).rejects.toMatchObject({ code: 'E735' });
    }
    expect(await store.entries('c')).toEqual(before);
    expect(await runs.reply(run, question, denied(long.slice(1)) as never)).toBe('taken');
    expect(
      (await runs.reply(run, question, denied('no') as never).catch((e: unknown) => e)) instanceof PromptError,
    ).toBe(false);
  });

  test('longer replies that were written before the limit can still be read', async () => {
    const store = opened();
    const runs = await desk(store, {});
    const { id: run } = await runs.start({ conversation: 'c', messages: said('ship') });
    await until(async () => (await runs.get(run)).status === 'waiting', 'it waits');
    await runs.drain(1_000);
    const entries = await store.entries('c');
    const asked = entries.find((entry) => entry.kind === 'question');
    const { epoch } = await store.open('c');
    const given = { kind: 'denied', reason: long, extra: 1 };
    const answer = { kind: 'reply', question: asked?.id, call: asked?.call, reply: given };
    await store.append({ conversation: 'c', epoch, after: entries.length }, [never(answer)]);
    await store.records.change(run, { status: ['waiting'] }, { status: 'queued' });
    const { transcript } = await (await desk(store, {})).result(run);
    expect(transcript.some(({ content }) => content?.includes('x'.repeat(1_000)))).toBe(true);
  });
});

describe.each(stores)('fork over %s', (_name, opened) => {
  test('fork refuses every conversation that exists (E743), and does not disturb its writer', async () => {
    const store = opened();
    const runs = await desk(store, {});
    const said2 = async (id: string, conversation: string) =>
      (await runs.start({ id, conversation, messages: said('hello') })).result();
    await said2('a1', 'A');
    await said2('a2', 'A');
    await said2('b1', 'B');
    await (await runs.start({ id: 'w1', conversation: 'W', messages: said('ship') })).record();
    await until(async () => (await runs.get('w1')).status === 'waiting', 'it waits');
    const before = await Promise.all(['A', 'B', 'W'].map((id) => store.entries(id)));
    for (const run of ['a1', 'a2', 'b1', 'w1'])
      for (const conversation of ['A', 'B', 'W'])
        await expectRefusal(() => runs.fork(run, { conversation }), 'E743', `run ${run}`, /conversation/);
    expect(await Promise.all(['A', 'B', 'W'].map((id) => store.entries(id)))).toEqual(before);
    await runs.reply('w1', await questionOf(runs, 'w1'), reply);
    expect((await runs.result('w1')).text).toBe('ship is done for nobody.');
  });

  test('fork refuses a conversation whose run has not begun, and its own conversation (E743)', async () => {
    const store = opened();
    const runs = await desk(store);
    await runs.start({ id: 'q1', conversation: 'Q', messages: said('hello') });
    await runs.start({ id: 'p1', conversation: 'P', messages: said('hello') });
    for (const conversation of ['Q', 'P'])
      await expectRefusal(() => runs.fork('q1', { conversation }), 'E743', 'run q1', /conversation/);
    expect(await store.list()).toEqual([]);
  });

  test('fork makes one copy under a new id', async () => {
    const runs = await desk(opened(), {});
    for (const id of ['a1', 'a2'])
      await (await runs.start({ id, conversation: 'A', messages: said('hello') })).result();
    expect(await runs.fork('a2', { conversation: 'N' })).toBe('N');
    await expectRefusal(() => runs.fork('a2', { conversation: 'N' }), 'E743', 'run a2', /N/);
    await expectRefusal(() => runs.fork('a1', { conversation: 'N' }), 'E743', 'run a1', /N/);
    const { transcript } = await (await runs.start({ conversation: 'N', messages: said('hello') })).result();
    expect(transcript.filter(({ role }) => role === 'user')).toHaveLength(2);
  });
});
