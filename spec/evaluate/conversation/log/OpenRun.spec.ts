import type { Message, ToolCall } from 'toolwright';
import { Conversation, type RunEntry } from 'toolwright/conversations';
import { OpenRun } from '../../../../src/evaluate/conversation/log/OpenRun';
import { call, deskOf, freshSession, user } from '../desk';

const look = (id: string): ToolCall => ({ id, name: 'look', arguments: {} });
const answer = (turn: number, ...ids: readonly string[]): RunEntry => ({
  kind: 'answer',
  turn,
  text: null,
  toolCalls: ids.map(look),
  finishReason: 'tool_calls',
});
const outcome = (call: string, id: string): RunEntry<'outcome'> => ({
  kind: 'outcome',
  call,
  name: 'look',
  outcome: 'succeeded',
  message: { role: 'tool', toolCallId: id, name: 'look', content: `of ${call}`, failed: false },
});
const note: RunEntry = {
  kind: 'note',
  turn: 1,
  about: 'limits',
  message: { role: 'user', content: 'One request is left.', note: 'operator' },
};
const runOf = (...entries: readonly RunEntry[]): OpenRun => {
  const run = new OpenRun({ kind: 'run', run: 'r', messages: [] });
  for (const entry of entries) run.add(entry);
  return run;
};
const shown = (messages: readonly Message[]): readonly string[] =>
  messages.map((message) => (message.role === 'tool' ? message.content : message.role));

describe('the messages of a run that goes on', () => {
  test.each<[string, readonly RunEntry[], readonly string[]]>([
    [
      'outcomes in the order of the calls',
      [answer(1, 'a', 'b'), outcome('1.1', 'b'), outcome('1.0', 'a')],
      ['of 1.0', 'of 1.1'],
    ],
    ['the outcomes so far', [answer(1, 'a', 'b', 'c'), outcome('1.1', 'b')], ['of 1.1']],
    [
      'a call that was sent twice',
      [answer(1, 'a', 'a', 'b'), outcome('1.0', 'a'), outcome('1.2', 'b')],
      ['of 1.0', 'of 1.0', 'of 1.2'],
    ],
    ['one that was sent twice at the end', [answer(1, 'a', 'a'), outcome('1.0', 'a')], ['of 1.0', 'of 1.0']],
    ['a note after them', [answer(1, 'a'), outcome('1.0', 'a'), note], ['of 1.0', 'user']],
    [
      'another turn after a note',
      [answer(1, 'a'), outcome('1.0', 'a'), note, answer(2, 'a'), outcome('2.0', 'a')],
      ['of 1.0', 'user', 'assistant', 'of 2.0'],
    ],
    [
      'more than ten calls',
      [answer(12, ...'a b c d e f g h i j k l'.split(' ')), outcome('12.11', 'l'), outcome('12.2', 'c')],
      ['of 12.2', 'of 12.11'],
    ],
  ])('a run that goes on has the messages: %s', (_what, entries, expected) => {
    expect(shown(runOf(...entries).messages)).toEqual(['assistant', ...expected]);
  });

  test('the messages of a run that goes on are the objects that the loop sends: adapters remember what they wrote for each', async () => {
    const { run } = await deskOf();
    const conversation = new Conversation();
    const { adapter } = await run(
      [{ toolCalls: [call('look')] }, { toolCalls: [call('look'), { ...call('keep'), id: 'k' }] }, { text: 'Done.' }],
      { conversation, session: freshSession(), messages: user('Go.') },
    );
    const sent = adapter.requests.at(-1)?.messages ?? [];
    expect(sent.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool', 'assistant', 'tool', 'tool']);
    for (const [at, message] of sent.entries()) expect(message).toBe(conversation.messages[at]);
  });
});
