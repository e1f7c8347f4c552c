import fc from 'fast-check';
import { PromptEvaluationError } from 'toolwright';
import { readCompletion } from '../src/readCompletion';
import { thrownBy } from './support/thrownBy';

type Fields = Record<string, unknown>;

function completion(message: Fields, choice: Fields = {}, rest: Fields = {}): Fields {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: [
      { index: 0, message: { role: 'assistant', refusal: null, ...message }, finish_reason: 'stop', ...choice },
    ],
    ...rest,
  };
}

const called = (fields: Fields = {}, fn: Fields = {}): Fields => ({
  id: 'call_a',
  type: 'function',
  function: { name: 'find', arguments: '{}', ...fn },
  ...fields,
});

const read = (answer: unknown) => readCompletion('openai:m', answer);
const readCalls = (...calls: unknown[]) => read(completion({ content: null, tool_calls: calls })).toolCalls;

describe('readCompletion: text and reason', () => {
  test('readCompletion reads a text', () => {
    expect(read(completion({ content: 'Hello.' }))).toEqual({
      text: 'Hello.',
      toolCalls: [],
      finishReason: 'stop',
      usage: undefined,
    });
  });

  test('ADPT-06: an answer whose text is null, or not there, without a call, has the text null', () => {
    expect(read(completion({ content: null }))).toMatchObject({ text: null, toolCalls: [], finishReason: 'stop' });
    expect(read(completion({}))).toMatchObject({ text: null });
    expect(read(completion({ content: '' }))).toMatchObject({ text: '' });
  });

  test('the parts of a text are put together', () => {
    const content = [{ type: 'text', text: 'Hel' }, { type: 'thinking' }, { type: 'text', text: 'lo.' }];
    expect(read(completion({ content }))).toMatchObject({ text: 'Hello.' });
  });

  test.each([
    ['stop', 'stop'],
    ['tool_calls', 'tool_calls'],
    ['function_call', 'tool_calls'],
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['insufficient_system_resource', 'other'],
    [null, 'other'],
    [undefined, 'other'],
  ])('readCompletion reads the finish_reason %j as %s', (finish_reason, reason) => {
    expect(read(completion({ content: 'x' }, { finish_reason })).finishReason).toBe(reason);
  });

  test('ADPT-06: a refusal is the text, and no call of it counts', () => {
    const refused = completion({ content: null, refusal: 'I cannot help with that.', tool_calls: [called()] });
    expect(read(refused)).toEqual({
      text: 'I cannot help with that.',
      toolCalls: [],
      finishReason: 'refusal',
      usage: undefined,
    });
    expect(read(completion({ content: 'Hi', refusal: '' }))).toMatchObject({ text: 'Hi', finishReason: 'stop' });
  });

  test('the first of several choices counts', () => {
    const answer = {
      choices: [...(completion({ content: 'a' })['choices'] as unknown[]), { message: { content: 'b' } }],
    };
    expect(read(answer).text).toBe('a');
  });
});

describe('readCompletion: tool calls', () => {
  test('ADPT-06: text and calls come together', () => {
    const answer = completion(
      { content: 'Looking.', tool_calls: [called(), called({ id: 'call_b' }, { arguments: '{"id":2}' })] },
      { finish_reason: 'tool_calls' },
    );
    expect(read(answer)).toMatchObject({
      text: 'Looking.',
      finishReason: 'tool_calls',
      toolCalls: [
        { id: 'call_a', name: 'find', arguments: '{}' },
        { id: 'call_b', name: 'find', arguments: '{"id":2}' },
      ],
    });
  });

  test('ADPT-06: calls that were cut short keep their reason, so that the loop runs none', () => {
    const answer = completion(
      { content: null, tool_calls: [called({}, { arguments: '{"id' })] },
      { finish_reason: 'length' },
    );
    expect(read(answer)).toMatchObject({ finishReason: 'length', toolCalls: [{ arguments: '{"id' }] });
  });

  test('`stop` beside calls is `tool_calls`', () => {
    expect(read(completion({ content: null, tool_calls: [called()] })).finishReason).toBe('tool_calls');
  });

  test.each([
    ['text, malformed or not', '{"', '{"'],
    ['an object', { id: 1 }, { id: 1 }],
    ['null', null, null],
    ['nothing', undefined, null],
    ['anything else, as JSON', [1], '[1]'],
  ])('ADPT-03: readCompletion reads arguments that are %s', (_name, given, passed) => {
    expect(readCalls(called({}, { arguments: given }))).toEqual([{ id: 'call_a', name: 'find', arguments: passed }]);
  });

  test('ADPT-04: a missing id is made from the position; the ids that came stay, equal ones too', () => {
    const ids = readCalls(
      called({ id: undefined }),
      called({ id: 'x' }),
      called({ id: '' }),
      called({ id: 'x' }),
      called({ id: null }),
    ).map(({ id }) => id);
    expect(ids).toEqual(['call_0', 'x', 'call_2', 'x', 'call_4']);
  });

  test('ADPT-04: a made id is never one that the model gave to another call', () => {
    expect(readCalls(called({ id: 'call_1' }), called({ id: undefined })).map(({ id }) => id)).toEqual([
      'call_1',
      'call_1_',
    ]);
  });

  test('a call without a type is a function call', () => {
    expect(readCalls(called({ type: undefined }))).toHaveLength(1);
  });

  test('the older form with one call is read as well', () => {
    const answer = completion(
      { content: null, function_call: { name: 'find', arguments: '{}' } },
      { finish_reason: 'function_call' },
    );
    expect(read(answer)).toMatchObject({
      finishReason: 'tool_calls',
      toolCalls: [{ id: 'call_0', name: 'find', arguments: '{}' }],
    });
    const both = completion({
      content: null,
      tool_calls: [called()],
      function_call: { name: 'find', arguments: '{}' },
    });
    expect(read(both).toolCalls).toHaveLength(1);
  });
});

describe('readCompletion: usage', () => {
  test('every figure that came is read', () => {
    const usage = {
      prompt_tokens: 10,
      completion_tokens: 0,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 4, audio_tokens: 0 },
    };
    expect(read(completion({ content: '' }, {}, { usage })).usage).toEqual({
      inputTokens: 10,
      outputTokens: 0,
      totalTokens: 10,
      cachedInputTokens: 4,
    });
  });

  test('a figure that did not come is undefined, and never 0', () => {
    const { usage } = read(completion({ content: '' }, {}, { usage: { prompt_tokens: 3, total_tokens: null } }));
    expect(usage).toStrictEqual({
      inputTokens: 3,
      outputTokens: undefined,
      totalTokens: undefined,
      cachedInputTokens: undefined,
    });
    expect(read(completion({ content: '' }, {}, { usage: null })).usage).toBeUndefined();
  });
});

describe('readCompletion: answers that cannot be used', () => {
  test.each<[string, unknown, string]>([
    ['nothing', undefined, 'did not answer with a chat completion: undefined'],
    ['a text', '<html>', 'did not answer with a chat completion: the string "<html>"'],
    [
      'an error',
      { error: { message: 'no route' } },
      'did not answer with a chat completion: {"error":{"message":"no route"}}',
    ],
    ['ADPT-06: no choices', { id: 'c', choices: [] }, 'answered without any choice: {"id":"c","choices":[]}'],
    ['choices: null', { choices: null }, 'did not answer with a chat completion: {"choices":null}'],
    ['a choice without message', { choices: [{ text: 'x' }] }, 'answered a choice without a message: {"text":"x"}'],
    ['a choice that is null', { choices: [null] }, 'answered a choice without a message: null'],
    ['a number as text', completion({ content: 7 }), 'answered an invalid text: the number 7'],
    ['calls that are no list', completion({ tool_calls: {} }), 'answered tool calls that are not a list: {}'],
    ['a call that is null', completion({ tool_calls: [null] }), 'answered an invalid tool call 0: null'],
    [
      'a custom tool call',
      completion({ tool_calls: [called(), { id: 'b', type: 'custom', custom: { name: 'x', input: '' } }] }),
      'answered a tool call 1 of a type that was not offered: {"id":"b","type":"custom","custom":{"name":"x","input":""}}',
    ],
    [
      'ADPT-04: an empty name',
      completion({ tool_calls: [called({}, { name: ' ' })] }),
      'answered a tool call 0 without the name of a tool: {"id":"call_a","type":"function","function":{"name":" ","arguments":"{}"}}',
    ],
    [
      'no function',
      completion({ tool_calls: [{ id: 'a' }] }),
      'answered a tool call 0 without the name of a tool: {"id":"a"}',
    ],
  ])('readCompletion refuses %s', (_name, answer, problem) => {
    const error = thrownBy(() => read(answer));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
    expect(error.message).toBe(`openai:m ${problem}`);
  });

  test('an answer that cannot be used is shown in part, and without keys', () => {
    const { message } = thrownBy(() => read({ error: `Bearer abcdefgh ${'x'.repeat(5_000)}` }));
    expect(message.length).toBeLessThan(400);
    expect(message).toContain('Bearer [redacted]');
  });

  test('an answer that is too deep to be shown is refused with its type', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
    expect(thrownBy(() => read(deep)).message).toBe('openai:m did not answer with a chat completion: an array of 1');
  });

  test('any JSON is either read or refused with E702', () => {
    const keys = ['choices', 'message', 'content', 'tool_calls', 'function', 'name', 'id', 'usage', 'refusal'];
    const { json } = fc.letrec<{ json: unknown; node: unknown }>((tie) => ({
      node: fc.oneof(
        fc.array(tie('json'), { maxLength: 2 }),
        fc.dictionary(fc.constantFrom(...keys), tie('json'), { maxKeys: 4 }),
      ),
      json: fc.oneof({ depthSize: 'small' }, fc.constantFrom(null, '', 'x', 0, true), tie('node')),
    }));
    const likely = fc.oneof(
      json,
      json.map((message) => ({ choices: [{ message }] })),
      json.map((call) => completion({ content: null, tool_calls: [call] })),
    );
    fc.assert(
      fc.property(likely, (answer) => {
        try {
          const { text, toolCalls } = read(answer);
          expect(text === null || typeof text === 'string').toBe(true);
          for (const { id, name } of toolCalls) expect(id !== '' && name.trim() !== '').toBe(true);
        } catch (error) {
          expect(error instanceof PromptEvaluationError && error.code === 'E702').toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
