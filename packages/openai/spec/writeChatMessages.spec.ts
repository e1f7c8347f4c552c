import fc from 'fast-check';
import type { Message, ToolCall } from 'toolwright';
import { writtenChat as chatMessages } from './support/written';
import { requestProblems } from './support/requestRules';

/** One turn: the calls, and an answer to each. */
function turn(calls: readonly ToolCall[], content: string | null = null): Message[] {
  return [
    { role: 'assistant', content, toolCalls: calls },
    ...calls.map(({ id, name }, index): Message => ({
      role: 'tool',
      toolCallId: id,
      name,
      content: `answer ${String(index)}`,
      failed: false,
    })),
  ];
}

const call = (id: string, args: ToolCall['arguments'] = '{}', name = 'find'): ToolCall => ({
  id,
  name,
  arguments: args,
});

describe('chatMessages', () => {
  test('every role is written in its own form', () => {
    const written = chatMessages([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Looking.', toolCalls: [call('a', '{"id":1}')] },
      { role: 'tool', toolCallId: 'a', name: 'find', content: 'found', failed: false },
      { role: 'assistant', content: 'There it is.' },
    ]);
    expect(written).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello' },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{"id":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'found' },
      { role: 'assistant', content: 'There it is.' },
    ]);
  });

  test.each<[string, ToolCall['arguments'], string]>([
    ['text goes as it came', '{"id": 1}', '{"id": 1}'],
    ['malformed text goes as it came', '{"id', '{"id'],
    ['an object is written out', { id: [1, null], 'ä"\n': '\ud800' }, '{"id":[1,null],"ä\\"\\n":"\\ud800"}'],
    ['null is an empty object', null, '{}'],
    ['empty text is an empty object', '', '{}'],
    ['blank text is an empty object', ' \n', '{}'],
  ])('writeChatMessages writes arguments: %s', (_name, given, sent) => {
    const [assistant] = chatMessages(turn([call('a', given)]));
    expect(assistant).toMatchObject({ tool_calls: [{ function: { arguments: sent } }] });
  });

  test('content may be null beside calls only; an answer without text is sent as empty text', () => {
    expect(chatMessages(turn([call('a')]))[0]).toMatchObject({ content: null });
    expect(chatMessages([{ role: 'assistant', content: null }])).toEqual([{ role: 'assistant', content: '' }]);
    expect(chatMessages([{ role: 'assistant', content: null, toolCalls: [] }])).toEqual([
      { role: 'assistant', content: '' },
    ]);
  });

  test('ADPT-04: two calls with one id are sent with two, each with its own answer', () => {
    const [assistant, ...answers] = chatMessages(turn([call('x'), call('x', '{"id":2}'), call('x_2'), call('x')]));
    expect(assistant).toMatchObject({ tool_calls: [{ id: 'x' }, { id: 'x_3' }, { id: 'x_2' }, { id: 'x_4' }] });
    expect(answers).toEqual([
      { role: 'tool', tool_call_id: 'x', content: 'answer 0' },
      { role: 'tool', tool_call_id: 'x_3', content: 'answer 1' },
      { role: 'tool', tool_call_id: 'x_2', content: 'answer 2' },
      { role: 'tool', tool_call_id: 'x_4', content: 'answer 3' },
    ]);
  });

  test('ADPT-04: the same id in a later turn is left alone', () => {
    const sent = chatMessages([...turn([call('call_0')]), ...turn([call('call_0')])]);
    expect(sent.filter(({ role }) => role === 'tool')).toEqual([
      { role: 'tool', tool_call_id: 'call_0', content: 'answer 0' },
      { role: 'tool', tool_call_id: 'call_0', content: 'answer 0' },
    ]);
  });

  test.each([
    ['functions.find', 'functions_find'],
    ['find order', 'find_order'],
    ['suché', 'such_'],
    ['x'.repeat(70), 'x'.repeat(64)],
    ['', 'unnamed'],
  ])('a made-up name %j is sent back as %j, which the provider takes', (name, sent) => {
    const messages = chatMessages(turn([call('a', '{}', name)]));
    expect(messages[0]).toMatchObject({ tool_calls: [{ function: { name: sent } }] });
    expect(requestProblems({ model: 'm', messages })).toEqual([]);
  });

  test('the input messages and calls are not changed', () => {
    const messages = turn([call('x', { id: 1 }), call('x')]);
    const before = structuredClone(messages);
    chatMessages(messages);
    expect(messages).toEqual(before);
  });

  test('whatever a model called, the conversation is one that the provider takes', () => {
    const anyCall = fc.record({
      id: fc.constantFrom('a', 'a_2', 'b', 'call_0'),
      name: fc.string(),
      arguments: fc.oneof(fc.string(), fc.constant(null), fc.dictionary(fc.string(), fc.jsonValue())),
    });
    const anyTurn = fc.oneof(
      fc
        .tuple(fc.array(anyCall, { minLength: 1, maxLength: 5 }), fc.option(fc.string()))
        .map(([calls, text]) => turn(calls, text)),
      fc.option(fc.string()).map((content): Message[] => [{ role: 'assistant', content }]),
      fc.string().map((content): Message[] => [{ role: 'user', content }]),
    );
    fc.assert(
      fc.property(fc.array(anyTurn, { maxLength: 6 }), (turns) => {
        const messages = chatMessages([{ role: 'system', content: '' }, ...turns.flat()]);
        // Over the wire and back, as the provider sees it.
        const body: unknown = JSON.parse(JSON.stringify({ model: 'm', messages }));
        expect(requestProblems(body)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });
});
