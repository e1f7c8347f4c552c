import fc from 'fast-check';
import type { Message } from 'toolwright';
import { AnthropicAdapter, type AnthropicOptions } from '@toolwright/anthropic';
import { adapterOver, message } from './support/client';
import { BindingDouble, type BoundTurn } from './support/BindingDouble';
import { changedEntries, entriesOf, Talk, type Began } from './support/Talk';
import { json, toolNamed } from '../../openai/spec/support/client';
import type { Json } from '../../openai/spec/support/json';
import { rejectionOf } from '../../openai/spec/support/thrownBy';

const began: Began = { offered: ['open_sections', 'find'], closed: ['book', 'cancel'] };
const text = (words: string): Json => ({ type: 'text', text: words });
const thinking = (words: string): Json => ({ type: 'thinking', thinking: words });
const use = (id: string, name = 'find', rest: Json = {}): Json => ({ type: 'tool_use', id, name, input: {}, ...rest });
const search = { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } };
const found = { type: 'web_search_tool_result', tool_use_id: 's', content: [] };
const unknown = { type: 'connector_text', connector_text: 'Known to the provider alone.', signature: 'x' };
const model = 'claude-opus-5-5';

const doubles: BindingDouble[] = [];
afterEach(async () => {
  await Promise.all(doubles.splice(0).map((double) => double.stop()));
});

async function talking(script: readonly BoundTurn[], options: Partial<AnthropicOptions> = {}, tools = began) {
  const double = await BindingDouble.start(...script);
  doubles.push(double);
  const adapter = new AnthropicAdapter({ client: double.client, model, ...options });
  return { double, adapter, talk: new Talk(adapter, tools) };
}

/** Demands that nothing was refused, and that nothing that was sent has changed, neither as told nor on the wire. */
function expectStable({ double, talk }: { readonly double: BindingDouble; readonly talk: Talk }): void {
  expect(double.refusals).toEqual([]);
  expect(double.bodies.map(entriesOf)).toEqual(
    talk.sent.map(({ tools, system, messages }) => ({ tools, system, messages })),
  );
  expect(changedEntries(talk.sent)).toBe(0);
}

const longScript: readonly BoundTurn[] = [
  { content: [thinking('A room.'), text(''), use('a', 'open_sections', { caller: { type: 'direct' } })] },
  { content: [thinking('Both.'), use('b', 'book'), unknown, use('c', 'find')] },
  { content: [thinking('Look it up.'), search], stop_reason: 'pause_turn' },
  { content: [found, thinking('Found.'), { ...text('It is open.'), citations: [] }] },
  { content: [thinking('Again.'), use('a', 'book')] },
  { content: [] },
  { content: [thinking('Last.'), text('Done.')] },
];

async function longTalk(streams: boolean, options: Partial<AnthropicOptions> = {}) {
  const held = await talking(longScript, options);
  const { talk } = held;
  await talk.user('Book a room.').ask(streams);
  await talk.results({ added: ['book'] }).ask(streams);
  await talk
    .results({}, { added: ['cancel'], removed: ['find'] })
    .user('Little is left.', { note: 'operator' })
    .ask(streams);
  await talk
    .user('And now?')
    .user('Rooms are full.', { note: 'application', tools: { added: [], removed: ['cancel'] } })
    .ask(streams);
  await talk.results({ added: ['find'] }).ask(streams);
  await talk.user('Anything else?').ask(streams);
  return held;
}

describe('a conversation with a model of Anthropic', () => {
  test.each([
    ['in one piece', false, {}],
    ['streamed', true, {}],
    ['without a cache, in strict mode', false, { cache: false, strict: true } as const],
  ])(
    '%s: openings, removals, notes, pauses, thoughts, unknown blocks: 0 changed entries',
    async (_name, streams, options) => {
      const held = await longTalk(streams, options);
      expectStable(held);
      expect(held.talk.sent).toHaveLength(7);
    },
  );

  test('tools that a call opens are offered after the results of its turn, in one message', async () => {
    const { double } = await longTalk(false, { cache: false });
    const [first, second, third] = double.bodies;
    expect(first?.['tools']).toMatchObject([
      { name: 'open_sections' },
      { name: 'find' },
      { name: 'book', defer_loading: true },
      { name: 'cancel', defer_loading: true },
    ]);
    expect(JSON.stringify(first)).not.toContain('tool_search');
    const addition = (name: string) => ({ type: 'tool_addition', tool: { type: 'tool_reference', name } });
    expect((second?.['messages'] as readonly Json[]).at(-1)).toEqual({ role: 'system', content: [addition('book')] });
    expect((third?.['messages'] as readonly Json[]).slice(-2)).toMatchObject([
      { role: 'user', content: [{ tool_use_id: 'b' }, { tool_use_id: 'c' }] },
      {
        role: 'system',
        content: [
          { type: 'tool_removal', tool: { type: 'tool_reference', name: 'find' } },
          addition('cancel'),
          text('Little is left.'),
        ],
      },
    ]);
    expect(third?.['betas']).toEqual(['mid-conversation-tool-changes-2026-07-01']);
  });

  test('an answer goes back whole: blank text, caller, citations, blocks that only the provider knows', async () => {
    const { double } = await longTalk(false);
    const said = JSON.stringify(double.bodies.at(-1)?.['messages']);
    for (const block of [text(''), use('a', 'open_sections', { caller: { type: 'direct' } }), unknown, search, found])
      expect(said).toContain(JSON.stringify(block));
    expect(said).toContain('"citations":[]');
  });

  test('another process goes on from the record: 0 changed entries', async () => {
    const held = await talking([...longScript.slice(0, 2), { content: [thinking('On.'), text('Yes.')] }]);
    const { talk, double } = held;
    await talk.user('Book a room.').ask();
    await talk.results({ added: ['book'] }).ask();
    talk.results({}, { removed: ['find'] });
    talk.moveTo(new AnthropicAdapter({ client: double.client, model }));
    await talk.ask();
    expectStable(held);
  });

  test('an answer that was paused twice goes back as its three pieces, also in another process', async () => {
    const held = await talking([
      { content: [thinking('Search.'), search], stop_reason: 'pause_turn' },
      { content: [found, thinking('Again.'), { ...search, id: 's2' }], stop_reason: 'pause_turn' },
      { content: [{ ...found, tool_use_id: 's2' }, thinking('Now.'), use('a')] },
      { content: [thinking('So.'), text('Done.')] },
    ]);
    const { talk, double } = held;
    await talk.user('Look it up.').ask();
    talk.results();
    talk.moveTo(new AnthropicAdapter({ client: double.client, model }));
    await talk.ask();
    expectStable(held);
    const said = double.bodies.at(-1)?.['messages'] as readonly Json[];
    expect(said.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'assistant', 'user']);
  });

  test('a message that was written before is not written again: its entries are the same objects', async () => {
    let turns = 0;
    const adapter = adapterOver(
      () => json(message([{ ...thinking('Hm.'), signature: 'x' }, use(`t${String(turns++)}`)])),
      { model },
    );
    const talk = new Talk(adapter, began);
    const sent: (readonly unknown[])[] = [];
    talk.extra = { onSent: ({ messages }) => void sent.push(messages) };
    talk.user('Go on.');
    for (let turn = 0; turn < 200; turn++) {
      await talk.ask();
      talk.results({});
    }
    const last = sent.at(-1) ?? [];
    expect(last).toHaveLength(1 + 199 * 3);
    expect(sent.at(-2)?.every((entry, at) => entry === last[at])).toBe(true);
  });

  test('whatever comes, goes, is said and answered: 0 changed entries', async () => {
    const names = fc.subarray([...began.offered.slice(1), ...began.closed]);
    const changes = fc.option(fc.record({ added: names, removed: names }), { nil: undefined });
    const block = fc.constantFrom<Json>(text('Hm.'), text(''), thinking('So.'), unknown);
    const answer = fc.record({
      content: fc.array(block, { maxLength: 3 }),
      calls: fc.nat(2),
      isPaused: fc.boolean(),
    });
    const note = fc.record({
      content: fc.constantFrom('Note.', '', ' '),
      note: fc.constantFrom<'operator' | 'application' | undefined>('operator', 'application', undefined),
      tools: changes,
    });
    const step = fc.record({
      answer,
      results: fc.array(changes, { maxLength: 2 }),
      notes: fc.array(note, { maxLength: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.boolean(), async (steps, streams) => {
        let id = 0;
        const script = steps.flatMap(({ answer: { content, calls, isPaused } }): BoundTurn[] => [
          ...(isPaused ? [{ content: [thinking('Wait.'), search], stop_reason: 'pause_turn' }] : []),
          {
            content: [
              ...(isPaused ? [found] : []),
              ...content,
              ...Array.from({ length: calls }, () => use(`t${String(id++)}`)),
            ],
          },
        ]);
        const double = await BindingDouble.start(...script);
        try {
          const talk = new Talk(new AnthropicAdapter({ client: double.client, model }), began);
          for (const { results, notes } of steps) {
            for (const said of notes) talk.messages.push(noteOf(said));
            // A request without anything new would ask the model to go on with its own words.
            if (notes.every(({ content }) => content.trim() === '')) talk.user('Go on.');
            await talk.ask(streams);
            talk.results(...results.map((changed) => changed ?? {}));
          }
          expectStable({ double, talk });
        } finally {
          await double.stop();
        }
      }),
      { numRuns: 60 },
    );
  }, 120_000);
});

test('without a bound part, an answer keeps the rest; with manual thinking and of another provider, it stays or goes whole', () => {
  const adapter = adapterOver(() => json({}), { model });
  const content = [
    { ...thinking('Hm.'), signature: 'x' },
    text('So.'),
    { type: 'redacted_thinking', data: 'x' },
    search,
  ];
  const native = { provider: 'anthropic', content: [...content, found, text('Yes.')], pauses: [4] } as never;
  expect(adapter.unbind(native)).toEqual({
    provider: 'anthropic',
    content: [text('So.'), search, found, text('Yes.')],
    pauses: [2],
  });
  expect(adapter.unbind({ provider: 'anthropic', content: [{ type: 'thinking', thinking: 'Hm.' }] })).toBeUndefined();
  expect(adapter.unbind({ provider: 'openai', content: [] })).toBeUndefined();
  const manual = adapter.with({ thinking: { type: 'enabled', budget_tokens: 1_024 } });
  expect(manual.unbind(native)).toBe(native);
});

function noteOf({
  content,
  note,
  tools,
}: {
  content: string;
  note: 'operator' | 'application' | undefined;
  tools: Extract<Message, { role: 'user' }>['tools'];
}): Message {
  return { role: 'user', content, ...(note === undefined ? {} : { note }), ...(tools === undefined ? {} : { tools }) };
}

describe('the double of a model whose thoughts are bound', () => {
  const script = [
    { content: [thinking('One.'), use('a')] },
    { content: [thinking('Two.'), text('Done.')] },
    { content: [text('On.')] },
  ];
  async function talked(options: Partial<AnthropicOptions> = {}) {
    const held = await talking(script, options);
    await held.talk.user('Hello').ask();
    await held.talk.results({ added: ['book'] }).ask();
    held.talk.user('More.');
    return held;
  }
  const tampered: readonly (readonly [string, string, (talk: Talk) => void])[] = [
    ['another prompt', 'messages.1.content.0', ({ messages }) => (messages[0] = { role: 'system', content: 'Other.' })],
    [
      'another first message',
      'messages.1.content.0',
      ({ messages }) => (messages[1] = { role: 'user', content: 'Hi' }),
    ],
    ['other tools', 'messages.1.content.0', (talk) => (talk.extra = { offeredTools: () => [toolNamed('find')] })],
    [
      'an opening that is not told any more',
      'messages.4.content.0',
      ({ messages }) => (messages[3] = { ...messages[3], tools: undefined } as Message),
    ],
    [
      'a changed result',
      'messages.4.content.0',
      ({ messages }) => (messages[3] = { ...messages[3], content: 'Other.' } as Message),
    ],
  ];

  test.each(tampered)(
    'the double of a model whose thoughts are bound refuses %s, with the position',
    async (_name, place, tamper) => {
      const { talk, double } = await talked();
      tamper(talk);
      const error = await rejectionOf(talk.ask());
      expect(error).toMatchObject({ code: 'E701', phase: 'request' });
      // Without the system message, the answer stands one place further in front.
      expect(double.refusals[0]?.replace('messages.3', 'messages.4')).toContain(place);
    },
  );

  test('the double of a model whose thoughts are bound drops the thought and all later ones where the request says so, and tells', async () => {
    const binding = { type: 'adaptive', block_binding: { prefix_mismatch_behavior: 'drop_block' } } as const;
    const { talk, double } = await talked({ parameters: { thinking: binding } });
    talk.messages[1] = { role: 'user', content: 'Hi' };
    const { cacheMiss } = await talk.ask();
    expect(double.refusals).toEqual([]);
    expect(cacheMiss).toBe(
      'thinking_dropped messages.1.content.0: prefix_binding_mismatch; thinking_dropped messages.4.content.0: prefix_binding_mismatch',
    );
    expect(double.bodies.at(-1)?.['betas']).toEqual([
      'thinking-binding-controls-2026-08-01',
      'mid-conversation-tool-changes-2026-07-01',
    ]);
  });

  test('the double of a model whose thoughts are bound refuses a paused answer that goes back in one message with what continues it', async () => {
    const { talk, double } = await talking([
      { content: [thinking('Search.'), search], stop_reason: 'pause_turn' },
      { content: [found, text('Found.')] },
    ]);
    await talk.user('Look it up.').ask();
    const last = talk.messages.pop() as Extract<Message, { role: 'assistant' }>;
    expect(last.native?.pauses).toEqual([2]);
    talk.messages.push({ ...last, native: { provider: 'anthropic', content: last.native?.content ?? [] } });
    await rejectionOf(talk.user('And?').ask());
    expect(double.refusals).toEqual([expect.stringContaining('a paused turn must be sent back as it was')]);
  });

  test('the double of a model whose thoughts are bound refuses a made-up signature, and an answer that is begun for the model', async () => {
    const { talk, double } = await talked();
    const native = { provider: 'anthropic', content: [{ ...thinking('Mine.'), signature: 'made up' }, text('So.')] };
    talk.messages.push({ role: 'assistant', content: 'I say', native: undefined });
    await rejectionOf(talk.ask());
    talk.messages.splice(-1, 1, { role: 'assistant', content: 'So.', native: native as never });
    await rejectionOf(talk.user('More.').ask());
    expect(double.refusals).toEqual([
      expect.stringContaining('does not support assistant message prefill'),
      expect.stringContaining('messages.6.content.0'),
    ]);
  });
});
