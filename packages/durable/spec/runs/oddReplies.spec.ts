import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Conversation, type QuestionReply } from 'toolwright/conversations';
import { HandEngine } from '../durable/HandEngine';
import { sqliteRuns } from '../support/sqliteRuns';
import { openDesk, questionOf, said } from './desk';

const folder = mkdtempSync(join(tmpdir(), 'toolwright-odd-replies-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

class ByAccessor {
  readonly #kind = 'approved';

  get kind(): string {
    return this.#kind;
  }
}

/** Returns another field each time that it is read. */
function flipping(): unknown {
  let reads = 0;
  return Object.defineProperty({ reason: 'no' }, 'kind', {
    enumerable: true,
    get: () => (reads++ === 0 ? 'denied' : 'approved'),
  });
}
const hidden = (): unknown => Object.defineProperty({}, 'kind', { value: 'approved' });
const throwing = (): unknown => Object.defineProperty({}, 'kind', { get: () => fail('not now'), enumerable: true });
const closed = (): unknown => new Proxy({ kind: 'approved' }, { ownKeys: () => [] });

const taken: readonly (readonly [string, () => unknown, QuestionReply])[] = [
  ['a kind that is not enumerable', hidden, { kind: 'approved' }],
  ['a kind that is another one when it is read again', flipping, { kind: 'denied', reason: 'no' }],
  ['fields that are undefined', () => ({ kind: 'approved', by: undefined, seen: undefined }), { kind: 'approved' }],
];
const refused: readonly (readonly [string, () => unknown])[] = [
  ['a kind of its class', () => new ByAccessor()],
  ['a proxy that hides its kind', closed],
  ['a kind that cannot be read', throwing],
  [
    'a hidden field that replies do not have',
    () => Object.defineProperty({ kind: 'approved' }, 'sene', { value: 'x' }),
  ],
];

test('a reply is read once, and what was checked is what is written', async () => {
  const store = sqliteRuns(join(folder, 'runs.db'));
  const engine = new HandEngine();
  const runs = await openDesk(folder, store, { engine });
  await runs.work();
  let count = 0;
  const asked = async () => {
    const id = `r-${String(count++)}`;
    await runs.start({ id, conversation: id, messages: said('ship') });
    await engine.carry(id);
    return { id, question: await questionOf(runs, id) };
  };
  type Asked = Awaited<ReturnType<typeof asked>>;
  const doors: readonly ((run: Asked, reply: QuestionReply) => Promise<unknown>)[] = [
    ({ id, question }, reply) => runs.reply(id, question, reply),
    ({ id, question }, reply) => store.reply(id, question, reply),
    async ({ id, question }, reply) => {
      const json = { format: 'toolwright/conversation', version: 1, id, entries: await store.entries(id) };
      const inMemory = Conversation.fromJSON(json);
      const result = await inMemory.reply(question, reply);
      expect(inMemory.questions).toEqual([]);
      expect(() => Conversation.fromJSON(JSON.parse(JSON.stringify(inMemory)))).not.toThrow();
      return result;
    },
  ];
  for (const [index, reply] of doors.entries()) {
    const open = await asked();
    for (const [what, make] of refused)
      expect({ what, error: await reply(open, make() as QuestionReply).catch(String) }).toEqual({
        what,
        error: expect.stringContaining('reply') as unknown,
      });
    for (const [what, make, written] of taken) {
      const run = await asked();
      expect([what, await reply(run, make() as QuestionReply)]).toEqual([what, 'taken']);
      if (index === 2) continue;
      const last = (await store.entries(run.id)).at(-1);
      expect(last?.kind === 'reply' ? last.reply : last).toEqual(written);
      await engine.carry(run.id);
      expect((await runs.get(run.id)).status).toBe('answered');
    }
  }
  await runs.drain(100);
});

function fail(problem: string): never {
  throw new TypeError(problem);
}
