import fc from 'fast-check';
import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { AnthropicAdapter } from '@toolwright/anthropic';
import { adapterOver, eventsOf, message, sse } from './support/client';
import { messagesWire } from './support/wire';
import { json, requestOf } from '../../openai/spec/support/client';
import { rejectionOf } from '../../openai/spec/support/thrownBy';

const text = (words: string) => ({ type: 'text', text: words });
const request = () => requestOf([{ role: 'user', content: 'Hello' }]);

async function read(answer: Response): Promise<{ readonly texts: string[]; readonly response: ModelResponse }> {
  const parts: ModelPart[] = [];
  for await (const part of adapterOver(() => answer).stream(request())) parts.push(part);
  const last = parts.pop();
  if (last?.kind !== 'response') throw new Error('the last part holds no response');
  return {
    texts: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    response: last.response,
  };
}
const readEvents = (...events: readonly unknown[]) => read(sse(events));
const failed = (...events: readonly unknown[]) => rejectionOf(readEvents(...events));
const delta = (index: number, given: object) => ({ type: 'content_block_delta', index, delta: given });
const begin = (index: number, block: object) => ({ type: 'content_block_start', index, content_block: block });
const input = (index: number, partial_json: string) => delta(index, { type: 'input_json_delta', partial_json });
const end = (stop_reason: string) => ({ type: 'message_delta', delta: { stop_reason }, usage: { output_tokens: 1 } });
const find = (id: string) => ({ type: 'tool_use', id, name: 'find', input: {} });

describe('AnthropicAdapter.stream', () => {
  test('whatever a model answers, the parts add up to what it would have answered in one piece', async () => {
    const block = fc.oneof(
      fc.string({ unit: 'binary' }).map(text),
      fc
        .tuple(fc.uuid(), fc.dictionary(fc.string(), fc.jsonValue()))
        .map(([id, given]) => ({ ...find(id), input: given })),
      fc.tuple(fc.string(), fc.string()).map(([thinking, signature]) => ({ type: 'thinking', thinking, signature })),
      fc.constant({ type: 'server_tool_use', id: 's', name: 'tool_search_tool_bm25', input: { query: 'x' } }),
      fc.constant({ type: 'tool_search_tool_result', tool_use_id: 's', content: { tool_references: [] } }),
    );
    const usage = fc.record({ input_tokens: fc.nat(), cache_read_input_tokens: fc.nat(), output_tokens: fc.nat() });
    const stop_reason = fc.constantFrom('end_turn', 'tool_use', 'max_tokens', 'refusal');
    await fc.assert(
      fc.asyncProperty(fc.array(block, { maxLength: 6 }), fc.record({ usage, stop_reason }), async (content, rest) => {
        // Over the wire and back: JSON knows no -0, and no half of a surrogate pair.
        const sent = JSON.parse(JSON.stringify(content)) as typeof content;
        const { texts, response } = await readEvents(...eventsOf(sent, rest));
        const whole = await adapterOver(() => json(message(sent, rest))).complete(request());
        expect(response).toEqual(whole);
        expect(texts.join('')).toBe(response.text ?? '');
      }),
      { numRuns: 100 },
    );
  });

  test('ADPT-05: parts of several calls in any order, one character at a time, with characters cut in two', async () => {
    const args = ['{"text":"naïve 茶"}', '{"text":"{}"}'];
    const interleaved = Array.from({ length: args.join('').length }, (_, at) => at).flatMap((at) =>
      args.flatMap((given, index) => (given[at] === undefined ? [] : [input(index, given[at])])),
    );
    const events = [
      begin(0, find('a')),
      begin(1, find('b')),
      ...interleaved,
      end('tool_use'),
      { type: 'message_stop' },
    ];
    const bytes = Buffer.from(events.map((event) => messagesWire.event(event)).join(''));
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    });
    const { response } = await read(new Response(body, { headers: { 'content-type': 'text/event-stream' } }));
    expect(response.toolCalls).toEqual([
      { id: 'a', name: 'find', arguments: { text: 'naïve 茶' } },
      { id: 'b', name: 'find', arguments: { text: '{}' } },
    ]);
  });

  test('input that does not parse is left to the dispatcher', async () => {
    const { response } = await readEvents(begin(0, find('a')), input(0, '{"text":'), end('tool_use'));
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'find', arguments: '{"text":' }]);
  });

  test('unknown events are skipped', async () => {
    const { response } = await readEvents(
      7,
      { type: 'ping' },
      { type: 'message_start' },
      { type: 'content_block_start', index: 0 },
      delta(3, { type: 'text_delta', text: 'of no block' }),
      begin(0, text('')),
      delta(0, { type: 'some_delta', text: 'x' }),
      delta(0, { type: 'text_delta', text: 'Hi.' }),
      { type: 'content_block_delta', index: 0 },
      end('end_turn'),
    );
    expect(response).toMatchObject({ text: 'Hi.', finishReason: 'stop', usage: { outputTokens: 1 } });
  });

  test('every beginning of an answer is one that broke off', async () => {
    const events = eventsOf([text('Hello there.'), { ...find('a'), input: { id: 1 } }], { stop_reason: 'tool_use' });
    for (let length = 0; length < events.length - 2; length++) {
      expect(await failed(...events.slice(0, length))).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
    }
    // The reason is the last thing that matters.
    expect((await readEvents(...events.slice(0, -1))).response.toolCalls).toHaveLength(1);
  });

  test('an answer that starts again after a part of it was streamed is requested again', async () => {
    const [start, ...rest] = eventsOf([text('Hello.')]);
    const error = await failed(start, ...rest.slice(0, 2), start, ...rest);
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection', retrySafe: true });
    expect(error.message).toContain('restarted its answer');
    expect((await readEvents(start, start, ...rest)).response.text).toBe('Hello.');
  });

  test.each([
    ['overloaded_error', { name: 'ThrottleError', kind: 'overloaded' }],
    ['rate_limit_error', { name: 'ThrottleError', kind: 'rate_limit' }],
    ['api_error', { name: 'ThrottleError', kind: 'overloaded' }],
    ['invalid_request_error', { name: 'PromptEvaluationError', phase: 'request' }],
    ['authentication_error', { name: 'PromptEvaluationError', phase: 'request' }],
  ])('the error %s in the middle of a stream is reported as its status would be', async (type, fields) => {
    const error = await failed(begin(0, text('Hel')), { type: 'error', error: { type, message: 'That went wrong.' } });
    expect(error).toMatchObject(fields);
    expect(error.message).toContain('That went wrong.');
  });

  test('an event that is no JSON is an answer that cannot be used', async () => {
    const body = 'event: message_start\ndata: {"type":\n\n';
    const error = await rejectionOf(read(new Response(body, { headers: { 'content-type': 'text/event-stream' } })));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
  });

  test('a client that answers in one piece all the same', async () => {
    const client = { messages: { create: async () => Promise.resolve(message([text('Hi.')])) } };
    const parts: ModelPart[] = [];
    for await (const part of new AnthropicAdapter({ client, model: 'm' }).stream(request())) parts.push(part);
    expect(parts).toMatchObject([{ kind: 'response', response: { text: 'Hi.' } }]);
  });

  test('an error status is reported as by complete, and nothing is sent once the signal is aborted', async () => {
    const error = await rejectionOf(
      read(json({ type: 'error', error: { message: 'slow down' } }, 429, { 'retry-after': '3' })),
    );
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'rate_limit', retryAfter: 3 });
    const asked = jest.fn(() => sse([]));
    const stream = adapterOver(asked).stream(requestOf([], [], AbortSignal.abort('gone')));
    await expect(stream.next()).rejects.toBe('gone');
    expect(asked).not.toHaveBeenCalled();
  });
});
