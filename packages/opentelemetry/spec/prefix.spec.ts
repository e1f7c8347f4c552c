import type { Attributes } from '@opentelemetry/api';
import type { ModelAdapter, ModelRequest, ModelResponse } from 'toolwright';
import { Conversation } from 'toolwright/conversations';
import { PrefixMeasured } from 'toolwright/events';
import { answer, calling, getOrder, named, tracedDesk } from './desk';

const user = (content: string) => [{ role: 'user', content } as const];

/** The attributes of all requests, in the order in which they ended. */
const chatsOf = (spans: readonly { readonly name: string; readonly attributes: Attributes }[]) =>
  spans.filter(({ name }) => name === 'chat gpt-5-mini').map(({ attributes }) => attributes);

/** A model whose requests have a form of their own, and which answers as told. */
function sending(send: (request: ModelRequest) => readonly unknown[], response: () => ModelResponse): ModelAdapter {
  return {
    name: 'openai:gpt-5-mini',
    complete: async (request) => {
      const parameters = { tool_choice: request.settings?.toolChoice };
      request.onSent?.({ tools: [], system: [], messages: send(request), parameters });
      return response();
    },
  };
}

const done: ModelResponse = { text: 'Done.', toolCalls: [], finishReason: 'stop' };

describe('the prefix of requests in traces', () => {
  test('the span of a request has what PrefixMeasured says of it', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const events: PrefixMeasured[] = [];
    app.eventBus.subscribe(PrefixMeasured, (event) => void events.push(event));
    const conversation = new Conversation();
    await app.evaluate(prompt, { adapter: named([calling('#1'), answer]), conversation, messages: user('Where?') });
    await app.evaluate(prompt, { adapter: named([answer]), conversation, messages: user('And now?') });
    expect(events).toHaveLength(3);
    expect(chatsOf(trace.spans).map((attributes) => attributes['toolwright.prefix.kept_bytes'])).toEqual(
      events.map(({ keptBytes }) => keptBytes),
    );
    for (const [index, { keptBytes, keptTokens, newBytes }] of events.entries()) {
      expect(chatsOf(trace.spans)[index]).toMatchObject({
        'toolwright.prefix.kept_bytes': keptBytes,
        'toolwright.prefix.kept_tokens': keptTokens,
        'toolwright.prefix.new_bytes': newBytes,
        'toolwright.prefix.changed_bytes': 0,
      });
    }
    expect(events[2]?.keptBytes).toBeGreaterThan(events[1]?.keptBytes ?? Infinity);
    expect(chatsOf(trace.spans)[2]).not.toHaveProperty('toolwright.prefix.broken_at');
  });

  test('the span names what was changed first, and has the words of the provider about its cache', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const conversation = new Conversation({ id: 'changed on purpose' });
    const adapter = sending(
      ({ messages }) => messages.map(({ content }, index) => [index, index < 2 ? messages.length : content]),
      () => ({
        ...done,
        usage: { inputTokens: 90, cachedInputTokens: 20, cacheWriteTokens: 70 },
        cacheMiss: 'messages_changed',
      }),
    );
    await app.evaluate(prompt, { adapter, conversation, messages: user('First.') });
    await app.evaluate(prompt, { adapter, conversation, messages: user('Second.'), toolChoice: 'none' });
    expect(chatsOf(trace.spans)[1]).toMatchObject({
      'toolwright.prefix.broken_at': 'messages[0]',
      'toolwright.prefix.changed_parameters': ['tool_choice'],
      'toolwright.prefix.cache_miss': 'messages_changed',
      'gen_ai.usage.cache_read.input_tokens': 20,
      'gen_ai.usage.cache_creation.input_tokens': 70,
    });
    expect(chatsOf(trace.spans)[1]?.['toolwright.prefix.changed_bytes']).toBeGreaterThan(0);
  });

  test('the span of a request that the provider refuses has it, too', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const adapter = sending(
      ({ messages }) => messages,
      () => {
        throw new RangeError('400');
      },
    );
    const run = app.evaluate(prompt, { adapter, conversation: new Conversation(), messages: user('First.') });
    await expect(run).rejects.toThrow('400');
    expect(chatsOf(trace.spans)).toMatchObject([{ 'error.type': 'E701', 'toolwright.prefix.kept_bytes': 0 }]);
  });

  test('a request of an adapter that does not say what it sent has none of it', async () => {
    const { app, prompt, trace } = await tracedDesk([getOrder]);
    const adapter: ModelAdapter = { name: 'openai:gpt-5-mini', complete: async () => done };
    await app.evaluate(prompt, { adapter, conversation: new Conversation(), messages: user('First.') });
    expect(Object.keys(chatsOf(trace.spans)[0] ?? {}).filter((name) => name.includes('prefix'))).toEqual([]);
  });
});
