// Approvals with other arguments over durable runs: through every door, in every process, under faults.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation, type QuestionReply, type RunEntry } from 'toolwright/conversations';
import { FaultyRuns } from '../durable/FaultyRuns';
import { sqliteRuns } from '../support/sqliteRuns';
import { market, openQuestion, openTill, outcomes, waiting } from './till';

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  market.price = 1;
});
const fresh = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'toolwright-edited-'));
  folders.push(folder);
  return folder;
};

const edit = (amount: number, card = '4111-2') => ({ kind: 'approved', arguments: { amount, card } }) as const;

test('a worker runs the call with the arguments that a person wrote, and clients see them without secrets', async () => {
  const { runs, engine, store, paid, question } = await waiting(fresh());
  expect(await runs.reply('r', question, edit(20))).toBe('taken');
  expect(await runs.reply('r', question, edit(25))).toBe('late');
  await engine.carry('c');
  expect((await runs.result('r')).text).toBe('Done.');
  expect(paid.map((line) => line.split(' ')[1])).toEqual(['20']);
  expect((await outcomes(store))[0]).toBe(
    'paid 20\n\n[A person approved this call with other arguments: {"amount":20,"card":"****-2"}. Your own arguments were not used.]',
  );
  const events = [];
  for await (const event of runs.events('r')) events.push(event);
  expect(JSON.stringify(events)).not.toContain('4111');
  expect(events.find(({ kind }) => kind === 'reply')).toMatchObject({
    reply: { kind: 'approved', arguments: { amount: 20, card: '****-2' } },
  });
  expect(events.find(({ kind }) => kind === 'answer')).toMatchObject({
    toolCalls: [{ arguments: { amount: 30, card: '****-1' } }],
  });
  const kept = (await store.entries('c')).find((entry): entry is RunEntry<'reply'> => entry.kind === 'reply');
  expect(kept?.reply).toEqual(edit(20));
  await runs.drain(100);
});

test('runs.reply and runs.preview refuse arguments that the tool refuses (E735), without their secrets, and the question stays open', async () => {
  const { runs, store, question } = await waiting(fresh());
  const before = await store.entries('c');
  for (const wrong of [{ amount: 'much', card: '4111-2' }, {}, { amount: 1, card: '4', extra: 1 }]) {
    const reply = { kind: 'approved', arguments: wrong } as const;
    for (const refused of [runs.reply('r', question, reply), runs.preview('r', question, { arguments: wrong })]) {
      const error: unknown = await refused.catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'E735' });
      expect(String(error)).toContain('The arguments of buy were not accepted');
      expect(String(error)).not.toContain('4111');
    }
  }
  await expect(runs.preview('r', question, { arguments: [] as never })).rejects.toMatchObject({ code: 'E413' });
  await expect(runs.preview('r', question, { arguments: { a: () => 1 } as never })).rejects.toMatchObject({
    code: 'E735',
  });
  expect(await store.entries('c')).toEqual(before);
  expect(await openQuestion({ runs })).toBe(question);
  await runs.drain(100);
});

const doors: readonly (readonly [
  string,
  (desk: Awaited<ReturnType<typeof waiting>>, reply: QuestionReply) => Promise<string>,
])[] = [
  ['store.reply', ({ store, question }, reply) => store.reply('c', question, reply)],
  [
    'conversation.reply',
    async ({ store, question }, reply) => (await Conversation.open(store, 'c')).reply(question, reply),
  ],
  [
    'runs.reply of a process that cannot prepare the run',
    async ({ folder, question }, reply) => {
      const { runs } = await openTill(folder, { failsToPrepare: true });
      return runs.reply('r', question, reply);
    },
  ],
];
test.each(doors)(
  'through %s, wrong arguments are asked about again when the call runs, with the reason',
  async (_name, reply) => {
    const desk = await waiting(fresh());
    const { runs, engine, paid, question, store } = desk;
    expect(await reply(desk, { kind: 'approved', arguments: { amount: 'much', card: '4111-2' } })).toBe('taken');
    await engine.carry('c');
    const [again] = await runs.questions({ run: 'r' });
    expect(again).toMatchObject({ about: 'approval', name: 'buy', arguments: { amount: 30 } });
    expect(again?.reason).toContain('The arguments of buy were not accepted: amount: expected');
    expect(again?.id).not.toBe(question);
    expect(paid).toEqual([]);
    expect(await runs.reply('r', question, edit(20))).toBe('late');
    expect(await runs.reply('r', again?.id ?? '', edit(20))).toBe('taken');
    await engine.carry('c');
    expect((await outcomes(store))[0]).toMatch(/^paid 20\n/);
    await runs.drain(100);
  },
);

test('a preview with other arguments shows their effect, and its `seen` holds for exactly these arguments', async () => {
  const { runs, engine, store, question } = await waiting(fresh());
  const own = await runs.preview('r', question);
  const shown = await runs.preview('r', question, { arguments: edit(20).arguments });
  expect(shown.arguments).toEqual({ amount: 20, card: '****-2' });
  expect(shown.rehearsal?.outcome.text).toBe('paid 20');
  // The card changes nothing that a rehearsal shows.
  const otherCard = await runs.preview('r', question, { arguments: edit(20, '4111-3').arguments });
  expect(new Set([own.seen, shown.seen, otherCard.seen]).size).toBe(3);
  const wrong: readonly QuestionReply[] = [
    { ...edit(20), seen: own.seen },
    { ...edit(20), seen: otherCard.seen },
    { ...edit(30, '4111-1'), seen: own.seen },
    { kind: 'approved', seen: shown.seen },
  ];
  for (const reply of wrong) {
    expect(await runs.reply('r', await openQuestion({ runs }), reply)).toBe('taken');
    await engine.carry('c');
    expect((await runs.questions({ run: 'r' }))[0]?.reason).toContain('effects that its approver saw');
  }
  expect(await runs.reply('r', await openQuestion({ runs }), { ...edit(20), seen: shown.seen })).toBe('taken');
  await engine.carry('c');
  expect((await outcomes(store))[0]).toMatch(/^paid 20\n/);
  await runs.drain(100);
});

test('an approval with the arguments and the `seen` of a preview runs the call that was shown', async () => {
  const { runs, engine, store, question } = await waiting(fresh());
  const { seen } = await runs.preview('r', question, { arguments: { amount: 20, card: '4111-2' } });
  await runs.reply('r', question, { kind: 'approved', arguments: { amount: 20, card: '4111-2' }, seen });
  await engine.carry('c');
  expect((await outcomes(store))[0]).toMatch(/^paid 20\n/);
  await runs.drain(100);
});

test('an edited call that would do something else than its preview is asked about again, and runs once it is approved', async () => {
  const { runs, engine, store, question } = await waiting(fresh());
  const { seen } = await runs.preview('r', question, { arguments: edit(20).arguments });
  market.price = 1_000;
  expect(await runs.reply('r', question, { ...edit(20), seen })).toBe('taken');
  await engine.carry('c');
  const again = await openQuestion({ runs });
  expect(again).not.toBe(question);
  expect(await outcomes(store)).toEqual([]);
  const now = await runs.preview('r', again, { arguments: edit(20).arguments });
  expect(now.rehearsal?.outcome.text).toBe('paid 20000');
  expect(await runs.reply('r', again, { ...edit(20), seen: now.seen })).toBe('taken');
  await engine.carry('c');
  expect((await outcomes(store))[0]).toMatch(/^paid 20000\n/);
  await runs.drain(100);
});

test.each(['before', 'after'] as const)(
  'a worker that dies %s an entry leaves an edited call that runs once, with one key and the arguments of the reply',
  async (kind) => {
    let faults = 0;
    const keys = new Set<string>();
    for (let at = 4; at <= 8; at++) {
      const folder = fresh();
      const store = new FaultyRuns(sqliteRuns(join(folder, 'runs.db')), { at, kind });
      const first = await openTill(folder, { store });
      await first.runs.start({ id: 'r', conversation: 'c', messages: [{ role: 'user', content: 'Pay 30' }] });
      await first.engine.carry('c').catch(() => undefined);
      const second = await openTill(folder);
      await second.engine.carry('c');
      const question = await openQuestion(second);
      const replied = await second.runs.reply('r', question, edit(20));
      expect(replied).toBe('taken');
      await first.engine.carry('c').catch(() => undefined);
      const third = await openTill(folder);
      await third.engine.carry('c');
      expect((await third.runs.result('r')).text).toBe('Done.');
      if (store.happened) faults += 1;
      const texts = await outcomes(third.store);
      expect(texts).toEqual([expect.stringMatching(/^paid 20\n/) as unknown]);
      for (const line of [...first.paid, ...second.paid, ...third.paid]) keys.add(line);
      for (const { runs } of [first, second, third]) await runs.drain(100);
    }
    expect(faults).toBeGreaterThan(0);
    expect([...keys].map((line) => line.split(' ')[1])).toEqual(['20']);
  },
);
