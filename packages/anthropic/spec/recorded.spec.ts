import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelResponse } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { describeWithData } from '../../../spec/support/absent';
import { adapterOver, sse } from './support/client';
import { json, requestOf } from '../../openai/spec/support/client';
import { isJson, objects, type Json } from '../../openai/spec/support/json';

const request = () => requestOf([{ role: 'user', content: 'Hello' }]);

describeWithData('wire', 'recorded answers of Anthropic', (data) => {
  const folder = join(data, 'anthropic');
  const textOf = (file: string) => readFileSync(join(folder, file), 'utf8');
  /** The events of each answer; some recordings hold a whole run. */
  const answersIn = (file: string) =>
    textOf(file)
      .split(/(?<="message_stop"}\n)/)
      .map((answer) => answer.split('\n').filter((line) => line.trim() !== ''))
      .map((lines) => lines.map((line) => JSON.parse(line) as Json));

  const complete = (file: string) => adapterOver(() => json(textOf(file))).complete(request());
  const streamed = async (events: readonly unknown[] = []) => {
    const parts: ModelPart[] = [];
    for await (const part of adapterOver(() => sse(events)).stream(request())) parts.push(part);
    const last = parts.pop();
    if (last?.kind !== 'response') throw new Error('the last part holds no response');
    const texts = parts.map((part) => (part.kind === 'text' ? part.text : ''));
    return { text: texts.join(''), response: last.response };
  };

  const files = readdirSync(folder);
  const whole = files.filter((name) => name.endsWith('.json'));
  const inChunks = files.filter((name) => name.endsWith('.chunks.txt'));

  test('the folder has as many recorded answers as it should have', () => {
    expect([whole.length, inChunks.length]).toEqual([27, 26]);
  });

  test.each(whole)('%s: its text, its calls, and whatever has to go back', async (file) => {
    const message = JSON.parse(textOf(file)) as Json;
    expectAllOf(
      objects(message['content']).map(([, block]) => block),
      await complete(file),
    );
  });

  test.each(inChunks)('%s: the parts add up to its text, and its calls are complete', async (file) => {
    for (const events of answersIn(file)) {
      const { text, response } = await streamed(events);
      expect(text).toBe(response.finishReason === 'refusal' ? '' : (response.text ?? ''));
      const started = events.filter(({ content_block: block }) => isJson(block) && block['type'] === 'tool_use');
      const begunAnew = file.startsWith('spliced') ? 1 : 0;
      expect(response.toolCalls).toHaveLength(started.length - begunAnew);
      for (const { arguments: args } of response.toolCalls) expect(typeof args).toBe('object');
      expect(response.usage?.outputTokens).toBeGreaterThanOrEqual(0);
    }
  });

  test('a recorded text is streamed completely', async () => {
    const text =
      "Hello! I'm doing well, thanks for asking. How are you doing today? Is there anything I can help you with?";
    expect(await complete('anthropic-text.json')).toEqual({
      text,
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 29, totalTokens: 41, cachedInputTokens: 0, cacheWriteTokens: 0 },
      native: { provider: 'anthropic', content: [{ type: 'text', text }] },
    });
  });

  test('a call without arguments is read in one piece and in parts', async () => {
    expect((await complete('anthropic-tool-no-args.json')).toolCalls).toEqual([
      { id: 'toolu_01LRmxn9vGM1d2DZSDBowdZ1', name: 'updateIssueList', arguments: {} },
    ]);
    const { response } = await streamed(answersIn('anthropic-tool-no-args.chunks.txt')[0]);
    expect(response).toMatchObject({
      text: "I'll update the issue list for you.",
      toolCalls: [{ id: 'toolu_01QE1WLsSVp5hy5Q3GmGTmjP', name: 'updateIssueList', arguments: {} }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 565, outputTokens: 48 },
    });
  });

  test.each(['anthropic-refusal.json', 'anthropic-refusal-no-details.json'])(
    'a recorded refusal is read: %s',
    async (file) => {
      expect(await complete(file)).toMatchObject({ toolCalls: [], finishReason: 'refusal' });
    },
  );

  test('an answer that starts again before any content is the second one', async () => {
    expect((await streamed(answersIn('duplicate-message-start.chunks.txt')[0])).response.text).toBe('Hello, World!');
    const { response } = await streamed(answersIn('spliced-message-start.chunks.txt')[0]);
    expect(response.toolCalls).toEqual([
      { id: 'toolu_second', name: 'test-tool', arguments: { value: 'Sparkle Day' } },
    ]);
    expect(JSON.stringify(response.native)).not.toContain('sig-first');
  });
});

function expectAllOf(blocks: readonly Json[], response: ModelResponse): void {
  const texts = blocks.filter(({ type }) => type === 'text').map(({ text }) => String(text));
  if (response.finishReason !== 'refusal') expect(response.text).toBe(texts.length === 0 ? null : texts.join(''));
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  expect(response.toolCalls).toEqual(calls.map(({ id, name, input }) => ({ id, name, arguments: input })));
  // Every block goes back as it came; the recordings leave out what streams cannot: ids of blocks.
  expect(response.native?.content ?? []).toEqual(response.finishReason === 'refusal' ? [] : blocks);
}
