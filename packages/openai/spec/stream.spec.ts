import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import OpenAI from 'openai';
import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { describeWithData } from '../../../spec/support/absent';
import { callChunk, chunk, clientOver, json, KEY, requestOf, saying, sse, toolNamed } from './support/client';
import { rejectionOf } from './support/thrownBy';

type Answers = Parameters<typeof clientOver>[0];
const adapterOver = (answers: Answers) => new OpenAIChatAdapter({ client: clientOver(answers), model: 'm' });
const request = () => requestOf([{ role: 'user', content: 'Hello' }]);

async function partsOf(
  adapter: OpenAIChatAdapter,
): Promise<{ readonly texts: string[]; readonly response: ModelResponse }> {
  const parts: ModelPart[] = [];
  for await (const part of adapter.stream(request())) parts.push(part);
  const last = parts.pop();
  if (last?.kind !== 'response') throw new Error('the last part holds no response');
  return {
    texts: parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])),
    response: last.response,
  };
}
const read = (...chunks: readonly unknown[]) => partsOf(adapterOver(() => sse(chunks)));
const failed = (...chunks: readonly unknown[]) => rejectionOf(read(...chunks));
const callsOf = async (...chunks: readonly unknown[]) =>
  (await read(...chunks, chunk({}, 'tool_calls'))).response.toolCalls;
const find = (args: unknown) => ({ name: 'find', arguments: args });

describe('OpenAIChatAdapter.stream: the request', () => {
  test('the request of a stream is that of complete, with a stream and its usage requested', async () => {
    const bodies: Record<string, unknown>[] = [];
    const adapter = adapterOver((body) => {
      bodies.push(body as Record<string, unknown>);
      return bodies.length === 1 ? json(saying('Hi.')) : sse([chunk({ content: 'Hi.' }, 'stop')]);
    });
    const tools = requestOf([{ role: 'user', content: 'Hello' }], [toolNamed('find')]);
    await adapter.complete(tools);
    for await (const part of adapter.stream(tools)) expect(part).toBeDefined();
    expect(bodies[1]).toEqual({ ...bodies[0], stream: true, stream_options: { include_usage: true } });
  });

  test('the request of a stream leaves out the usage where a server does not support it', async () => {
    const client = clientOver((body) => {
      expect(body).toMatchObject({ stream: true });
      expect(body).not.toHaveProperty('stream_options');
      return sse([chunk({ content: 'Hi.' }, 'stop')]);
    });
    const adapter = new OpenAIChatAdapter({ client, model: 'm', streamUsage: false });
    expect((await partsOf(adapter)).response).toMatchObject({ text: 'Hi.', usage: undefined });
  });

  test('an error status is reported as by complete', async () => {
    const adapter = adapterOver(() => json({ error: { message: 'slow down' } }, 429, { 'retry-after': '3' }));
    expect(await rejectionOf(partsOf(adapter))).toMatchObject({
      name: 'ThrottleError',
      kind: 'rate_limit',
      retryAfter: 3,
    });
  });

  test('nothing is sent once the signal is aborted', async () => {
    const asked = jest.fn(() => sse([]));
    const stream = adapterOver(asked).stream(requestOf([], [], AbortSignal.abort('gone')));
    await expect(stream.next()).rejects.toBe('gone');
    expect(asked).not.toHaveBeenCalled();
  });
});

describe('OpenAIChatAdapter.stream: texts', () => {
  test('streamed texts come as they are, and the whole at the end', async () => {
    const usage = { prompt_tokens: 3, completion_tokens: 2, total_tokens: 5 };
    expect(
      await read(
        { choices: [], prompt_filter_results: [] },
        chunk({ role: 'assistant', content: '' }),
        chunk({ content: 'Hel' }),
        { choices: [{ index: 0, content_filter_offsets: {}, finish_reason: null }] },
        chunk({ content: 'lo.' }),
        chunk({}, 'stop'),
        { choices: [], usage },
      ),
    ).toEqual({
      texts: ['Hel', 'lo.'],
      response: {
        text: 'Hello.',
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 3, outputTokens: 2, totalTokens: 5, cachedInputTokens: undefined },
      },
    });
  });

  test.each([
    ['no usage', [chunk({ content: 'Hi.' }, 'stop')], undefined],
    [
      'usage in every chunk, the last of which counts',
      [
        { ...(chunk({ content: 'Hi.' }) as object), usage: { total_tokens: 1 } },
        { ...(chunk({}, 'stop') as object), usage: { total_tokens: 2 } },
      ],
      2,
    ],
  ])('OpenAIChatAdapter.stream reads texts with %s', async (_name, chunks, total) => {
    const { response } = await read(...chunks);
    expect(response).toMatchObject({ text: 'Hi.', finishReason: 'stop' });
    expect(response.usage?.totalTokens).toBe(total);
  });

  test.each([
    ['length', 'length'],
    ['content_filter', 'content_filter'],
    ['odd', 'other'],
  ])('texts that end because of %s', async (given, finishReason) => {
    expect((await read(chunk({ content: 'Hi' }), chunk({}, given))).response).toMatchObject({
      text: 'Hi',
      finishReason,
    });
  });

  test('ADPT-06 a refusal is streamed as text, and calls nothing', async () => {
    const call = { index: 0, id: 'a', function: find('{}') };
    expect(
      await read(chunk({ refusal: 'I can' }), chunk({ refusal: 'not.' }), callChunk(call), chunk({}, 'stop')),
    ).toEqual({
      texts: ['I can', 'not.'],
      response: { text: 'I cannot.', toolCalls: [], finishReason: 'refusal', usage: undefined },
    });
  });

  test('texts in parts, and of other choices, which were not requested', async () => {
    const other = { index: 1, delta: { content: 'no' }, finish_reason: 'length' };
    const { texts, response } = await read(
      { choices: [other, { index: 0, delta: { content: [{ type: 'text', text: 'yes' }] } }] },
      { choices: [other] },
      chunk({ content: null }, 'stop'),
    );
    expect({ texts, response }).toMatchObject({ texts: ['yes'], response: { text: 'yes', finishReason: 'stop' } });
  });

  test('a client that answers in one piece all the same is understood', async () => {
    const client = { chat: { completions: { create: () => Promise.resolve(saying('Hi.')) } } };
    const adapter = new OpenAIChatAdapter({ client, model: 'm' });
    expect(await partsOf(adapter)).toMatchObject({ texts: [], response: { text: 'Hi.', finishReason: 'stop' } });
  });
});

describe('OpenAIChatAdapter.stream: tool calls', () => {
  test('ADPT-05 tool calls are joined by index, with an id and a name that occur once', async () => {
    expect(
      await callsOf(
        callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'find', arguments: '' } }),
        callChunk({ index: 0, function: { arguments: '{"q":' } }),
        callChunk({ index: 1, id: 'b', type: 'function', function: { name: 'list', arguments: '{' } }),
        callChunk({ index: 0, function: { arguments: '"x"}' } }),
        callChunk({ index: 1, function: { arguments: '}' } }),
      ),
    ).toEqual([
      { id: 'a', name: 'find', arguments: '{"q":"x"}' },
      { id: 'b', name: 'list', arguments: '{}' },
    ]);
  });

  test('ADPT-05 tool calls are in the order of their indexes', async () => {
    const calls = await callsOf(
      callChunk({ index: 1, id: 'b', function: find('{}') }),
      callChunk({ index: 0, id: 'a', function: find('{}') }),
    );
    expect(calls.map(({ id }) => id)).toEqual(['a', 'b']);
  });

  test.each([
    [
      'id, type and name in every part',
      [
        { index: 0, id: 'a', type: 'function', function: find('{"q"') },
        { index: 0, id: 'a', type: 'function', function: find(':1}') },
      ],
      [{ id: 'a', name: 'find', arguments: '{"q":1}' }],
    ],
    [
      'another id in each part',
      [
        { index: 0, id: 'a', function: find('{"q"') },
        { index: 0, id: 'a2', function: { arguments: ':1}' } },
      ],
      [{ id: 'a', name: 'find', arguments: '{"q":1}' }],
    ],
    [
      'an empty id, type and name in later parts',
      [
        { index: 0, id: 'a', type: 'function', function: find('{"q"') },
        { index: 0, id: '', type: '', function: { name: '', arguments: ':1}' } },
        { index: 0, id: null, type: null, function: { name: null, arguments: null } },
      ],
      [{ id: 'a', name: 'find', arguments: '{"q":1}' }],
    ],
    [
      'one index for all',
      [
        { index: 0, id: 'a', function: find('{}') },
        { index: 0, id: 'b', function: find('{"q":1}') },
      ],
      [
        { id: 'a', name: 'find', arguments: '{}' },
        { id: 'b', name: 'find', arguments: '{"q":1}' },
      ],
    ],
    [
      'no index',
      [{ id: 'a', function: find('{"q"') }, { function: { arguments: ':1}' } }, { id: 'b', function: find('{}') }],
      [
        { id: 'a', name: 'find', arguments: '{"q":1}' },
        { id: 'b', name: 'find', arguments: '{}' },
      ],
    ],
    [
      'neither index nor id',
      [{ function: find('{"q":1}') }, { function: find('{}') }],
      [
        { id: 'call_0', name: 'find', arguments: '{"q":1}' },
        { id: 'call_1', name: 'find', arguments: '{}' },
      ],
    ],
    [
      'arguments that are an object',
      [{ index: 0, id: 'a', function: find({ q: 1 }) }],
      [{ id: 'a', ...find({ q: 1 }) }],
    ],
    ['no arguments', [{ index: 0, id: 'a', function: { name: 'find' } }], [{ id: 'a', ...find(null) }]],
  ])('OpenAIChatAdapter.stream reads tool calls with %s', async (_name, parts, calls) => {
    expect(await callsOf(...parts.map((part) => callChunk(part)))).toEqual(calls);
  });

  test('tool calls of the older form', async () => {
    expect(
      await callsOf(
        chunk({ function_call: { name: 'find', arguments: '{"q"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
      ),
    ).toEqual([{ id: 'call_0', name: 'find', arguments: '{"q":1}' }]);
  });

  test('tool calls may have a finish reason of `stop`', async () => {
    const { response } = await read(callChunk({ index: 0, id: 'a', function: find('{}') }), chunk({}, 'stop'));
    expect(response.finishReason).toBe('tool_calls');
  });

  test('tool calls without a name are refused', async () => {
    const error = await failed(
      callChunk({ index: 0, id: 'a', function: { arguments: '{}' } }),
      chunk({}, 'tool_calls'),
    );
    expect(error).toMatchObject({ code: 'E702', phase: 'response' });
    expect(error.message).toContain('tool call 0 without the name of a tool');
  });

  test('ADPT-05 streamed tool calls come out whole when the bytes of a letter come apart', async () => {
    const args = '{"q":"Grüße, 世界 👩‍👩‍👧"}';
    const chunks = [
      chunk({ content: 'Schön 🙂' }),
      callChunk({ index: 0, id: 'a', type: 'function', function: { name: 'find', arguments: '' } }),
      ...Array.from(args, (letter) => callChunk({ index: 0, function: { arguments: letter } })),
      chunk({}, 'tool_calls'),
    ];
    const { texts, response } = await partsOf(adapterOver(() => sse(chunks, 1)));
    expect(texts).toEqual(['Schön 🙂']);
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'find', arguments: args }]);
  });

  test('ADPT-05 however they are cut, the same calls come out', async () => {
    const calls = fc.array(fc.record({ name: fc.constantFrom('find', 'list'), arguments: fc.json({ maxDepth: 2 }) }), {
      minLength: 1,
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(calls, fc.integer({ min: 1, max: 7 }), async (given, size) => {
        const parts = given.map(({ name, arguments: text }, index) => [
          callChunk({ index, id: `c${String(index)}`, type: 'function', function: { name, arguments: '' } }),
          ...(text.match(new RegExp(`[^]{1,${String(size)}}`, 'g')) ?? []).map((piece) =>
            callChunk({ index, function: { arguments: piece } }),
          ),
        ]);
        // By turns: one part of each call after the other.
        const longest = Math.max(...parts.map(({ length }) => length));
        const mixed = Array.from({ length: longest }, (_, at) => parts.flatMap((own) => own.slice(at, at + 1))).flat();
        expect(await callsOf(...mixed)).toEqual(
          given.map(({ name, arguments: text }, index) => ({ id: `c${String(index)}`, name, arguments: text })),
        );
      }),
      { numRuns: 50 },
    );
  });
});

describe('OpenAIChatAdapter.stream: incomplete answers', () => {
  test('ADPT-01 a stream that ends without a reason, in the middle of a call, has broken off', async () => {
    const error = await failed(callChunk({ index: 0, id: 'a', function: find('{"q":1') }));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection', retrySafe: true });
  });

  test.each([
    ['the Responses API', { type: 'response.created', response: {} }, 'did not answer with a chat completion'],
    [
      'the older completions API',
      { choices: [{ index: 0, text: 'x', finish_reason: 'stop' }] },
      'a choice without a message',
    ],
  ])('a stream of %s is refused, saying what came', async (_name, came, problem) => {
    const error = await failed(came);
    expect(error).toMatchObject({ code: 'E702', phase: 'response' });
    expect(error.message).toContain(problem);
  });

  test('a server that does not stream is refused, and a stream without a chunk is one that was cut', async () => {
    expect(await failed()).toMatchObject({ name: 'ThrottleError', kind: 'connection', retrySafe: true });
    const adapter = adapterOver(() => json(saying('Hi.')));
    expect(await rejectionOf(partsOf(adapter))).toMatchObject({ code: 'E702', phase: 'response' });
  });

  test.each([
    [{ code: 'server_error', message: 'oops' }, 'overloaded', true],
    [{ type: 'overloaded_error', message: 'oops' }, 'overloaded', true],
    [{ code: 502, message: 'bad gateway' }, 'overloaded', true],
    [{ code: 'rate_limit_exceeded', message: 'slow' }, 'rate_limit', true],
    [{ code: 'insufficient_quota', message: 'used up' }, 'quota_exhausted', false],
  ])('the error %p in the middle of a stream is thrown', async (error, kind, retrySafe) => {
    const came = await failed(chunk({ content: 'Hi' }), { error });
    expect(came).toMatchObject({ name: 'ThrottleError', kind, retrySafe });
    expect(came.message).toContain(error.message);
  });

  test('an unknown error in the middle is not retried', async () => {
    const error = await failed({ error: { message: `bad request of ${KEY}`, code: 'odd' } });
    expect(error).toMatchObject({ name: 'PromptEvaluationError', code: 'E701', phase: 'request' });
    expect(error.message).toContain('bad request of [redacted]');
  });

  test('a chunk that is no JSON', async () => {
    const body = () => new Response('data: {"choices":\n\n', { headers: { 'content-type': 'text/event-stream' } });
    const client = new OpenAI({ apiKey: KEY, logLevel: 'off', fetch: () => Promise.resolve(body()) });
    const adapter = new OpenAIChatAdapter({ client, model: 'm' });
    expect(await rejectionOf(partsOf(adapter))).toMatchObject({ code: 'E702', phase: 'response' });
  });
});

describeWithData('wire', 'recorded streams of providers', (data) => {
  const replay = (file: string) =>
    read(
      ...readFileSync(join(data, file), 'utf8')
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line) as unknown),
    );

  /** The whole message, since text and calls do not say its reasoning. */
  const thought = (content: string | null): unknown => ({
    provider: 'openai-chat',
    content: [expect.objectContaining({ content, reasoning_content: expect.stringMatching(/^First, the/) as string })],
  });

  test('a text of OpenAI is read', async () => {
    const { texts, response } = await replay('openai/openai-text.chunks.txt');
    expect(texts.length).toBeGreaterThan(100);
    expect(texts.join('')).toBe(response.text);
    expect(response).toMatchObject({
      text: expect.stringMatching(/^\*\*/) as string,
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 16, outputTokens: 300, totalTokens: 316, cachedInputTokens: 0 },
    });
  });

  test('a text of Azure, whose first chunk has no choice', async () => {
    const { texts, response } = await replay('openai/azure-model-router.1.chunks.txt');
    expect(texts.join('')).toBe(response.text);
    expect(response).toMatchObject({ toolCalls: [], finishReason: 'stop', usage: { totalTokens: 93 } });
  });

  test('a text of xAI is read after its reasoning', async () => {
    expect(await replay('openai-compatible/xai-text.chunks.txt')).toEqual({
      texts: ['G', 'rok'],
      response: {
        native: thought('Grok'),
        text: 'Grok',
        toolCalls: [],
        finishReason: 'stop',
        usage: { inputTokens: 12, outputTokens: 2, totalTokens: 354, cachedInputTokens: 11, reasoningTokens: 340 },
      },
    });
  });

  test('a tool call of xAI, which arrives in one piece', async () => {
    expect(await replay('openai-compatible/xai-tool-call.chunks.txt')).toEqual({
      texts: [],
      response: {
        native: thought(null),
        text: null,
        toolCalls: [{ id: 'call_79382389', name: 'weather', arguments: '{"location":"San Francisco"}' }],
        finishReason: 'tool_calls',
        usage: { inputTokens: 307, outputTokens: 26, totalTokens: 560, cachedInputTokens: 306, reasoningTokens: 227 },
      },
    });
  });

  test.each([
    ['openai/openai-completion-text.chunks.txt', 'answered a choice without a message'],
    ['openai/github-copilot-id-rotation.1.chunks.txt', 'did not answer with a chat completion'],
  ])('OpenAIChatAdapter.stream refuses the answer of another API: %s', async (file, problem) => {
    const error = await rejectionOf(replay(file));
    expect(error).toMatchObject({ code: 'E702', phase: 'response' });
    expect(error.message).toContain(problem);
  });
});
