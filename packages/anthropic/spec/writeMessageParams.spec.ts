import fc from 'fast-check';
import type { Message, ToolCall } from 'toolwright';
import { writeMessageParams, messagesOf } from '../src/writeMessageParams';
import { requestProblems } from './support/requestRules';

const call = (id: string, args: ToolCall['arguments'] = {}, name = 'find'): ToolCall => ({ id, name, arguments: args });
const answer = ({ id, name }: ToolCall, content = 'done', failed = false): Message => ({
  role: 'tool',
  toolCallId: id,
  name,
  content,
  failed,
});
const turn = (calls: readonly ToolCall[], content: string | null = null): Message[] => [
  { role: 'assistant', content, toolCalls: calls },
  ...calls.map((made, index) => answer(made, `answer ${String(index)}`)),
];
const user = (content: string): Message => ({ role: 'user', content });
const sent = (messages: readonly Message[]) => {
  const { system, entries } = writeMessageParams(messages);
  return { system, messages: messagesOf(entries) };
};
const written = (...messages: readonly Message[]) => sent(messages).messages;

describe('messageParams', () => {
  test('system messages before the first message are the prompt; a later one is said by the user', () => {
    expect(
      sent([
        { role: 'system', content: 'You help.' },
        { role: 'system', content: 'Briefly.' },
        user('Hello'),
        { role: 'system', content: 'It is late.' },
      ]),
    ).toEqual({
      system: [
        { type: 'text', text: 'You help.' },
        { type: 'text', text: 'Briefly.' },
      ],
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Hello' },
            { type: 'text', text: 'It is late.' },
          ],
        },
      ],
    });
  });

  test('a conversation that no user begins is begun', () => {
    const begun = {
      role: 'user',
      content: [{ type: 'text', text: '[The conversation begins here, without a message of the user.]' }],
    };
    expect(sent([{ role: 'system', content: 'You help.' }]).messages).toEqual([begun]);
    expect(written({ role: 'assistant', content: 'Hi.' })[0]).toEqual(begun);
    expect(written(...turn([call('a')])).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  test('the answers of a turn and the note after them are one message', () => {
    expect(
      written(user('Hello'), ...turn([call('a', { id: 1 }), call('b')], 'Looking.'), user('Hurry up.')).slice(1),
    ).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Looking.' },
          { type: 'tool_use', id: 'a', name: 'find', input: { id: 1 } },
          { type: 'tool_use', id: 'b', name: 'find', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'answer 0' },
          { type: 'tool_result', tool_use_id: 'b', content: 'answer 1' },
          { type: 'text', text: 'Hurry up.' },
        ],
      },
    ]);
  });

  test('a failure is marked as one, and has a text', () => {
    const [made] = [call('a')];
    const told = (content: string, failed: boolean) =>
      written({ role: 'assistant', content: null, toolCalls: [made] }, answer(made, content, failed)).at(-1)
        ?.content[0];
    expect(told('No such order.', true)).toEqual({
      type: 'tool_result',
      tool_use_id: 'a',
      content: 'No such order.',
      is_error: true,
    });
    expect(told('', true)).toMatchObject({ content: 'The tool failed.', is_error: true });
    expect(told(' ', false)).toEqual({ type: 'tool_result', tool_use_id: 'a' });
  });

  test.each<[ToolCall['arguments'], unknown]>([
    [null, {}],
    ['', {}],
    ['{"id":1}', { id: 1 }],
    ['{"id', { arguments: '{"id' }],
    ['[1]', { arguments: [1] }],
    ['null', { arguments: null }],
    [{ id: 1 }, { id: 1 }],
  ])('the arguments %j are sent back as %j', (given, input) => {
    expect(written(...turn([call('a', given)]))[1]?.content[0]).toMatchObject({ input });
  });

  test('ADPT-04: no id is sent twice, not in a later turn either; made-up ids and names become legal', () => {
    const messages = written(
      ...turn([call('x'), call('x'), call('x_2')]),
      ...turn([call('x'), call('fc.1', {}, 'a b')]),
    );
    const ids = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    const answered = messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_result' ? [block.tool_use_id] : [])),
    );
    expect(ids).toEqual(['x', 'x_3', 'x_2', 'x_4', 'fc_1']);
    expect(answered).toEqual(ids);
    expect(messages.at(-2)?.content[1]).toMatchObject({ name: 'a_b' });
  });

  test('blocks that the provider wants back go back as they came, with calls as the conversation holds them', () => {
    const thinking = { type: 'thinking', thinking: 'Hm.', signature: 's1' };
    const native = { provider: 'anthropic', content: [thinking, { type: 'text', text: '' }, { type: 'tool_use' }] };
    const [made] = [call('a', '{"id":1}')];
    const conversation = (provider: string): Message[] => [
      user('Hello'),
      { role: 'assistant', content: '', toolCalls: [made], native: { ...native, provider } },
      answer(made),
    ];
    const use = { type: 'tool_use', id: 'a', name: 'find', input: { id: 1 } };
    expect(written(...conversation('anthropic'))[1]?.content).toEqual([thinking, { type: 'text', text: '' }, use]);
    expect(written(...conversation('another'))[1]?.content).toEqual([use]);
  });

  test('the input messages are not changed', () => {
    const messages = [user('Hello'), ...turn([call('x', { id: 1 }), call('x')])];
    const before = structuredClone(messages);
    writeMessageParams(messages);
    expect(messages).toEqual(before);
  });

  test('whatever was said and called, the conversation is one that the provider takes', () => {
    const anyCall = fc.record({
      id: fc.constantFrom('a', 'a_2', 'b', 'call_0', 'functions.find:0', ''),
      name: fc.string(),
      arguments: fc.oneof(fc.string(), fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue())),
    });
    const text = fc.oneof(fc.string(), fc.constantFrom('', ' ', '\n'));
    const anyTurn = fc.oneof(
      fc
        .tuple(fc.array(fc.tuple(anyCall, text, fc.boolean()), { minLength: 1, maxLength: 5 }), fc.option(text))
        .map(([calls, content]): Message[] => [
          { role: 'assistant', content, toolCalls: calls.map(([made]) => made) },
          ...calls.map(([made, said, failed]) => answer(made, said, failed)),
        ]),
      fc.option(text).map((content): Message[] => [{ role: 'assistant', content }]),
      text.map((content): Message[] => [user(content)]),
      text.map((content): Message[] => [{ role: 'system', content }]),
    );
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 6 }), (turns) => {
        const body: unknown = JSON.parse(JSON.stringify({ model: 'm', max_tokens: 1, ...sent(turns.flat()) }));
        expect(requestProblems(body)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
