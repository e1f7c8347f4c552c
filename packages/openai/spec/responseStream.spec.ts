import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import type { OpenAIResponsesOptions } from '@toolwright/openai';
import { clientOver, KEY, requestOf } from './support/client';
import { isJson, type Json } from './support/json';
import { callItem, eventsOf, reasoningItem, responseOf, responsesOver, saidItem, sseOf } from './support/responses';
import { rejectionOf } from './support/thrownBy';

const request = () => requestOf([{ role: 'user', content: 'Hello' }]);

/** The texts of a streamed answer, and the response at its end. */
async function streamed(events: readonly unknown[], options: Partial<OpenAIResponsesOptions> = {}) {
  const parts: ModelPart[] = [];
  for await (const part of responsesOver(() => sseOf(events), options).stream(request())) parts.push(part);
  const last = parts.pop();
  if (last?.kind !== 'response') throw new Error('the last part holds no response');
  const texts = parts.map((part) => (part.kind === 'text' ? part.text : ''));
  return { texts, text: texts.join(''), response: last.response };
}

const whole = (output: readonly object[], rest: object = {}): Promise<ModelResponse> =>
  responsesOver(() => new Response(JSON.stringify(responseOf(output, rest)), JSON_HEADERS)).complete(request());
const JSON_HEADERS = { headers: { 'content-type': 'application/json' } };

const items = [
  reasoningItem('rs_1'),
  saidItem('I note “ä” and 茶.'),
  callItem('a', 'note', '{"text":"ä"}'),
  callItem('b', 'note', '{"text":"茶"}'),
];
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };

describe('a streamed response', () => {
  test('a streamed response is requested as a stream, and equals the response in one piece', async () => {
    const bodies: Json[] = [];
    const adapter = responsesOver((body) => {
      bodies.push(body as Json);
      return sseOf(eventsOf(items, { usage }));
    });
    const parts: ModelPart[] = [];
    for await (const part of adapter.stream(request())) parts.push(part);
    expect(bodies[0]).toMatchObject({ stream: true, store: false });
    expect(parts.at(-1)).toEqual({ kind: 'response', response: await whole(items, { usage }) });
  });

  test('a streamed response yields its text in pieces', async () => {
    expect((await streamed(eventsOf([saidItem('Hi!')]))).texts).toEqual(['H', 'i', '!']);
  });

  test('ADPT-05: parts of several items in any order, one character at a time', async () => {
    const args = ['{"text":"one"}', '{"text":"two"}'];
    const deltas = Array.from({ length: 14 }, (_, at) =>
      [1, 0].map((output_index) => ({
        type: 'response.function_call_arguments.delta',
        output_index,
        delta: args[output_index]?.[at],
      })),
    );
    const begun = [1, 0].map((output_index) => ({
      type: 'response.output_item.added',
      output_index,
      item: callItem(`call_${String(output_index)}`, 'note', ''),
    }));
    const { response } = await streamed([...begun, ...deltas.flat(), { type: 'response.completed', response: {} }]);
    expect(response.toolCalls).toEqual([
      { id: 'call_0', name: 'note', arguments: args[0] },
      { id: 'call_1', name: 'note', arguments: args[1] },
    ]);
  });

  test('two messages are separated, in the parts as in the whole', async () => {
    const messages = [saidItem('Let me see.', { phase: 'commentary' }), saidItem('Done.', { phase: 'final_answer' })];
    const { text, response } = await streamed(eventsOf(messages));
    expect(text).toBe('Let me see.\n\nDone.');
    expect(response).toEqual(await whole(messages));
  });

  test('ADPT-06: a refusal is streamed as text, and calls nothing', async () => {
    const refused = saidItem('', { content: [{ type: 'refusal', refusal: 'No.' }] });
    const { text, response } = await streamed(eventsOf([refused, callItem('a', 'note')]));
    expect(text).toBe('No.');
    expect(response).toMatchObject({ text: 'No.', toolCalls: [], finishReason: 'refusal' });
  });

  test('ADPT-06: a stream that is cut short says so', async () => {
    const rest = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    expect((await streamed(eventsOf([saidItem('It was')], rest))).response.finishReason).toBe('length');
  });
});

describe('a streamed response of a server that leaves something out', () => {
  const without = (...types: string[]) =>
    eventsOf(items).filter((event) => !isJson(event) || !types.includes(String(event['type'])));
  const noOutput = (events: readonly unknown[]) =>
    events.map((event) =>
      isJson(event) && event['type'] === 'response.completed'
        ? { ...event, response: responseOf([], { output: [] }) }
        : event,
    );

  test.each([
    ['the items at the end', noOutput(eventsOf(items))],
    ['the whole items', without('response.output_item.done')],
    ['the beginnings', without('response.created', 'response.output_item.added')],
    ['the parts', without('response.output_text.delta', 'response.function_call_arguments.delta')],
  ])('a stream without %s gives the same response', async (_name, events) => {
    expect((await streamed(events)).response).toEqual(await whole(items));
  });

  test('the whole items, and the items at the end: text and calls from the parts', async () => {
    const { response } = await streamed(noOutput(without('response.output_item.done')));
    expect(response).toMatchObject({ text: 'I note “ä” and 茶.', finishReason: 'tool_calls' });
    expect(response.toolCalls).toEqual((await whole(items)).toolCalls);
  });

  test('an answer in one piece is read where a stream was asked for', async () => {
    const client = { responses: { create: async () => responseOf(items) } };
    expect(await streamed([], { client })).toEqual({ texts: [], text: '', response: await whole(items) });
  });

  test('a server that repeats the beginning: the second one counts as long as nothing was streamed', async () => {
    const twice = [...eventsOf([callItem('lost', 'note')]).slice(0, 2), ...eventsOf(items)];
    expect((await streamed(twice)).response).toEqual(await whole(items));
    const late = [...eventsOf(items).slice(0, 6), ...eventsOf(items)];
    const error = await rejectionOf(streamed(late));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
    expect(error.message).toContain('openai:m restarted its answer in the middle of it.');
  });
});

describe('a streamed response that fails', () => {
  const begun = eventsOf(items).slice(0, 8);

  test('ADPT-01: a stream that ends before its end has broken off', async () => {
    expect(await rejectionOf(streamed(begun))).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
    expect(await rejectionOf(streamed([]))).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
  });

  test.each<[string, object, object]>([
    [
      'an event that says its error flat',
      { type: 'error', code: 'server_error', message: 'It broke.', param: null, sequence_number: 9 },
      { name: 'ThrottleError', kind: 'overloaded', message: 'openai:m answered 500: It broke.' },
    ],
    [
      'an event that holds its error',
      { type: 'error', error: { type: 'server_error', code: 'rate_limit_exceeded', message: `Slow down, ${KEY}.` } },
      { name: 'ThrottleError', kind: 'rate_limit', message: 'openai:m answered 429: Slow down, [redacted].' },
    ],
    [
      'a response that failed',
      {
        type: 'response.failed',
        response: responseOf([], { status: 'failed', error: { code: 'invalid_prompt', message: 'Not this.' } }),
      },
      { name: 'PromptEvaluationError', code: 'E701', message: 'openai:m answered 400: Not this.' },
    ],
  ])('a streamed response fails with %s', async (_name, event, told) => {
    expect(await rejectionOf(streamed([...begun, event]))).toMatchObject(told);
  });

  test('a line that is no JSON cannot be used', async () => {
    const body = new Response('data: {"type":"resp\n\n', { headers: { 'content-type': 'text/event-stream' } });
    const client = clientOver(() => body).withOptions({ logLevel: 'off' });
    const error = await rejectionOf(streamed([], { client }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
  });
});
