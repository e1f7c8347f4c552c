import { Conversation, type RunEntry } from 'toolwright/conversations';
import { LogFold } from '../../../src/evaluate/conversation/log/foldEntries';
import { HELD_MS, leastPause } from '../../support/hostPause';
import { MemoryRuns } from '../../support/reopened';

const newHead = { text: 'Help.', offered: [], closed: [], fingerprint: '', sections: {} };
const head: RunEntry = { kind: 'conversation', version: 1, id: 'c', prompt: 'tests/desk', ...newHead };
const run = (id: string): RunEntry => ({ kind: 'run', run: id, messages: [{ role: 'user', content: 'Go on.' }] });
const end = (id: string): RunEntry => ({ kind: 'end', run: id, how: 'answered', messages: [] });
const answer = (turn: number, calls: number): RunEntry => ({
  kind: 'answer',
  turn,
  text: null,
  finishReason: calls === 0 ? 'stop' : 'tool_calls',
  toolCalls: Array.from({ length: calls }, (_none, index) => ({
    id: `i${String(index)}`,
    name: 'look',
    arguments: {},
  })),
});
const outcome = (call: string): RunEntry => ({
  kind: 'outcome',
  call,
  name: 'look',
  outcome: 'succeeded',
  message: { role: 'tool', toolCallId: 'i', name: 'look', content: 'Seen.', failed: false },
});
const segment = (turn: number): RunEntry => ({ kind: 'segment', turn, reason: 'history', messages: [], ...newHead });
const times = (count: number, entries: (index: number) => readonly RunEntry[]): readonly RunEntry[] =>
  Array.from({ length: count }, (_none, index) => entries(index)).flat();

/** Logs of about so many entries, each large in another way. */
const logs: Readonly<Record<string, (count: number) => readonly RunEntry[]>> = {
  'one run of many turns': (count) => [
    run('r'),
    ...times(count / 2, (index) => [answer(index + 1, 1), outcome(`${String(index + 1)}.0`)]),
  ],
  'one answer of many calls': (count) => [
    run('r'),
    answer(1, count / 2),
    ...times(count / 2, (index) => [outcome(`1.${String(index)}`)]),
  ],
  'many runs': (count) =>
    times(count / 3, (index) => [run(`r${String(index)}`), answer(1, 0), end(`r${String(index)}`)]),
  'many segments': (count) => [
    run('r'),
    ...times(count / 3, (index) => [segment(index + 1), answer(index + 1, 1), outcome(`${String(index + 1)}.0`)]),
  ],
};
const jsonOf = (entries: readonly RunEntry[]) => ({
  format: 'toolwright/conversation',
  version: 1,
  id: 'c',
  entries: [head, ...entries],
});

/** The number of times that fields of entries are read. */
function readsIn(entries: readonly RunEntry[]): number {
  let reads = 0;
  const counted = entries.map(
    (entry) =>
      new Proxy(entry, {
        get: (target, field, receiver) => {
          reads++;
          return Reflect.get(target, field, receiver) as unknown;
        },
      }),
  );
  Conversation.fromJSON(jsonOf(counted));
  return reads;
}

describe.each(Object.entries(logs))('a log of %s', (_name, log) => {
  test('each entry is read as often as one of a log half as long', () => {
    const [small, large] = [log(300), log(600)];
    expect(readsIn(large) / large.length).toBeCloseTo(readsIn(small) / small.length, 0);
  });

  test('messages of a log are appended to one list, and so are the entries of its open run', () => {
    const fold = new LogFold();
    let lists = 0;
    let [messages, open]: unknown[] = [];
    let isHead = false;
    for (const entry of [head, ...log(60)]) {
      fold.add(entry);
      isHead = entry.kind === 'conversation' || entry.kind === 'segment';
      if (fold.state.messages !== messages && !isHead) lists++;
      if (entry.kind !== 'run' && fold.state.open !== undefined && fold.state.open.entries !== open) lists++;
      messages = fold.state.messages;
      open = fold.state.open?.entries;
    }
    expect(lists).toBe(0);
  });

  test('a store of 30,000 entries is opened in pieces', async () => {
    const entries = jsonOf(log(30_000)).entries;
    expect(await leastPause(() => Conversation.open(new MemoryRuns(entries), 'c'))).toBeLessThan(HELD_MS);
  }, 120_000);
});

describe('a conversation that holds too much', () => {
  const nested = (levels: number): unknown => {
    let value: unknown = {};
    for (let level = 0; level < levels; level++) value = { inner: value };
    return value;
  };
  const given = (value: unknown): unknown => {
    const call = { id: 'i', name: 'look', arguments: { value } };
    return jsonOf([run('r'), { ...answer(1, 0), toolCalls: [call] } as RunEntry]);
  };

  test.each([
    ['arguments of 10,000 levels', 'entries[2]', () => given(nested(10_000)), /at most 300 levels of nesting/],
    ['200,000 values in one entry', 'entries[2]', () => given(Array(200_000).fill(0)), /at most 120000 values/],
    ['100,001 entries', 'entries', () => jsonOf(Array(100_000).fill(run('r'))), /at most 100000 \(maxEntries\)/],
  ])('E709 a conversation refuses a log with %s', (_what, place, json, message) => {
    expect(() => Conversation.fromJSON(json())).toThrow(
      expect.objectContaining({ code: 'E709', place, message: expect.stringMatching(message) as string }) as Error,
    );
  });

  test('state of as many levels as a session may have is read and written', () => {
    const conversation = Conversation.fromJSON(given(nested(250)));
    expect(Conversation.fromJSON(JSON.parse(JSON.stringify(conversation))).messages).toEqual(conversation.messages);
  });

  test('more entries are read where the caller allows them', () => {
    const json = jsonOf([run('r'), answer(1, 0)]);
    expect(() => Conversation.fromJSON(json, { maxEntries: 2 })).toThrow(
      expect.objectContaining({ code: 'E709' }) as Error,
    );
    expect(Conversation.fromJSON(json, { maxEntries: 3 }).messages).toHaveLength(2);
  });

  test.each(['1.00', '01.0', '1.0 ', '1e0.0', '1.0.0', '1.', '1.-0', '1.0x'])(
    'E709 an outcome of the call %j, which no one would find',
    (call) => {
      const json = jsonOf([run('r'), answer(1, 1), outcome(call)]);
      expect(() => Conversation.fromJSON(json)).toThrow(
        expect.objectContaining({ code: 'E709', place: 'entries[3]' }) as Error,
      );
    },
  );
});
