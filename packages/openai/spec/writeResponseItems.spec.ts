import type { Message } from 'toolwright';
import { writtenItems } from './support/written';
import { responseProblems } from './support/responseRules';
import { reasoningItem } from './support/responses';

const user: Message = { role: 'user', content: 'Hello' };
const call = (id: string, name = 'find', args: string | null = '{}') => ({ id, name, arguments: args });
const answer = (toolCallId: string, content = 'done'): Message => ({
  role: 'tool',
  toolCallId,
  name: 'find',
  content,
  failed: false,
});
const native = (content: readonly object[], provider = 'openai') => ({ provider, content: content as never });

/** The items of a conversation, which the provider accepts. */
function items(messages: readonly Message[], isStored = false): readonly unknown[] {
  const input = writtenItems(messages, { isStored });
  expect(responseProblems({ model: 'm', input, store: isStored })).toEqual([]);
  return input;
}

describe('responseItems', () => {
  test('prompt and user speak as messages; text, calls and outputs are items of their own', () => {
    expect(
      items([
        { role: 'system', content: 'You help.' },
        user,
        { role: 'assistant', content: 'I look.', toolCalls: [call('a'), call('b', 'open', null)] },
        answer('a', ''),
        answer('b'),
      ]),
    ).toEqual([
      { role: 'system', content: 'You help.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'I look.' },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
      { type: 'function_call', call_id: 'b', name: 'open', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: '' },
      { type: 'function_call_output', call_id: 'b', output: 'done' },
    ]);
  });

  test('an answer without text or calls is left out', () => {
    expect(items([user, { role: 'assistant', content: null }, { role: 'assistant', content: ' \n' }])).toHaveLength(1);
  });

  test('ADPT-04: no id is sent twice, not in a later turn either; long ids and made-up names become legal', () => {
    const long = 'x'.repeat(80);
    const sent = items([
      { role: 'assistant', content: null, toolCalls: [call('a'), call('a'), call(long, 'functions.find it')] },
      answer('a', 'one'),
      answer('a', 'two'),
      answer(long, 'three'),
      { role: 'assistant', content: null, toolCalls: [call('a'), call(long)] },
      answer('a', 'four'),
      answer(long, 'five'),
    ]);
    const cut = 'x'.repeat(56);
    expect(sent).toMatchObject([
      { call_id: 'a' },
      { call_id: 'a_2' },
      { call_id: cut, name: 'functions_find_it' },
      { call_id: 'a', output: 'one' },
      { call_id: 'a_2', output: 'two' },
      { call_id: cut, output: 'three' },
      { call_id: 'a_3' },
      { call_id: `${cut}_2` },
      { call_id: 'a_3', output: 'four' },
      { call_id: `${cut}_2`, output: 'five' },
    ]);
  });

  test('arguments are sent back as they came, malformed or parsed', () => {
    const toolCalls = [call('a', 'find', '{"x'), { id: 'b', name: 'find', arguments: { id: 7 } }];
    expect(items([{ role: 'assistant', content: null, toolCalls }, answer('a'), answer('b')])).toMatchObject([
      { arguments: '{"x' },
      { arguments: '{"id":7}' },
      {},
      {},
    ]);
  });
});

describe("responseItems: content in the provider's own form", () => {
  const reasoning = reasoningItem('rs_1');
  const said = (content: string) => ({ type: 'message', role: 'assistant', content, phase: 'commentary' });

  test('native content goes back in its place, with the calls of the conversation', () => {
    const content = [reasoning, said('I look.'), { type: 'function_call', namespace: 'find' }];
    expect(
      items([{ role: 'assistant', content: 'I look.', toolCalls: [call('a')], native: native(content) }, answer('a')]),
    ).toEqual([
      reasoning,
      said('I look.'),
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}', namespace: 'find' },
      { type: 'function_call_output', call_id: 'a', output: 'done' },
    ]);
  });

  test('no call is lost, not even one that it does not hold', () => {
    const toolCalls = [call('a'), call('b')];
    const message: Message = { role: 'assistant', content: null, toolCalls, native: native([reasoning]) };
    expect(items([message, answer('a'), answer('b')])).toMatchObject([
      reasoning,
      { call_id: 'a' },
      { call_id: 'b' },
      {},
      {},
    ]);
  });

  test('an item of another provider is not read', () => {
    const message: Message = { role: 'assistant', content: 'Hi.', native: native([reasoning], 'anthropic') };
    expect(items([message])).toEqual([{ role: 'assistant', content: 'Hi.' }]);
  });

  test('reasoning that cannot be looked up is left out, unless the provider stores its answers', () => {
    const bare = reasoningItem('rs_1', null);
    const message: Message = { role: 'assistant', content: 'Hi.', native: native([bare, said('Hi.')]) };
    expect(items([message])).toEqual([said('Hi.')]);
    // An item with an id is the provider's only with the reasoning before it.
    const named: Message = { ...message, native: native([bare, { ...said('Hi.'), id: 'msg_1' }]) };
    expect(items([named])).toEqual([said('Hi.')]);
    expect(items([message], true)).toEqual([bare, said('Hi.')]);
  });

  test('reasoning that was cut short, so that nothing follows it, is left out', () => {
    const message: Message = { role: 'assistant', content: null, native: native([reasoning]) };
    expect(items([user, message, user])).toHaveLength(2);
    const blank: Message = { role: 'assistant', content: '', native: native([reasoning, said(' ')]) };
    expect(items([user, blank, user])).toEqual([expect.anything(), reasoning, said(' '), expect.anything()]);
  });
});
