import { readResponse } from '../src/readResponse';
import { callItem, reasoningItem, responseOf, saidItem } from './support/responses';
import { thrownBy } from './support/thrownBy';

const read = (output: readonly unknown[], rest: object = {}) => readResponse('openai:m', responseOf(output, rest));
const refused = (text: string) => saidItem('', { content: [{ type: 'refusal', refusal: text }] });
const incomplete = (reason: string | undefined) => ({ status: 'incomplete', incomplete_details: { reason } });

describe('readResponse', () => {
  test('a text, with what it cost', () => {
    const usage = {
      input_tokens: 30,
      input_tokens_details: { cached_tokens: 20, cache_write_tokens: 6 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 2 },
      total_tokens: 34,
    };
    expect(read([saidItem('Hi.')], { usage })).toEqual({
      native: { provider: 'openai', content: [saidItem('Hi.')] },
      text: 'Hi.',
      toolCalls: [],
      finishReason: 'stop',
      usage: {
        inputTokens: 30,
        outputTokens: 4,
        totalTokens: 34,
        cachedInputTokens: 20,
        cacheWriteTokens: 6,
        reasoningTokens: 2,
      },
    });
  });

  test('uncounted tokens are undefined', () => {
    expect(read([saidItem('Hi.')]).usage).toBeUndefined();
    expect(read([saidItem('Hi.')], { usage: { input_tokens: '7' } }).usage).toEqual({
      inputTokens: undefined,
      outputTokens: undefined,
      totalTokens: undefined,
      cachedInputTokens: undefined,
    });
  });

  test('parts of a message belong together, messages are separated, and an empty one adds nothing', () => {
    const parts = saidItem('', { content: ['One ', 'two.'].map((text) => ({ type: 'output_text', text })) });
    expect(read([parts, saidItem(''), saidItem('Three.')]).text).toBe('One two.\n\nThree.');
    expect(read([saidItem('', { content: 'As text.' })]).text).toBe('As text.');
    expect(read([saidItem('')]).text).toBe('');
    expect(read([]).text).toBeNull();
  });

  test('ADPT-06: text and calls come together; calls are the reason to stop', () => {
    const calls = [callItem('a', 'find', '{"id":7}'), callItem('b', 'open', '{"x')];
    expect(read([saidItem('I look.'), ...calls])).toMatchObject({
      text: 'I look.',
      toolCalls: [
        { id: 'a', name: 'find', arguments: '{"id":7}' },
        { id: 'b', name: 'open', arguments: '{"x' },
      ],
      finishReason: 'tool_calls',
      usage: undefined,
    });
  });

  test('ADPT-04: a missing id is made, equal ones stay, and the item’s own id is not one of the call', () => {
    const ids = read([callItem('a', 'x'), callItem(undefined, 'x'), callItem('call_1', 'x'), callItem('a', 'x')]);
    expect(ids.toolCalls.map(({ id }) => id)).toEqual(['a', 'call_1_', 'call_1', 'a']);
  });

  test('a call of free text is a call with that text', () => {
    const call = { type: 'custom_tool_call', id: 'ctc_1', call_id: 'a', name: 'sql', input: 'select 1' };
    expect(read([call]).toolCalls).toEqual([{ id: 'a', name: 'sql', arguments: 'select 1' }]);
  });

  test('ADPT-06: a refusal is the text, and no call of it counts', () => {
    expect(read([reasoningItem('rs_1'), refused('I will not.'), callItem('a', 'find')])).toEqual({
      native: { provider: 'openai', content: [reasoningItem('rs_1'), refused('I will not.')] },
      text: 'I will not.',
      toolCalls: [],
      finishReason: 'refusal',
      usage: undefined,
    });
  });

  test.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content_filter'],
    [undefined, 'length'],
  ])('ADPT-06: an answer cut short by %s keeps its reason, so that the loop runs no call', (reason, finishReason) => {
    const response = read([saidItem('It was'), callItem('a', 'find')], incomplete(reason));
    expect(response).toMatchObject({ text: 'It was', toolCalls: [{ id: 'a' }], finishReason });
  });

  test('ADPT-06: a response whose call is marked as incomplete was cut by the length limit', () => {
    expect(read([callItem('a', 'find', '{"i', { status: 'incomplete' })]).finishReason).toBe('length');
    expect(read([callItem('a', 'find', '{}', { status: 'in_progress' })]).finishReason).toBe('tool_calls');
  });
});

describe('readResponse: items that are sent back', () => {
  test('every item is sent back as it came, with ids, annotations and whatever there is', () => {
    const annotations = [
      { type: 'url_citation', url: 'https://example.com', title: 'x', start_index: 0, end_index: 1 },
    ];
    const items = [
      reasoningItem('rs_1'),
      saidItem('', { content: [{ type: 'output_text', text: 'I look.', annotations }], phase: 'commentary' }),
      { type: 'tool_search_call', id: 'tsc_1', execution: 'server' },
      { type: 'of_tomorrow', id: 'x_1', deep: { er: [1] } },
      saidItem(''),
      callItem('a', 'find', '{}', { namespace: 'find' }),
    ];
    expect(read(items).native).toEqual({ provider: 'openai', content: items });
    expect(read([saidItem('Hi.')]).native?.content).toEqual([saidItem('Hi.')]);
  });

  test('nothing has to go back of an empty answer', () => {
    expect(read([])).not.toHaveProperty('native');
  });
});

describe('readResponse: unusable answers', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'did not answer with a response: undefined'],
    ['a page', '<html>', 'did not answer with a response: the string "<html>"'],
    ['a completion', { choices: [] }, 'did not answer with a response: {"choices":[]}'],
    ['an item that is none', responseOf([7]), 'answered an invalid item: the number 7'],
    ['an item without a type', responseOf([{ text: 'x' }]), 'answered an invalid item: {"text":"x"}'],
    ['a message without content', responseOf([{ type: 'message' }]), 'answered a message without content: undefined'],
    ['ADPT-04: a call with an empty name', responseOf([callItem('a', '')]), 'without the name of a tool'],
    ['an answer still to come', responseOf([], { status: 'in_progress' }), 'answered a response that is in_progress'],
  ])('readResponse refuses %s', (_name, response, problem) => {
    const error = thrownBy(() => readResponse('openai:m', response));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
    expect(error.message).toContain(problem);
    expect(error.message.startsWith('openai:m ')).toBe(true);
  });
});
