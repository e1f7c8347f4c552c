import type { Message, ModelRequest } from 'toolwright';
import { AnthropicAdapter, type AnthropicClient, type AnthropicOptions } from '@toolwright/anthropic';
import { adapterOver, clientOver, eventsOf, message, sse } from './support/client';
import { requestProblems } from './support/requestRules';
import { changedEntries, Talk } from './support/Talk';
import { json, requestOf, toolNamed } from '../../openai/spec/support/client';
import type { Json } from '../../openai/spec/support/json';
import { rejectionOf } from '../../openai/spec/support/thrownBy';

type ModelSettings = NonNullable<ModelRequest['settings']>;

const text = (words: string): Json => ({ type: 'text', text: words });
const began = { offered: ['open_sections', 'find'], closed: ['book'] };
const begin = { offeredTools: () => began.offered.map(toolNamed), closedTools: () => began.closed.map(toolNamed) };
const hello: Message = { role: 'user', content: 'Hello' };
const changes = 'mid-conversation-tool-changes-2026-07-01';

/** An adapter whose provider answers these messages in turn, and the bodies that it was sent. */
function talking(options: Partial<AnthropicOptions> = {}, ...answers: readonly unknown[]) {
  const bodies: Json[] = [];
  const answer = (body: unknown) => {
    bodies.push(body as Json);
    return json(answers[bodies.length - 1] ?? message([text('Hi.')]));
  };
  return { adapter: adapterOver(answer, { cache: false, ...options }), bodies, client: clientOver(answer) };
}
const withoutBeta = ({ messages }: AnthropicClient): AnthropicClient => ({ messages });

describe('AnthropicAdapter.means', () => {
  test.each([
    ...['claude-opus-4-8', 'claude-opus-5', 'claude-opus-5-5', 'claude-fable-5', 'claude-fable-5-1'],
    ...['claude-mythos-5', 'claude-mythos-5-1', 'claude-sonnet-5-5', 'claude-opus-5-5-20261001'],
    ...['anthropic/claude-opus-5.5', 'anthropic.claude-opus-5-5-v1:0', 'claude-fable-5-1@20261001'],
  ])('messages change the tools of %s', (model) => {
    const { adapter } = talking({ model });
    expect(adapter.means(begin)).toEqual({
      toolChanges: true,
      systemMessages: true,
      betas: [changes],
      tools: { strict: false, inputExamples: false },
    });
  });

  test.each([
    ...['claude-sonnet-5', 'claude-haiku-5-5', 'claude-opus-5-2', 'claude-fable-5-2', 'claude-opus-4-1'],
    ...['claude-opus-4-8-1', 'my-model', 'claude-opus-50'],
  ])('messages do not change the tools of %s', (model) => {
    const { adapter } = talking({ model });
    expect(adapter.means(begin)).toMatchObject({ toolChanges: false, systemMessages: false, betas: [] });
  });

  test('the host decides; a client without betas, and a conversation without open tools, cannot', () => {
    const { client } = talking();
    const means = (options: Partial<AnthropicOptions>, tools: Parameters<AnthropicAdapter['means']>[0] = begin) =>
      new AnthropicAdapter({ client, model: 'claude-opus-5-5', ...options }).means(tools);
    expect(means({ toolChanges: false })).toMatchObject({ toolChanges: false, systemMessages: true });
    expect(means({ model: 'm', toolChanges: true })).toMatchObject({ toolChanges: true, systemMessages: true });
    expect(means({ client: withoutBeta(client), toolChanges: true })).toMatchObject({ toolChanges: false });
    expect(means({}, { ...begin, offeredTools: () => [] })).toMatchObject({ toolChanges: false });
  });

  test('without means, closed tools are listed, never searched for, and no message tells of them', async () => {
    const { adapter, bodies } = talking({ model: 'claude-sonnet-5', deferTools: () => true });
    const talk = new Talk(adapter, began);
    await talk.user('Hello').ask();
    await talk.user('Note.', { note: 'operator', tools: { added: ['book'], removed: ['find'] } }).ask();
    expect(bodies[1]?.['tools']).toMatchObject([
      { type: 'tool_search_tool_bm25_20251119' },
      { name: 'open_sections', defer_loading: true },
      { name: 'find', defer_loading: true },
      expect.not.objectContaining({ defer_loading: true }),
    ]);
    expect((bodies[1]?.['messages'] as readonly Json[]).map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    expect(changedEntries(talk.sent)).toBe(0);
    expect(bodies.flatMap(requestProblems)).toEqual([]);
  });

  test('without means, many closed tools are reached through one', async () => {
    const closed = Array.from({ length: 80 }, (_, at) => `tool_${String(at)}`);
    const input = { tool: 'tool_7', arguments: {} };
    const bridged = { type: 'tool_use', id: 'a', name: 'use_tool', input };
    const { adapter, bodies } = talking({ model: 'claude-sonnet-5' }, message([bridged], { stop_reason: 'tool_use' }));
    const talk = new Talk(adapter, { ...began, closed });
    expect((await talk.user('Hello').ask()).toolCalls).toMatchObject([{ name: 'tool_7', wireName: 'use_tool' }]);
    await talk.results({}).ask();
    expect((bodies[1]?.['messages'] as readonly Json[])[1]).toEqual({ role: 'assistant', content: [bridged] });
    expect((bodies[1]?.['tools'] as readonly Json[]).map(({ name }) => name)).toEqual([
      'open_sections',
      'find',
      'use_tool',
    ]);
    expect(changedEntries(talk.sent)).toBe(0);
  });

  test('a search is sent beside tools that the host defers, as long as none is closed', async () => {
    const { adapter, bodies } = talking({ model: 'claude-opus-5-5', deferTools: ({ name }) => name === 'find' });
    await new Talk(adapter, { ...began, closed: [] }).user('Hello').ask();
    await new Talk(adapter, began).user('Hello').ask();
    const names = bodies.map(({ tools }) =>
      (tools as readonly Json[]).map(({ name, defer_loading }) => [name, defer_loading]),
    );
    expect(names).toEqual([
      [
        ['tool_search_tool_bm25', undefined],
        ['open_sections', undefined],
        ['find', true],
      ],
      [
        ['open_sections', undefined],
        ['find', undefined],
        ['book', true],
      ],
    ]);
  });

  test('a conversation that began with tool changes needs a client that can send them, and a provider that takes them', async () => {
    const { client, adapter } = talking({ model: 'claude-opus-5-5' });
    const request = { ...requestOf([hello]), ...begin, means: adapter.means(begin) };
    const poor = new AnthropicAdapter({ client: withoutBeta(client), model: 'claude-opus-5-5' });
    const error = await rejectionOf(poor.complete(request));
    expect(error).toMatchObject({ code: 'E701', phase: 'request' });
    expect(error.message).toContain('its client has no beta.messages');
    const refusing = adapterOver(() => json({ error: { message: "Unexpected block 'tool_addition'" } }, 400), {
      model: 'claude-opus-5-5',
    });
    const refused = await rejectionOf(refusing.complete(request));
    expect(refused).toMatchObject({
      code: 'E701',
      phase: 'request',
      remedy: expect.stringContaining('toolChanges: false') as unknown,
    });
  });

  test('a tool that the conversation did not begin with cannot be offered', async () => {
    const { adapter, bodies } = talking({ model: 'claude-opus-5-5' });
    const talk = new Talk(adapter, began).user('Hello', { tools: { added: ['pay'], removed: [] } });
    const error = await rejectionOf(talk.ask());
    expect(error).toMatchObject({ code: 'E701', phase: 'request', place: 'messages[1].tools' });
    expect(bodies).toEqual([]);
  });
});

describe('AnthropicAdapter: the settings of a request', () => {
  async function bodyOf(settings: ModelSettings, options: Partial<AnthropicOptions> = {}) {
    const { adapter, bodies } = talking(options);
    await adapter.complete({ ...requestOf([hello], [toolNamed('find')]), settings });
    expect(requestProblems(bodies[0])).toEqual([]);
    return bodies[0];
  }

  test.each<[ModelSettings, Json]>([
    [{ toolChoice: 'auto' }, { tool_choice: { type: 'auto' } }],
    [{ toolChoice: 'none', parallelToolCalls: false }, { tool_choice: { type: 'none' } }],
    [{ toolChoice: 'required' }, { tool_choice: { type: 'any' } }],
    [{ toolChoice: { tool: 'find' } }, { tool_choice: { type: 'tool', name: 'find' } }],
    [{ parallelToolCalls: false }, { tool_choice: { type: 'auto', disable_parallel_tool_use: true } }],
    [
      { stopSequences: ['END'], temperature: 0.5 },
      { stop_sequences: ['END'], temperature: 0.5 },
    ],
  ])('AnthropicAdapter writes the settings %j', async (settings, fields) => {
    expect(await bodyOf(settings)).toMatchObject(fields);
  });

  test.each(['claude-fable-5-1', 'claude-mythos-5-1', 'claude-opus-5-5', 'claude-sonnet-5-5'])(
    '%s: a forced choice is refused before the request',
    async (model) => {
      const { adapter, bodies } = talking({ model });
      const request = { ...requestOf([hello], [toolNamed('find')]), settings: { toolChoice: 'required' as const } };
      expect(await rejectionOf(adapter.complete(request))).toMatchObject({
        code: 'E723',
        place: 'settings.toolChoice',
      });
      expect(bodies).toEqual([]);
    },
  );

  test('a tool that is not offered cannot be chosen', async () => {
    const error = await rejectionOf(bodyOf({ toolChoice: { tool: 'pay' } }));
    expect(error.message).toContain('"pay"');
  });

  test('further parameters for one run, in the same adapter', async () => {
    const { adapter, bodies } = talking({ parameters: { metadata: { user_id: 'u' }, service_tier: 'auto' } });
    const other = adapter.with({ service_tier: 'standard_only' });
    await other.complete(requestOf([hello]));
    expect(other.name).toBe(adapter.name);
    expect(bodies[0]).toMatchObject({ metadata: { user_id: 'u' }, service_tier: 'standard_only' });
  });

  test('diagnostics name the answer before, and say why the cache could not be used', async () => {
    const miss = { diagnostics: { cache_miss_reason: { type: 'messages_changed', cache_missed_input_tokens: 9 } } };
    const { adapter, bodies } = talking(
      { parameters: { diagnostics: {} } },
      message([text('Hi.')], { id: 'msg_7' }),
      message([text('Yes.')], miss),
    );
    const talk = new Talk(adapter, began);
    await talk.user('Hello').ask();
    expect((await talk.user('More.').ask()).cacheMiss).toBe('messages_changed');
    expect(bodies.map(({ diagnostics }) => diagnostics)).toEqual([
      { previous_message_id: null },
      { previous_message_id: 'msg_7' },
    ]);
    expect(talk.sent.every(({ parameters }) => !('diagnostics' in parameters))).toBe(true);
  });

  test('usage counts what was written to the cache', async () => {
    const usage = { input_tokens: 1, cache_read_input_tokens: 2, cache_creation_input_tokens: 3, output_tokens: 4 };
    const { adapter } = talking({}, message([text('Hi.')], { usage }));
    expect((await adapter.complete(requestOf([hello]))).usage).toEqual({
      inputTokens: 6,
      outputTokens: 4,
      totalTokens: 10,
      cachedInputTokens: 2,
      cacheWriteTokens: 3,
    });
  });

  test('a stream shows thoughts, and the arguments of calls as they come', async () => {
    const use = { type: 'tool_use', id: 'a', name: 'find', input: { id: 1 } };
    const thought = { type: 'thinking', thinking: 'Hm. So.', signature: 'x' };
    const adapter = adapterOver(() => sse(eventsOf([thought, use], { stop_reason: 'tool_use' })));
    const parts: Json[] = [];
    for await (const part of adapter.stream(requestOf([hello]))) parts.push(part);
    expect(parts.slice(0, -1)).toEqual([
      { kind: 'reasoning', text: 'Hm. ' },
      { kind: 'reasoning', text: 'So.' },
      { kind: 'tool_input', id: 'a', name: 'find', text: '{"id' },
      { kind: 'tool_input', id: 'a', name: 'find', text: '":1}' },
    ]);
  });
});

describe('AnthropicAdapter: images and files', () => {
  const data = Buffer.from('a,b').toString('base64');
  const parts = [
    { kind: 'image', mediaType: 'image/png', data },
    { kind: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
    { kind: 'file', mediaType: 'application/pdf', data, name: 'a.pdf' },
    { kind: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' },
    { kind: 'file', mediaType: 'text/csv', data },
    { kind: 'text', text: 'And so on.' },
  ] as const;
  const blocks = [
    { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
    { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } },
    { type: 'document', source: { type: 'base64', media_type: 'application/pdf', data }, title: 'a.pdf' },
    { type: 'document', source: { type: 'url', url: 'https://example.com/a.pdf' } },
    { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'a,b' } },
    text('And so on.'),
  ];

  test('images and files are sent in messages of users and in results of tools', async () => {
    const { adapter, bodies } = talking();
    const call = { id: 'a', name: 'find', arguments: {} };
    await adapter.complete(
      requestOf([
        { role: 'user', content: 'Look.', parts },
        { role: 'assistant', content: null, toolCalls: [call] },
        { role: 'tool', toolCallId: 'a', name: 'find', content: 'Found.', parts, failed: false },
      ]),
    );
    expect(requestProblems(bodies[0])).toEqual([]);
    expect(bodies[0]?.['messages']).toMatchObject([
      { content: [text('Look.'), ...blocks] },
      {},
      { content: [{ type: 'tool_result', content: [text('Found.'), ...blocks] }] },
    ]);
  });

  test.each([
    ['audio', { kind: 'audio', mediaType: 'audio/mp3', data }],
    ['image/tiff', { kind: 'image', mediaType: 'image/tiff', data }],
    ['application/zip', { kind: 'file', mediaType: 'application/zip', data }],
    ['by their address', { kind: 'file', mediaType: 'text/plain', url: 'https://example.com/a.txt' }],
  ] as const)('%s is refused before the request, with the message that holds it', async (words, part) => {
    const { adapter, bodies } = talking();
    const error = await rejectionOf(adapter.complete(requestOf([hello, { role: 'user', content: '', parts: [part] }])));
    expect(error).toMatchObject({ code: 'E724', phase: 'request', place: 'messages[1].parts[0]' });
    expect(error.message).toContain(words);
    expect(bodies).toEqual([]);
  });
});
