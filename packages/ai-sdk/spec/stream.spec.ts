import { APICallError } from 'ai';
import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { type AiLanguageModel, AiSdkAdapter } from '@toolwright/ai-sdk';
import { requestOf } from '../../openai/spec/support/client';
import { rejectionOf } from '../../openai/spec/support/thrownBy';

const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: {} };

function adapterOver(sent: unknown): AiSdkAdapter {
  const model: AiLanguageModel = {
    specificationVersion: 'v4',
    provider: 'p',
    modelId: 'm',
    doGenerate: () => Promise.reject(new TypeError('nobody waits here')),
    doStream: () => Promise.resolve(sent),
  };
  return new AiSdkAdapter({ model });
}

function streamOf(parts: readonly unknown[], cancelled = (): void => undefined): { stream: ReadableStream } {
  const left = [...parts];
  const stream = new ReadableStream({
    pull: (controller) => {
      if (left.length === 0) controller.close();
      else controller.enqueue(left.shift());
    },
    cancel: cancelled,
  });
  return { stream };
}

async function parts(sent: unknown, signal?: AbortSignal): Promise<readonly ModelPart[]> {
  const read: ModelPart[] = [];
  for await (const part of adapterOver(sent).stream(requestOf([], [], signal))) read.push(part);
  return read;
}

async function responseOf(...given: readonly unknown[]): Promise<ModelResponse> {
  const last = (await parts(streamOf(given))).at(-1);
  if (last?.kind !== 'response') throw new TypeError('no response came');
  return last.response;
}

const delta = (id: string, text: string): object => ({ type: 'text-delta', id, delta: text });
const call = { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: '{}' };

describe('a stream of a model', () => {
  test('ADPT-05 texts that come interleaved are put together by their ids, in the order of their beginnings', async () => {
    const begins = [
      { type: 'text-start', id: 'a' },
      { type: 'text-start', id: 'b' },
    ];
    const { text } = await responseOf(...begins, delta('b', 'two'), delta('a', 'one'), delta('b', '!'), finish);
    expect(text).toBe('onetwo!');
  });

  test('an id that is used again begins another text, and a piece without a beginning begins one', async () => {
    const again = [
      delta('a', 'one '),
      { type: 'text-end', id: 'a' },
      { type: 'text-start', id: 'a' },
      delta('a', 'two '),
    ];
    expect((await responseOf(...again, { type: 'text-start', id: 'a' }, delta('a', 'three'), finish)).text).toBe(
      'one two three',
    );
  });

  test('text, reasoning and inputs of calls are streamed as they arrive; raw chunks are not', async () => {
    const given = [
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id: 'r' },
      { type: 'reasoning-start', id: 'r' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm.' },
      { type: 'reasoning-delta', id: 'r', delta: '', providerMetadata: { p: { signature: 's' } } },
      { type: 'reasoning-end', id: 'r' },
      { type: 'raw', rawValue: 1 },
      { type: 'ping' },
      delta('t', 'Hi'),
      { type: 'tool-input-start', id: 'c', toolName: 'find' },
      { type: 'tool-input-delta', id: 'c', delta: '{' },
      'nonsense',
      null,
      call,
      finish,
    ];
    const read = await parts(streamOf(given));
    expect(read.slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Hi' },
      { kind: 'tool_input', id: 'c', name: 'find', text: '{' },
    ]);
    const last = read.at(-1);
    expect(last).toMatchObject({
      kind: 'response',
      response: {
        text: 'Hi',
        finishReason: 'tool_calls',
        toolCalls: [{ id: 'c', name: 'find', arguments: '{}' }],
        native: {
          provider: 'ai-sdk:p',
          content: [
            { type: 'reasoning', text: 'Hm.', providerOptions: { p: { signature: 's' } } },
            { type: 'text', text: 'Hi' },
            { type: 'tool-call' },
          ],
        },
      },
    });
  });

  test("inputs of the provider's own tools, those that are no JSON, and those without a beginning are not shown", async () => {
    const given = [
      { type: 'tool-input-start', id: 'a', toolName: 'web_search', providerExecuted: true },
      { type: 'tool-input-delta', id: 'a', delta: '{' },
      { type: 'tool-input-start', id: 'b', toolName: 'sql', inputEncoding: 'text' },
      { type: 'tool-input-delta', id: 'b', delta: 'SELECT' },
      { type: 'tool-input-delta', id: 'c', delta: '{}' },
      { type: 'tool-input-end', id: 'c' },
      finish,
    ];
    expect((await parts(streamOf(given))).map(({ kind }) => kind)).toEqual(['response']);
  });

  test('metadata of the first and of the last piece are kept together, and so is a part of a later specification', async () => {
    const later = { type: 'drawing', lines: 3, providerMetadata: { p: { id: 'd' } } };
    const begins = { type: 'text-start', id: 't', providerMetadata: { p: { type: 'compaction' }, q: { a: 1 } } };
    const ends = { type: 'text-end', id: 't', providerMetadata: { p: { signature: 's' } } };
    const { native } = await responseOf(begins, delta('t', 'Short.'), ends, later, { type: 'hint' }, finish);
    expect(native?.content).toEqual([
      { type: 'text', text: 'Short.', providerOptions: { p: { type: 'compaction', signature: 's' }, q: { a: 1 } } },
      { type: 'drawing', lines: 3, providerOptions: { p: { id: 'd' } } },
    ]);
  });

  test('ADPT-05 a stream that ends without saying how is asked for again, and its calls are not given', async () => {
    const error = await rejectionOf(parts(streamOf([delta('t', 'I will'), call])));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
  });

  test('ADPT-05 a stream of V4 that says it was interrupted is asked for again', async () => {
    const interrupted = { ...finish, finishReason: { unified: 'interrupted', raw: undefined } };
    expect(await rejectionOf(parts(streamOf([call, interrupted])))).toMatchObject({ name: 'ThrottleError' });
  });

  test.each([
    ['what a provider said: overloaded', { type: 'overloaded_error', message: 'Busy.' }, 'ThrottleError', 'Busy.'],
    ['what a provider said: wrong', { type: 'invalid_request_error', message: 'No.' }, 'PromptEvaluationError', 'No.'],
    ['a text', 'gone', 'ThrottleError', 'gone'],
    ['a lost connection', new TypeError('terminated'), 'ThrottleError', 'terminated'],
    ['an error status', apiError(400, 'Too long.'), 'PromptEvaluationError', 'Too long.'],
    ['a throttling status', apiError(429, 'Slow down.'), 'ThrottleError', 'Slow down.'],
    [
      'a chunk that is no JSON',
      Object.assign(new TypeError('JSON parsing failed'), { name: 'AI_JSONParseError' }),
      'PromptEvaluationError',
      'JSON parsing failed',
    ],
  ])('an error in the stream is reported as such: %s', async (_what, error, name, words) => {
    const thrown = await rejectionOf(parts(streamOf([delta('t', 'I will'), { type: 'error', error }, call, finish])));
    expect(thrown.name).toBe(name);
    expect(thrown.message).toContain(words);
  });

  test.each([
    ['nothing', undefined],
    ['no stream', { response: {} }],
    ['a list', { stream: [finish] }],
  ])('E702 %s is no stream', async (_what, sent) => {
    expect(await rejectionOf(parts(sent))).toMatchObject({ code: 'E702', phase: 'response' });
  });

  test('a stream is cancelled when its reader returns', async () => {
    let isCancelled = false;
    const sent = streamOf([delta('t', 'a'), delta('t', 'b'), finish], () => (isCancelled = true));
    for await (const part of adapterOver(sent).stream(requestOf([]))) {
      expect(part).toEqual({ kind: 'text', text: 'a' });
      break;
    }
    expect(isCancelled).toBe(true);
  });

  test('a stream that is aborted ends with the reason of the signal', async () => {
    const stop = new AbortController();
    const stream = new ReadableStream({
      pull: (controller) => {
        stop.abort('enough');
        controller.error(new TypeError('aborted'));
      },
    });
    await expect(parts({ stream }, stop.signal)).rejects.toBe('enough');
  });
});

function apiError(statusCode: number, message: string): APICallError {
  return new APICallError({ message, statusCode, url: 'u', requestBodyValues: {} });
}
