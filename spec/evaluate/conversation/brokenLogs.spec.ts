import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PromptResponse } from 'toolwright';
import { Conversation, type RunEntry, type OpenLog, type RunStore } from 'toolwright/conversations';
import { MemoryRuns } from '@toolwright/durable';
import { call, deskOf, freshSession, user } from './desk.js';
import { sqliteRuns } from '../../../packages/durable/spec/support/sqliteRuns.js';

type Entries = readonly unknown[];

/** A store that gives these entries for a log. */
class GivenRuns extends MemoryRuns {
  readonly #opened: unknown;

  constructor(opened: unknown) {
    super();
    this.#opened = opened;
  }

  override open(): Promise<OpenLog> {
    return Promise.resolve(this.#opened as OpenLog);
  }
}

const answer = (turn: number, ...calls: readonly string[]) => ({
  kind: 'answer',
  turn,
  text: null,
  finishReason: 'tool_calls',
  toolCalls: calls.map((id) => ({ id, name: 'note', arguments: {} })),
});
const outcome = (id: string) => ({
  kind: 'outcome',
  call: id,
  name: 'note',
  outcome: 'succeeded',
  message: { role: 'tool', toolCallId: id, name: 'note', content: 'noted', failed: false },
});

/** The entries of two turns with two calls each, and the end. */
async function recorded(): Promise<readonly RunEntry[]> {
  const { run } = await deskOf();
  const conversation = new Conversation({ id: 'c' });
  const script = [{ toolCalls: [call('note'), call('keep')] }, { toolCalls: [call('keep')] }, { text: 'Done.' }];
  await run(script, { conversation, session: freshSession(), messages: user('Note it.'), runId: 'r-1' });
  const { entries } = JSON.parse(JSON.stringify(conversation)) as { readonly entries: readonly RunEntry[] };
  expect(entries.map(({ kind }) => kind)).toEqual([
    ...['conversation', 'model', 'run', 'answer', 'begun', 'outcome', 'outcome', 'answer', 'outcome', 'answer', 'end'],
  ]);
  return entries;
}

const put = (entries: Entries, at: number, entry: unknown): Entries => [
  ...entries.slice(0, at),
  entry,
  ...entries.slice(at + 1),
];
const without = (entries: Entries, at: number, count = 1): Entries => [
  ...entries.slice(0, at),
  ...entries.slice(at + count),
];

describe('TRACE-13d the log of a store that cannot be a log', () => {
  test.each<[string, string, RegExp, (entries: Entries) => Entries]>([
    ['null for an entry', 'entries[5]', /expected an object, got null/, (entries) => put(entries, 5, null)],
    ['a number for an entry', 'entries[5]', /got the number 5/, (entries) => put(entries, 5, 5)],
    ['an entry without a kind', 'entries[5].kind', /got undefined/, (entries) => put(entries, 5, { call: '1.0' })],
    ['an entry of an unknown kind', 'entries[5].kind', /expected one of/, (entries) => put(entries, 5, { kind: 'x' })],
    ['turn 2 without turn 1', 'entries[3]', /answer of turn 2 follows no answer/, (entries) => without(entries, 3, 4)],
    ['turn 3 after turn 1', 'entries[7]', /turn 3 follows the answer of turn 1/, (entries) => without(entries, 7, 2)],
    ['turn 1 twice', 'entries[4]', /answer of turn 1 follows/, (entries) => put(entries, 4, entries[3])],
    ['turn 1.5', 'entries[7]', /turn the number 1\.5/, (entries) => put(entries, 7, answer(1.5, 'x'))],
    [
      'an answer without the outcome of a call',
      'entries[6]',
      /call 1\.1.* is missing/,
      (entries) => without(entries, 6),
    ],
    ['an outcome before its answer', 'entries[3]', /call "1\.0": there is no answer/, (entries) => without(entries, 3)],
    [
      'an outcome of another turn',
      'entries[8]',
      /the call "1\.0": the last answer/,
      (entries) => put(entries, 8, outcome('1.0')),
    ],
    ['an outcome of a call that there is not', 'entries[8]', /"2\.7"/, (entries) => put(entries, 8, outcome('2.7'))],
    [
      'the same outcome twice',
      'entries[6]',
      /second outcome of the call 1\.0/,
      (entries) => put(entries, 6, entries[5]),
    ],
    ['an end without an outcome', 'entries[8]', /answers 0 calls, .* are 2\.0/, (entries) => without(entries, 8, 2)],
    [
      'a run within a run',
      'entries[3]',
      /"r-2" begins before "r-1" ends/,
      (entries) => put(entries, 3, { kind: 'run', run: 'r-2', messages: [] }),
    ],
    [
      'a segment of another turn',
      'entries[7]',
      /segment of turn 5/,
      (entries) =>
        put(entries, 7, { ...(entries[0] as object), kind: 'segment', reason: 'history', turn: 5, messages: [] }),
    ],
  ])('E709 %s: the error names %s', async (_what, place, problem, change) => {
    const entries = change(await recorded());
    const refused = { code: 'E709', place, message: expect.stringMatching(problem) as string };
    await expect(Conversation.open(new GivenRuns({ epoch: 1, entries }), 'c')).rejects.toMatchObject(refused);
    const json = { format: 'toolwright/conversation', version: 1, id: 'c', entries };
    expect(() => Conversation.fromJSON(json)).toThrow(expect.objectContaining(refused) as Error);
  });

  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'epoch'],
    ['no epoch', { entries: [] }, 'epoch'],
    ['no list', { epoch: 1, entries: {} }, 'entries'],
  ])('E709 a store that opens %s', async (_what, opened, place) => {
    await expect(Conversation.open(new GivenRuns(opened), 'c')).rejects.toMatchObject({ code: 'E709', place });
  });

  test('every cut at the end is a log', async () => {
    const entries = await recorded();
    for (let length = 0; length <= entries.length; length++)
      await Conversation.open(new GivenRuns({ epoch: 1, entries: entries.slice(0, length) }), 'c');
  });
});

describe('TRACE-13e two runs that go on with one conversation at once', () => {
  const folders: string[] = [];
  const folder = (): string => {
    const made = mkdtempSync(join(tmpdir(), 'toolwright-logs-'));
    folders.push(made);
    return made;
  };
  afterAll(() => {
    for (const made of folders) rmSync(made, { recursive: true, force: true });
  });

  /** Leaves a run that has not ended: the model is asked a second time, and the process is gone. */
  async function interrupted(store: RunStore): Promise<void> {
    const { run } = await deskOf();
    const conversation = await Conversation.open(store, 'c');
    await run([{ toolCalls: [call('note')] }, { text: 'Done.' }], {
      conversation,
      session: freshSession(),
      messages: user('Note it.'),
      runId: 'r-1',
    });
    const entries = await store.entries('c');
    await store.delete('c');
    const { epoch } = await store.open('c');
    await store.append({ conversation: 'c', epoch, after: 0 }, entries.slice(0, 4));
  }

  /** Lets both go on, and returns the codes of those that were refused. */
  async function both(conversations: readonly Conversation[]): Promise<readonly (string | undefined)[]> {
    const started: string[] = [];
    const desks = await Promise.all(conversations.map(() => deskOf({ started: (name) => void started.push(name) })));
    const runs = conversations.map(async (conversation, index) => {
      const going = desks[index]?.run([{ text: 'Done.' }], { conversation, session: freshSession() });
      return (await going)?.response;
    });
    const settled = await Promise.allSettled<PromptResponse | undefined>(runs);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(started).toEqual(['note']);
    return settled.map((one) => (one.status === 'rejected' ? (one.reason as { code: string }).code : undefined));
  }

  test('E728 refuses the second of two runs in one conversation', async () => {
    const store = new MemoryRuns();
    await interrupted(store);
    const conversation = await Conversation.open(store, 'c');
    expect(await both([conversation, conversation])).toEqual([undefined, 'E728']);
  });

  test.each<[string, () => readonly [RunStore, RunStore]]>([
    [
      'a store in memory',
      () => {
        const store = new MemoryRuns();
        return [store, store];
      },
    ],
    [
      'one file, as two processes have it',
      () => {
        const path = join(folder(), 'runs.db');
        return [sqliteRuns(path), sqliteRuns(path)];
      },
    ],
  ])('E709 in two conversations over %s: the one that was opened first', async (_what, make) => {
    const [here, there] = make();
    await interrupted(here);
    const first = await Conversation.open(here, 'c');
    const second = await Conversation.open(there, 'c');
    expect(await both([first, second])).toEqual(['E709', undefined]);
    const { kind } = (await here.entries('c')).at(-1) ?? {};
    expect(kind).toBe('end');
  });
});
