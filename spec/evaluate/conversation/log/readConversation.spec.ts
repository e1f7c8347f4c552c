import { Conversation, type RunEntry } from 'toolwright/conversations';
import { MemoryRuns, logOf } from '../../../support/reopened';
import { call, deskOf, freshSession, user } from '../desk';

interface Json {
  readonly format: string;
  readonly version: number;
  readonly id: string;
  readonly entries: readonly RunEntry[];
}

/** A conversation of two turns, as plain data. */
async function written(): Promise<Json> {
  const { run } = await deskOf();
  const conversation = new Conversation({ id: 'c-1' });
  const session = freshSession();
  await run([{ toolCalls: [call('note')] }, { text: 'One.' }], {
    conversation,
    session,
    runId: 'r-1',
    messages: user('First.'),
  });
  expect(logOf(conversation).map(({ kind }) => kind)).toEqual([
    ...['conversation', 'model', 'run', 'answer', 'begun', 'outcome', 'answer', 'end'],
  ]);
  return JSON.parse(JSON.stringify(conversation)) as Json;
}

const entry = (json: Json, index: number, change: object) => ({
  ...json,
  entries: json.entries.map((one, at) => (at === index ? { ...one, ...change } : one)),
});
const without = (json: Json, from: number, count: number) => ({
  ...json,
  entries: json.entries.filter((_one, at) => at < from || at >= from + count),
});
const reasonOf = (work: () => unknown): unknown => {
  try {
    return work();
  } catch (error) {
    return error;
  }
};

describe('a stored conversation that does not fit', () => {
  test.each<[what: string, place: string, bad: (json: Json) => unknown]>([
    ['nothing', 'format', () => null],
    ['a text', 'format', () => 'conversation'],
    ['other data', 'format', ({ entries }) => ({ entries })],
    ['a transcript', 'format', ({ id }) => ({ format: 'toolwright/transcript', version: 1, id })],
    ['an older version', 'version', (json) => ({ ...json, version: 0 })],
    ['a newer version', 'version', (json) => ({ ...json, version: 2 })],
    ['no id', 'id', (json) => ({ ...json, id: '' })],
    ['no entries', 'entries', ({ entries: _none, ...json }) => json],
    ['entries by name', 'entries', (json) => ({ ...json, entries: Object.fromEntries(json.entries.entries()) })],
    [
      'an entry that is null',
      'entries[3]',
      (json) => ({ ...json, entries: [...json.entries.slice(0, 3), null, ...json.entries.slice(4)] }),
    ],
    ['an entry that is a text', 'entries[0]', (json) => ({ ...json, entries: ['x'] })],
    ['an entry of no known kind', 'entries[3].kind', (json) => entry(json, 3, { kind: 'reply2' })],
    ['a kind that objects inherit', 'entries[3].kind', (json) => entry(json, 3, { kind: 'constructor' })],
    ['an entry without its kind', 'entries[3].kind', (json) => entry(json, 3, { kind: undefined })],
    ['a log cut at its beginning', 'entries[0]', (json) => without(json, 0, 1)],
    ['a log that begins twice', 'entries[1]', (json) => ({ ...json, entries: [json.entries[0], ...json.entries] })],
    ['a head of a newer version', 'entries[0].version', (json) => entry(json, 0, { version: 6 })],
    ['a head of another conversation', 'entries[0].id', (json) => entry(json, 0, { id: 'c-2' })],
    ['a head without its words', 'entries[0].text', (json) => entry(json, 0, { text: undefined })],
    ['a head whose tools are no list', 'entries[0].offered', (json) => entry(json, 0, { offered: {} })],
    ['a model without a name', 'entries[1].adapter', (json) => entry(json, 1, { adapter: 1 })],
    ['a run without messages', 'entries[2].messages', (json) => entry(json, 2, { messages: undefined })],
    ['an answer outside of a run', 'entries[2]', (json) => without(json, 2, 1)],
    [
      'a run that begins with messages without ids',
      'entries[2].steered[0]',
      (json) => entry(json, 2, { steered: [7] }),
    ],
    [
      'a stopped answer in place of an outcome',
      'entries[5]',
      (json) => entry(without(json, 5, 2), 5, { messages: [{ role: 'assistant', content: 'Half' }] }),
    ],
    [
      'a stopped answer with a call',
      'entries[7]',
      (json) =>
        entry(json, 7, {
          messages: [{ role: 'assistant', content: 'Half', toolCalls: [{ id: 'i', name: 'note', arguments: {} }] }],
        }),
    ],
    [
      'a stopped answer without a text',
      'entries[7]',
      (json) => entry(json, 7, { messages: [{ role: 'assistant', content: null }] }),
    ],
    ['an answer without a turn', 'entries[3].turn', (json) => entry(json, 3, { turn: '1' })],
    ['an answer whose text is a number', 'entries[3].text', (json) => entry(json, 3, { text: 1 })],
    ['a beginning without a call', 'entries[4].call', (json) => entry(json, 4, { call: 1 })],
    ['an outcome without its message', 'entries[5].message', (json) => entry(json, 5, { message: null })],
    ['the end of another run', 'entries[7]', (json) => entry(json, 7, { run: 'r-2' })],
    ['an end of nothing', 'entries[2]', (json) => without(json, 2, 5)],
    ['an answer after the end', 'entries[8]', (json) => ({ ...json, entries: [...json.entries, json.entries[6]] })],
  ])('E709 %s: the error names %s', async (_what, place, bad) => {
    const error = reasonOf(() => Conversation.fromJSON(bad(stored)));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', code: 'E709', phase: 'request', place });
    expect((error as Error).message).toContain(`${place}: `);
  });

  let stored: Json;
  beforeAll(async () => {
    stored = await written();
  });

  test('E709 the same from a store, before anything is run', async () => {
    const store = new MemoryRuns(entry(stored, 3, { turn: '1' }).entries);
    await expect(Conversation.open(store, 'c-1')).rejects.toMatchObject({ code: 'E709', place: 'entries[3].turn' });
    await expect(Conversation.open(new MemoryRuns(stored.entries), 'c-2')).rejects.toMatchObject({
      code: 'E709',
      place: 'entries[0].id',
      message: expect.stringMatching(/it is the log of .*c-1.*, not of c-2/) as string,
    });
  });

  test('every cut at the end is a conversation that goes on', async () => {
    for (let length = 0; length <= stored.entries.length; length++) {
      const { run } = await deskOf();
      const conversation = Conversation.fromJSON({ ...stored, entries: stored.entries.slice(0, length) });
      const { response } = await run([{ text: 'Two.' }], {
        conversation,
        session: freshSession(),
        messages: user('Second.'),
      });
      expect(response.text).toBe('Two.');
      const { messages } = conversation;
      const asked = messages.flatMap((message) => (message.role === 'assistant' ? (message.toolCalls ?? []) : []));
      const answered = messages.flatMap((message) => (message.role === 'tool' ? [message.toolCallId] : []));
      expect(answered).toEqual(asked.map(({ id }) => id));
    }
  });
});
