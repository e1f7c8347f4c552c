import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { describeWithData } from '../../../spec/support/absent';
import { json, requestOf } from './support/client';
import { isJson, list, objects, type Json } from './support/json';
import { responsesOver, sseOf } from './support/responses';
import { rejectionOf } from './support/thrownBy';

const request = () => requestOf([{ role: 'user', content: 'Hello' }]);
const CALLS = ['function_call', 'custom_tool_call'];
const PLAIN = ['message', ...CALLS];

describeWithData('wire', 'recorded responses of OpenAI', (data) => {
  const folder = join(data, 'openai');
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  const eventsIn = (file: string) =>
    textOf(file)
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map(parsed);
  /** The events of each answer; some recordings hold a whole run. */
  const answersIn = (file: string) =>
    eventsIn(file).reduce<Json[][]>((answers, event) => {
      if (event['type'] === 'response.created') answers.push([]);
      answers.at(-1)?.push(event);
      return answers;
    }, []);

  const complete = (file: string) => responsesOver(() => json(textOf(file))).complete(request());
  const streamed = async (events: readonly unknown[]) => {
    const parts: ModelPart[] = [];
    for await (const part of responsesOver(() => sseOf(events)).stream(request())) parts.push(part);
    const last = parts.pop();
    if (last?.kind !== 'response') throw new Error('the last part holds no response');
    return { text: parts.map((part) => (part.kind === 'text' ? part.text : '')).join(''), response: last.response };
  };

  const files = readdirSync(folder);
  const whole = files.filter((name) => name.endsWith('.json') && isResponse(JSON.parse(textOf(name))));
  const inChunks = files
    .filter((name) => name.endsWith('.chunks.txt') && eventsIn(name)[0]?.['type'] === 'response.created')
    .filter((name) => !name.startsWith('openai-error'));

  test('the folder has as many recorded answers as it should have', () => {
    expect([whole.length, inChunks.length]).toEqual([20, 21]);
  });

  test.each(whole)('%s: its texts, its calls, and whatever has to go back', async (file) => {
    const items = itemsOf(JSON.parse(textOf(file)));
    const response = await complete(file);
    expectAllOf(items, response);
    const own = items.filter(({ type }) => !PLAIN.includes(String(type)));
    for (const item of own) expect(response.native?.content).toContainEqual(item);
  });

  test.each(inChunks)('%s: the parts add up to its text, and its calls are complete', async (file) => {
    for (const events of answersIn(file)) {
      const { text, response } = await streamed(events);
      // Of one recording, most of the parts were taken out.
      if (!file.startsWith('openai-phase')) expect(text).toBe(response.text ?? '');
      const items = events.filter(({ type }) => type === 'response.output_item.done').map(({ item }) => item as Json);
      expectAllOf(items, response);
      expect(response.usage?.outputTokens).toBeGreaterThanOrEqual(0);
    }
  });

  test('a call is read in one piece and in parts', async () => {
    expect(await complete('openai-client-tool-search.2.json')).toMatchObject({
      toolCalls: [{ name: 'get_weather' }],
      finishReason: 'tool_calls',
    });
    const { response } = await streamed(answersIn('parallel-tool-call-wrapper.1.chunks.txt')[0] ?? []);
    expect(response.toolCalls).toMatchObject([{ id: 'call_parallel', name: 'parallel' }]);
    expect(response.usage).toEqual({
      inputTokens: 34,
      outputTokens: 28,
      totalTokens: 62,
      cachedInputTokens: 0,
      reasoningTokens: 0,
    });
  });

  test('a run whose reasoning goes back: three calls, then the answer', async () => {
    const answers: ModelResponse[] = [];
    for (const events of answersIn('openai-reasoning-encrypted-content.1.chunks.txt'))
      answers.push((await streamed(events)).response);
    expect(answers.map(({ finishReason }) => finishReason)).toEqual(['tool_calls', 'tool_calls', 'tool_calls', 'stop']);
    const [reasoning] = answers[0]?.native?.content ?? [];
    expect(reasoning).toMatchObject({
      type: 'reasoning',
      encrypted_content: expect.stringMatching(/^gAAAA/) as string,
    });
  });

  test('an account that is used up, whole and in the middle of a stream', async () => {
    const told = { name: 'ThrottleError', kind: 'quota_exhausted', retrySafe: false };
    const body = JSON.parse(textOf('openai-error.1.json')) as Json;
    expect(await rejectionOf(responsesOver(() => json(body, 429)).complete(request()))).toMatchObject(told);
    const error = await rejectionOf(streamed(eventsIn('openai-error.1.chunks.txt')));
    expect(error).toMatchObject(told);
    expect(error.message).toContain('openai:m answered 429: You exceeded your current quota');
  });

  test.each(['openai-text.json', 'openai-embedding.json', 'openai-completion-text.json'])(
    '%s, which is of another API, is refused, saying what came',
    async (file) => {
      const error = await rejectionOf(complete(file));
      expect(error).toMatchObject({ phase: 'response', code: 'E702' });
      expect(error.message).toContain('openai:m did not answer with a response: {');
      expect(error.message.length).toBeLessThan(400);
    },
  );
});

/** Two lines of one recording lack their last brace. */
function parsed(line: string): Json {
  try {
    return JSON.parse(line) as Json;
  } catch {
    return JSON.parse(`${line}}`) as Json;
  }
}

function isResponse(body: unknown): boolean {
  return isJson(body) && body['object'] === 'response';
}

function itemsOf(response: unknown): readonly Json[] {
  return isJson(response) ? objects(response['output']).map(([, item]) => item) : [];
}

function expectAllOf(items: readonly Json[], response: ModelResponse): void {
  const texts = items
    .filter(({ type }) => type === 'message')
    .map(({ content }) =>
      list(content)
        .map((part) => String((part as Json)['text']))
        .join(''),
    );
  expect(response.text).toBe(texts.length === 0 ? null : texts.join('\n\n'));
  const calls = items.filter(({ type, execution }) => CALLS.includes(String(type)) || execution === 'client');
  // A search that the client answers has no name.
  expect(response.toolCalls).toEqual(
    calls.map(({ call_id: id, name = 'search_tools', arguments: args, input }) => ({
      id,
      name,
      arguments: args ?? input,
    })),
  );
  const kept: readonly unknown[] = response.native?.content ?? [];
  expect(typesOf(kept.filter(isJson))).toEqual(typesOf(items));
}

/** The types of provider-specific items: their encrypted content differs each time. */
function typesOf(items: readonly Json[]): unknown {
  return items.map(({ type }) => String(type)).filter((type) => !PLAIN.includes(type));
}
