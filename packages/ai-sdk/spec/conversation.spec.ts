import fc from 'fast-check';
import { Talk, type Happening, type Place } from './support/conversation';
import { all, calls, chat, claude, desk, gemini, gpt, many, note, older, says, thinks, user } from './support/words';
import { changedEntries } from './support/binding';
import { objects, isJson, type Json } from '../../openai/spec/support/json';
import { toolNamed } from '../../openai/spec/support/client';

/** Openings, thoughts, notes, a removal, a blank text, an unknown part, and a second run. */
const story: readonly Happening[] = [
  user('Help me.'),
  { ask: [thinks('Which section?'), says('\n'), calls('a', 'open_sections'), calls('b', 'find')] },
  { answer: 'Opened.', opens: ['refund'] },
  note('Five turns are left.'),
  { ask: [thinks('Now.'), calls('c', 'refund', { order: 1 })], streams: true },
  { answer: 'Refunded.' },
  { add: { role: 'user', content: 'Check the sum.', note: 'application' } },
  { ask: [thinks('Sum.'), { type: 'drawing', lines: 3, providerMetadata: { p: { id: 'd' } } }, says('Done.')] },
  user('And now?'),
  note('Refunds are closed.', { tools: { added: ['ship'], removed: ['refund'] } }),
  { ask: [thinks('Ship.'), says('I ship.'), calls('d', 'ship')] },
  { answer: 'Shipped.' },
  { ask: [says('All done.')] },
];

describe.each(all)('a conversation with $provider of $version, $modelId', (place) => {
  test.each([
    ['few', desk],
    ['many', many],
  ])('with %s closed tools: each request begins with the one before it, entry for entry', async (_how, tools) => {
    const talk = await Talk.of(place, tools, story);
    expect(talk.problems).toEqual([]);
    expect(talk.bodies).toHaveLength(5);
    expect(changedEntries(talk.bodies)).toBe(0);
    expect(
      changedEntries(
        talk.sent.map(({ tools: list, system, messages }) =>
          plain({ tools: list, messages: [...system, ...messages] }),
        ),
      ),
    ).toBe(0);
  });
});

describe('a tool that was closed', () => {
  test('a tool that was closed is told to Claude by a change in a system message behind the results, and its removal by another', async () => {
    const talk = await Talk.of(claude, desk, story);
    expect(talk.means).toMatchObject({ closedTools: 'toolChanges', systemNotes: 'user' });
    expect(objects(talk.bodies[0]?.['tools']).map(([, { name, providerOptions }]) => [name, providerOptions])).toEqual([
      ['open_sections', { anthropic: { eagerInputStreaming: false } }],
      ['find', { anthropic: { eagerInputStreaming: false } }],
      ['refund', { anthropic: { eagerInputStreaming: false, deferLoading: true } }],
      ['ship', { anthropic: { eagerInputStreaming: false, deferLoading: true } }],
    ]);
    expect(laterSystem(talk)).toEqual([
      {
        role: 'system',
        content: 'Five turns are left.',
        providerOptions: { anthropic: { toolChanges: [{ type: 'tool_addition', toolName: 'refund' }] } },
      },
      {
        role: 'system',
        content: 'Refunds are closed.',
        providerOptions: {
          anthropic: {
            toolChanges: [
              { type: 'tool_addition', toolName: 'ship' },
              { type: 'tool_removal', toolName: 'refund' },
            ],
          },
        },
      },
    ]);
    expect(rolesOf(talk)).toBe(
      'system user assistant tool system assistant tool user assistant user system assistant tool',
    );
    const pinned = ['mid-conversation-system-2026-04-07', 'mid-conversation-tool-changes-2026-07-01'];
    for (const { providerOptions } of talk.bodies)
      expect(providerOptions).toEqual({ anthropic: { anthropicBeta: pinned } });
  });

  test('a tool that was closed is told to OpenAI by its definition in an empty system message, and stays there', async () => {
    const talk = await Talk.of(gpt, desk, story);
    expect(talk.means).toMatchObject({ closedTools: 'additionalTools', systemNotes: 'anywhere' });
    expect(objects(talk.bodies[0]?.['tools']).map(([, { providerOptions }]) => providerOptions)).toEqual([
      undefined,
      undefined,
      { openai: { omitFromRequestTools: true } },
      { openai: { omitFromRequestTools: true } },
    ]);
    const definition = (name: string): object => {
      const { description, parameters, strict } = toolNamed(name);
      return { type: 'function', name, description, parameters, strict };
    };
    expect(laterSystem(talk)).toEqual([
      { role: 'system', content: '', providerOptions: { openai: { additionalTools: [definition('refund')] } } },
      { role: 'system', content: 'Five turns are left.' },
      { role: 'system', content: 'Refunds are closed.' },
      { role: 'system', content: '', providerOptions: { openai: { additionalTools: [definition('ship')] } } },
    ]);
  });

  test.each([older, chat, gemini, { ...claude, version: 'v3' } as const])(
    'a closed tool is in the list of $provider $version $modelId from the start if there are few',
    async (place) => {
      const talk = await Talk.of(place, desk, story);
      expect(talk.means).toMatchObject({ closedTools: 'listed' });
      expect(namesOf(talk)).toEqual(['open_sections', 'find', 'refund', 'ship']);
    },
  );

  test('a tool that was closed is reached through the bridge if there are many, and a call of it goes back as the model wrote it', async () => {
    const talk = await Talk.of(older, many, [
      user('Help me.'),
      { ask: [calls('a', 'open_sections')] },
      { answer: 'Opened.', opens: ['refund'] },
      { ask: [thinks('Through the bridge.'), calls('b', 'use_tool', { tool: 'refund', order: 1 })], streams: true },
      { answer: 'Refunded.' },
      { ask: [says('Done.')] },
    ]);
    expect(talk.means).toMatchObject({ closedTools: 'bridge', bridge: 'use_tool' });
    expect(namesOf(talk)).toEqual(['open_sections', 'find', 'use_tool']);
    expect(talk.responses[1]?.toolCalls).toEqual([
      { id: 'b', name: 'refund', wireName: 'use_tool', arguments: { order: 1 } },
    ]);
    const [, , , results, again] = objects(talk.bodies[2]?.['messages']).map(([, message]) => message);
    expect(JSON.stringify(results)).toContain('Call this tool with use_tool:');
    expect(objects(again?.['content'])[1]?.[1]).toMatchObject({
      toolName: 'use_tool',
      input: { tool: 'refund', order: 1 },
    });
    expect(talk.problems).toEqual([]);
    expect(changedEntries(talk.bodies)).toBe(0);
  });

  test('a tool that was closed is reached as the option says, and as it is recorded', async () => {
    const means = async (place: Place, closedTools: 'native' | 'listed' | 'bridge'): Promise<unknown> =>
      (await Talk.of(place, desk, [], { closedTools })).means;
    expect(await means(claude, 'listed')).toMatchObject({ closedTools: 'listed', systemNotes: 'user' });
    expect(await means(gpt, 'bridge')).toMatchObject({
      closedTools: 'bridge',
      bridge: 'use_tool',
      systemNotes: 'anywhere',
    });
    expect(await means(older, 'native')).toMatchObject({ closedTools: 'toolChanges', systemNotes: 'user' });
    await expect(means(gemini, 'native')).rejects.toThrow(/^E723 AiSdkAdapter for google.generative-ai/);
    const search = { type: 'provider', id: 'anthropic.tool_search_bm25_20251119', name: 'search', args: {} } as const;
    const talk = await Talk.of(claude, desk, story, { providerTools: [search] });
    expect(talk.means).toMatchObject({ closedTools: 'listed', systemNotes: 'user' });
    expect(talk.problems).toEqual([]);
  });
});

describe('notes of a run', () => {
  test.each([
    [claude, ['user', 'system', 'user', 'user']],
    [{ ...claude, version: 'v3' } as const, ['user', 'user', 'user', 'user']],
    [chat, ['user', 'system', 'user', 'system']],
    [gemini, ['user', 'user', 'user', 'user']],
  ])(
    'operator notes are system messages at %j where the model takes them; application notes never are',
    async (place, expected) => {
      const talk = await Talk.of(place, desk, [
        user('Help me.'),
        note('Be brief.'),
        { ask: [says('Yes.')] },
        { add: { role: 'user', content: 'Say it as JSON.', note: 'application' } },
        { ask: [says('No.')] },
        // Behind an answer, Claude takes no system message.
        note('Say it as a list.'),
        { ask: [says('Yes.')] },
      ]);
      const roles = objects(talk.bodies.at(-1)?.['messages']).map(([, { role }]) => role);
      expect(roles.slice(1).filter((role) => role !== 'assistant')).toEqual(expected);
      expect(talk.problems).toEqual([]);
      expect(changedEntries(talk.bodies)).toBe(0);
    },
  );

  test('an answer without content does not move the notes before it', async () => {
    const silent: readonly Happening[] = [
      user('Help me.'),
      note('Be brief.'),
      { ask: [] },
      user('Well?'),
      { ask: [says('Yes.')] },
    ];
    for (const place of all) {
      const talk = await Talk.of(place, desk, silent);
      expect(talk.problems).toEqual([]);
      expect(changedEntries(talk.bodies)).toBe(0);
    }
  });
});

describe('a ledger', () => {
  test('a ledger gets each request without marks, with the same objects for what is the same', async () => {
    const talk = await Talk.of(claude, desk, story);
    expect(JSON.stringify(talk.sent)).not.toContain('cacheControl');
    expect(JSON.stringify(talk.bodies)).toContain('cacheControl');
    talk.sent.slice(1).forEach(({ tools, system, messages }, index) => {
      const before = talk.sent[index];
      [...(before?.tools ?? [])].forEach((tool, at) => expect(tools[at]).toBe(tool));
      [...(before?.system ?? [])].forEach((entry, at) => expect(system[at]).toBe(entry));
      [...(before?.messages ?? [])].forEach((entry, at) => expect(messages[at]).toBe(entry));
    });
  });

  test('tokens read from and written to the cache are counted', async () => {
    const talk = await Talk.of(claude, desk, [user('Hi.'), { ask: [says('Hi.')] }]);
    expect(talk.responses[0]?.usage).toMatchObject({ cachedInputTokens: 20, cacheWriteTokens: 7 });
  });
});

describe('whatever happens in a conversation', () => {
  const text = fc.constantFrom('Yes.', 'No.', '\n', '');
  const name = fc.constantFrom('find', 'refund', 'ship', 'use_tool');
  const part = fc.oneof(
    text.map(says),
    text.map(thinks),
    name.map((toolName) => calls('x', toolName, { tool: 'ship' })),
    fc.constant({ type: 'custom', kind: 'p.q', providerMetadata: { p: { id: 'q' } } }),
    fc.constant({ type: 'source', sourceType: 'url', id: '1', url: 'u' }),
  );
  const change = fc.record({
    added: fc.subarray(['refund', 'ship', 'find']),
    removed: fc.subarray(['refund', 'find']),
  });
  const beside = fc.oneof(
    fc.constant(user('Well?')),
    change.map((tools) => note('Changed.', { tools })),
    fc.constant(note('Hurry.')),
    fc.constant<Happening>({ add: { role: 'user', content: 'Check it.', note: 'application' } }),
  );
  const turn = fc.record({
    before: fc.array(beside, { minLength: 1, maxLength: 3 }),
    ask: fc.array(part, { maxLength: 4 }),
    opens: fc.subarray(['refund', 'ship']),
    streams: fc.boolean(),
  });

  test('no entry of an earlier request is ever changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...all),
        fc.boolean(),
        fc.array(turn, { minLength: 1, maxLength: 5 }),
        async (place, few, turns) => {
          // An empty input has no answer, and V3 knows no parts of its provider.
          const known = (ask: readonly object[]): readonly object[] =>
            ask.filter((each) => place.version === 'v4' || (each as { type?: unknown }).type !== 'custom');
          const happenings = turns.flatMap(({ before, ask, opens, streams }): readonly Happening[] => [
            ...before,
            { ask: known(ask), streams },
            { answer: 'Found.', opens },
          ]);
          const talk = await Talk.of(place, few ? desk : many, [...happenings, user('Bye.'), { ask: [says('Bye.')] }]);
          expect(talk.problems).toEqual([]);
          expect(changedEntries(talk.bodies)).toBe(0);
        },
      ),
      { numRuns: 60 },
    );
  });
});

function laterSystem(talk: Talk): readonly Json[] {
  const messages = objects(talk.bodies.at(-1)?.['messages']).map(([, message]) => message);
  return messages.slice(1).filter(({ role }) => role === 'system');
}

function rolesOf(talk: Talk): string {
  return objects(talk.bodies.at(-1)?.['messages'])
    .map(([, { role }]) => String(role))
    .join(' ');
}

function namesOf(talk: Talk): readonly unknown[] {
  return objects(talk.bodies[0]?.['tools']).map(([, { name }]) => name);
}

function plain(value: object): Json {
  const copy: unknown = JSON.parse(JSON.stringify(value));
  return isJson(copy) ? copy : {};
}
