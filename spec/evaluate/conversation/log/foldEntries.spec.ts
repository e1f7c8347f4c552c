import fc from 'fast-check';
import type { ModelRequest, Session } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import type { ScriptStep } from 'toolwright/testing';
import { foldEntries } from '../../../../src/evaluate/conversation/log/foldEntries';
import { logOf, reopened } from '../../../support/reopened';
import { call, deskOf, expectAppended, freshSession, notesOf, opening, user } from '../desk';

const names = ['note', 'keep', 'look', 'fail', 'extra', 'nothing', 'open'] as const;
const toolCall = (name: (typeof names)[number]) => (name === 'open' ? opening : call(name));

/** One run: the calls of each turn, how it ends, and if another process goes on with it or with the next one. */
const runs = fc.array(
  fc.record({
    turns: fc.array(fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 }), { maxLength: 3 }),
    ends: fc.constantFrom('answers', 'throws'),
    reopens: fc.boolean(),
  }),
  { minLength: 1, maxLength: 4 },
);

test('a conversation sends the state that follows from the entries of its log, after every entry and in every process', async () => {
  const { run } = await deskOf();
  await fc.assert(
    fc.asyncProperty(runs, async (planned) => {
      let conversation = new Conversation({ id: 'c' });
      let session: Session = freshSession();
      const requests: ModelRequest[] = [];
      const looked = (step: Exclude<ScriptStep, (...all: never) => unknown>) => (request: ModelRequest) => {
        const folded = foldEntries(conversation.log.entries);
        expect(conversation.state).toEqual(folded);
        expect(request.messages).toEqual([...folded.messages, ...(folded.open?.messages ?? [])]);
        requests.push(request);
        return step;
      };
      for (const [index, { turns, ends, reopens }] of planned.entries()) {
        const script: ScriptStep[] = turns.map((calls) => looked({ toolCalls: calls.map(toolCall) }));
        if (ends === 'answers') script.push(looked({ text: 'Done.' }));
        const options = { conversation, session, messages: user(`Message ${String(index)}.`) };
        const response = await run(script, options).then(
          (ended) => ended.response,
          () => undefined,
        );
        expect(response !== undefined).toBe(ends === 'answers');
        expect(conversation.state).toEqual(foldEntries(conversation.log.entries));
        expect(conversation.state.open).toBeUndefined();
        if (response !== undefined) expect(response.transcript).toEqual(conversation.messages);
        if (!reopens) continue;
        const before = notesOf(session);
        conversation = reopened(conversation, logOf(conversation).length);
        session = freshSession();
        conversation.link(session);
        expect(notesOf(session)).toEqual(before);
      }
      expectAppended(requests);
    }),
    { numRuns: 60 },
  );
}, 120_000);

describe('200 turns', () => {
  const median = (values: readonly number[]): number =>
    [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const flat = (values: readonly number[], tolerance: number): void => {
    // The first ones are those in which code is compiled, and the sections are opened.
    const [early, late] = [median(values.slice(10, 60)), median(values.slice(-50))];
    expect(late).toBeLessThanOrEqual(early * (1 + tolerance));
  };

  test('the record and the time of each of 200 turns, each a run of one conversation, stay the same', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const session = freshSession();
    const bytes: number[] = [];
    const times: number[] = [];
    for (let turn = 100; turn < 300; turn++) {
      const count = conversation.log.entries.length;
      const began = process.cpuUsage();
      const toolCalls = [{ ...call('look'), id: `call_${String(turn)}` }];
      await run([{ toolCalls }, { text: `Answer ${String(turn)}.` }], {
        ...{ conversation, session, messages: user(`Question ${String(turn)}.`), runId: `r-${String(turn)}` },
      });
      // Of work: other programs on the machine do not count.
      const { user: inUser, system } = process.cpuUsage(began);
      times.push(inUser + system);
      bytes.push(JSON.stringify(conversation.log.entries.slice(count)).length);
    }
    flat(bytes, 0.1);
    flat(times, 4);
    expect(conversation.messages).toHaveLength(1 + 200 * 4);
  }, 120_000);

  test('the record of each of 200 turns of one run stays the same', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const script = Array.from({ length: 200 }, (_none, turn) => ({
      toolCalls: [{ ...call('look'), id: `call_${String(turn + 100)}` }],
    }));
    await run([...script, { text: 'Done.' }], { conversation, session: freshSession(), maxTurns: 201 });
    const bytes = logOf(conversation)
      .filter(({ kind }) => kind === 'outcome')
      .map((entry) => JSON.stringify(entry).length);
    expect(bytes).toHaveLength(200);
    flat(bytes, 0.1);
  }, 120_000);
});

test('an open run has all of its entries in their places, also segments and other models', () => {
  const head = { text: 'T', offered: [], closed: [], fingerprint: '', sections: {} };
  const said = { text: 'x', toolCalls: [], finishReason: 'stop' } as const;
  const { open } = foldEntries([
    { kind: 'conversation', id: 'c', prompt: 'n/k', ...head },
    { kind: 'model', adapter: 'a', means: null },
    { kind: 'run', run: 'r', messages: [] },
    { kind: 'answer', turn: 1, ...said },
    { kind: 'model', adapter: 'b', means: null, fallback: { failure: 'down' } },
    { kind: 'segment', reason: 'model', turn: 2, messages: [], ...head },
    { kind: 'answer', turn: 2, ...said },
  ]);
  expect(open?.entries.map(({ kind }) => kind)).toEqual(['answer', 'model', 'segment', 'answer']);
  expect([open?.model?.adapter, open?.from]).toEqual(['a', 2]);
});
