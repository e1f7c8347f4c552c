import { Conversation, type RunEntry, type QuestionReply } from 'toolwright/conversations';
import type { ModelResponse } from 'toolwright';
import { freshSession, deskOf, user } from './desk';

const answer: ModelResponse = { text: 'Done.', toolCalls: [], finishReason: 'stop' };
const nested = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level++) value = { inner: value };
  return value;
};
const native = (value: unknown) => ({ native: { provider: 'p', content: [value] } });

describe('an answer that a log could not be read with is refused before it is recorded', () => {
  const answered = async (change: object): Promise<Conversation> => {
    const { app, prompt } = await deskOf();
    const conversation = new Conversation();
    const adapter = { name: 'made up', complete: async () => ({ ...answer, ...change }) };
    await app.evaluate(prompt, { adapter, conversation, session: freshSession(), messages: user('Go on.') });
    return conversation;
  };

  test.each<[what: string, place: string, change: object]>([
    ['tokens that JSON does not hold', 'usage.inputTokens', { usage: { inputTokens: Infinity } }],
    ['content of no provider', 'native.provider', { native: { content: [] } }],
    ['content that is no list', 'native.content', { native: { provider: 'p', content: {} } }],
    ['content of 10,000 levels', 'native', native(nested(10_000))],
    ['content of 200,000 values', 'native', native(Array(200_000).fill(0))],
    [
      'a call whose name on the wire is a number',
      'toolCalls[0].wireName',
      { finishReason: 'tool_calls', toolCalls: [{ id: 'i', name: 'look', arguments: {}, wireName: 1 }] },
    ],
  ])('E702 an answer is refused before it is recorded: %s', async (_what, place, change) => {
    await expect(answered(change)).rejects.toMatchObject({
      ...{ code: 'E702', message: expect.stringContaining(`: ${place}: expected `) as string },
    });
  });

  test('content of 200 levels is recorded and read again', async () => {
    const conversation = await answered(native(nested(200)));
    const read = Conversation.fromJSON(JSON.parse(JSON.stringify(conversation)));
    expect(read.messages).toEqual(conversation.messages);
  });
});

test.each([
  [null, 'the reply'],
  ['approved', 'the reply'],
  [{ kind: 'maybe' }, 'reply.kind'],
  [{ kind: 'denied' }, 'reply.reason'],
  [{ kind: 'approved', by: 1 }, 'reply.by'],
])('E735 the reply %j, which a log could not be read with, is refused', async (reply, place) => {
  const entries: readonly RunEntry[] = [
    {
      kind: 'conversation',
      version: 1,
      id: 'c',
      prompt: 'spec/desk',
      text: 'Help.',
      ...{ offered: [], closed: [], fingerprint: '', sections: {} },
    },
    { kind: 'run', run: 'r', messages: [{ role: 'user', content: 'Go on.' }] },
    {
      kind: 'answer',
      turn: 1,
      text: null,
      finishReason: 'tool_calls',
      toolCalls: [{ id: 'i', name: 'note', arguments: {} }],
    },
    { kind: 'question', id: 'q-1', call: '1.0', name: 'note', arguments: {}, about: 'approval', askedAt: 1 },
  ];
  const conversation = Conversation.fromJSON({ format: 'toolwright/conversation', version: 1, id: 'c', entries });
  await expect(conversation.reply('q-1', reply as QuestionReply)).rejects.toMatchObject({
    ...{ code: 'E735', message: expect.stringContaining(`${place}: expected `) as string },
  });
  expect(conversation.questions).toHaveLength(1);
});
