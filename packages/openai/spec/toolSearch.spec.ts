import fc from 'fast-check';
import type { Message, ModelRequest } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import type { OpenAIResponsesOptions } from '@toolwright/openai';
import { json } from './support/client';
import { closedTools, GrownConversation, result, user } from './support/grown';
import { objects, type Json } from './support/json';
import { changedEntries } from './support/prefix';
import { removedReasoning, signReasoning } from './support/boundReasoning';
import { problemsBy } from './support/RequestRule';
import { responseRules } from './support/responseRules';
import {
  callItem,
  declaresSearch,
  eventsOf,
  reasoningItem,
  responseOf,
  responsesOver,
  saidItem,
  searchItem,
  sseOf,
} from './support/responses';
import { rejectionOf } from './support/thrownBy';

const OFFERED = ['open_sections', 'find', 'search_tools'];

/** A conversation with a prompt that can be searched, in front of a model whose answers consist of the given items. */
function open(
  answers: readonly (readonly object[])[],
  {
    closed = 60,
    offered = OFFERED,
    ...options
  }: Partial<OpenAIResponsesOptions & { closed: number; offered: string[] }> = {},
) {
  const bodies: Json[] = [];
  const adapter = responsesOver(
    (body) => {
      bodies.push(body as Json);
      const items = answers[bodies.length - 1] ?? [saidItem('Done.')];
      return json(signReasoning(responseOf([reasoningItem('rs'), ...items]), body as Json));
    },
    { model: 'gpt-5.6-sol', ...options },
  );
  return { adapter, bodies, talk: new GrownConversation(adapter, offered, closedTools(closed)) };
}

const itemsOf = (body: Json | undefined): readonly Json[] => objects(body?.['input']).map(([, item]) => item);
const typesOf = (body: Json | undefined): readonly unknown[] => objects(body?.['tools']).map(([, { type }]) => type);
const namesOf = (tools: unknown): readonly unknown[] => objects(tools).map(([, { name }]) => name);

/** Every request is one that the provider takes, begins with the one before it, and loses no reasoning. */
function expectAppended(bodies: readonly Json[]): void {
  for (const [index, body] of bodies.entries()) {
    expect(problemsBy(responseRules, body)).toEqual([]);
    expect(removedReasoning(body)).toEqual([]);
    if (index > 0) expect(changedEntries(bodies[index - 1]!, body)).toEqual([]);
  }
}

const search = (id: string) => ({ id, name: 'search_tools' });
const foundBy = (id: string, ...names: string[]): Message =>
  result(search(id), `Tools that can be called now: ${names.join(', ')}.`, ...names);

describe('a prompt with search on a model with tool_search', () => {
  test('the search is declared as the own one of the provider, and its result defines what was found', async () => {
    const { talk, bodies } = open([[searchItem('s', { query: 'seven' })], [callItem('c', 'closed_7')]]);
    const { toolCalls, finishReason } = await talk.ask(user('Hello'));
    expect(toolCalls).toEqual([{ id: 's', name: 'search_tools', arguments: { query: 'seven' } }]);
    expect(finishReason).toBe('tool_calls');
    await talk.ask(foundBy('s', 'closed_7', 'closed_8'));
    await talk.ask(result({ id: 'c', name: 'closed_7' }, 'Did it.'));
    expect(typesOf(bodies[0])).toEqual(['function', 'function', 'tool_search']);
    expect(objects(bodies[0]?.['tools'])[2]?.[1]).toEqual({
      type: 'tool_search',
      execution: 'client',
      description: 'The search_tools tool.',
      parameters: expect.objectContaining({ type: 'object' }) as object,
    });
    expect(itemsOf(bodies[2]).slice(3)).toEqual([
      searchItem('s', { query: 'seven' }),
      {
        type: 'tool_search_output',
        call_id: 's',
        execution: 'client',
        status: 'completed',
        tools: [
          expect.objectContaining({ type: 'function', name: 'closed_7', defer_loading: true }),
          expect.objectContaining({ type: 'function', name: 'closed_8', defer_loading: true }),
        ],
      },
      expect.objectContaining({ type: 'reasoning' }),
      callItem('c', 'closed_7'),
      { type: 'function_call_output', call_id: 'c', output: 'Did it.' },
    ]);
    expectAppended(bodies);
  });

  test('the text of a search follows all results of the turn, as a message of the user', async () => {
    const turn = [searchItem('s', { query: 'a' }), searchItem('t', { query: 'b' }), callItem('f', 'find')];
    const { talk, bodies } = open([turn]);
    await talk.ask(user('Hello'));
    await talk.ask(
      result(search('s'), 'Opened in full: returns.\n\nWithin 30 days.', 'closed_1'),
      { ...result(search('t'), 'Nothing was added.'), failed: true } as Message,
      result({ id: 'f', name: 'find' }, 'Found.'),
    );
    expect(itemsOf(bodies[1]).slice(6)).toMatchObject([
      { type: 'tool_search_output', call_id: 's', tools: [{ name: 'closed_1' }] },
      { type: 'tool_search_output', call_id: 't', tools: [] },
      { type: 'function_call_output', call_id: 'f' },
      { role: 'user', content: '[Result of search_tools]\n\nOpened in full: returns.\n\nWithin 30 days.' },
      { role: 'user', content: '[Result of search_tools]\n\nNothing was added.' },
    ]);
    expectAppended(bodies);
  });

  test('a tool is defined once, whether an opening or a search brings it first', async () => {
    const { talk, bodies } = open([
      [callItem('o', 'open_sections')],
      [searchItem('s', {}), searchItem('t', {})],
      [callItem('p', 'open_sections')],
    ]);
    await talk.ask(user('Hello'));
    await talk.ask(result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_1'));
    await talk.ask(foundBy('s', 'closed_1', 'closed_2'), foundBy('t', 'closed_2', 'closed_3', 'no_such_tool'));
    await talk.ask(result({ id: 'p', name: 'open_sections' }, 'Opened.', 'closed_3', 'closed_4'));
    const defined = itemsOf(bodies[3]).flatMap(({ type, tools }) =>
      tools === undefined ? [] : [[type, namesOf(tools)]],
    );
    expect(defined).toEqual([
      ['additional_tools', ['closed_1']],
      ['tool_search_output', ['closed_2']],
      ['tool_search_output', ['closed_3']],
      ['additional_tools', ['closed_4']],
    ]);
    expectAppended(bodies);
  });

  test('on a model without items that add tools, found tools are called by name, and opened ones through the bridge', async () => {
    const { talk, bodies } = open(
      [[searchItem('s', {})], [callItem('c', 'closed_7'), callItem('o', 'open_sections')]],
      { model: 'gpt-5.4' },
    );
    await talk.ask(user('Hello'));
    const { toolCalls } = await talk.ask(foundBy('s', 'closed_7'));
    expect(toolCalls[0]).toEqual({ id: 'c', name: 'closed_7', arguments: '{}' });
    await talk.ask(
      result({ id: 'c', name: 'closed_7' }, 'Did it.'),
      result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_8'),
    );
    expect(namesOf(bodies[2]?.['tools'])).toEqual(['open_sections', 'find', undefined, 'use_tool']);
    expect(itemsOf(bodies[2])[4]).toMatchObject({ type: 'tool_search_output', tools: [{ name: 'closed_7' }] });
    expect(itemsOf(bodies[2]).at(-1)?.['output']).toContain('Call this tool with use_tool:');
    expectAppended(bodies);
  });

  test.each<[string, Parameters<typeof open>[1]]>([
    ['on an older model', { model: 'gpt-5.3' }],
    ['on a model of another host', { model: 'llama-4' }],
    ['with toolSearch: false', { toolSearch: false }],
    ['while closed tools are listed', { model: 'gpt-5.5', closed: 2 }],
    ['beside tools that the provider searches', { deferTools: ({ name }) => name === 'find' }],
  ])('the search is a function %s', async (_name, options) => {
    const { talk, bodies } = open([[callItem('s', 'search_tools', '{"query":"x"}')]], options);
    await talk.ask(user('Hello'));
    await talk.ask(foundBy('s', 'closed_1'));
    expect(namesOf(bodies[0]?.['tools'])).toContain('search_tools');
    expect(declaresSearch(bodies[0]!)).toBe(false);
    expect(itemsOf(bodies[1])).toContainEqual(expect.objectContaining({ type: 'function_call_output', call_id: 's' }));
    expectAppended(bodies);
  });

  test('toolSearch: true declares it on any model, and the choice holds for the whole conversation', async () => {
    const { talk, bodies } = open([[searchItem('s', {})]], { model: 'gpt-5.6-sol' });
    await talk.ask(user('Hello'));
    const other = open([], { model: 'gpt-5.6-sol', toolSearch: false });
    await other.adapter.complete({ ...talk.request(), messages: [...talk.messages, foundBy('s', 'closed_1')] });
    expectAppended([...bodies, ...other.bodies]);
    const older = open([]);
    const means = { closedTools: 'additional_tools', strict: true };
    await older.adapter.complete({ ...older.talk.request({ means }), messages: [user('Hello')] });
    expect(declaresSearch(older.bodies[0]!)).toBe(false);
    const forced = open([], { model: 'gpt-7-of-a-host', toolSearch: true });
    await forced.talk.ask(user('Hello'));
    expect(declaresSearch(forced.bodies[0]!)).toBe(true);
  });

  test('a tool of a section that has the same name is a function', async () => {
    const { adapter, bodies } = open([]);
    const talk = new GrownConversation(
      {
        name: adapter.name,
        means: ({ searchTool: _none, ...begin }) => adapter.means(begin),
        complete: (request) => adapter.complete(request),
      },
      OFFERED,
      closedTools(1),
    );
    await talk.ask(user('Hello'));
    expect(declaresSearch(bodies[0]!)).toBe(false);
  });
});

describe('searches of other origin', () => {
  const talkOf = (native: boolean): readonly Message[] => [
    user('Hello'),
    {
      role: 'assistant',
      content: null,
      toolCalls: [{ id: 's', name: 'search_tools', arguments: native ? { query: 'x' } : '{"query":"x"}' }],
      ...(native ? { native: { provider: 'openai', content: [{ ...searchItem('s', { query: 'x' }) }] } } : {}),
    },
    foundBy('s', 'closed_1'),
  ];

  test('a search of another model goes on as one of the provider', async () => {
    const { talk, bodies } = open([]);
    await talk.ask(...talkOf(false));
    expect(itemsOf(bodies[0]).slice(2)).toMatchObject([
      { type: 'tool_search_call', call_id: 's', execution: 'client', arguments: { query: 'x' } },
      { type: 'tool_search_output', call_id: 's', tools: [{ name: 'closed_1' }] },
    ]);
    expectAppended(bodies);
  });

  test('a search goes to a model without tool_search as a call of a function', async () => {
    const { talk, bodies } = open([], { model: 'gpt-5-mini' });
    await talk.ask(...talkOf(true));
    expect(itemsOf(bodies[0]).slice(2)).toMatchObject([
      { type: 'function_call', call_id: 's', name: 'search_tools', arguments: '{"query":"x"}' },
      {
        type: 'function_call_output',
        call_id: 's',
        output: expect.stringContaining('Call this tool with use_tool') as string,
      },
    ]);
    expectAppended(bodies);
  });

  test('a search that the model writes as a function call goes back as one, and items add what it found', async () => {
    const { talk, bodies } = open([[callItem('s', 'search_tools', '{"query":"x"}')]]);
    await talk.ask(user('Hello'));
    await talk.ask(foundBy('s', 'closed_1'));
    expect(itemsOf(bodies[1]).slice(3)).toMatchObject([
      { type: 'function_call', name: 'search_tools' },
      { type: 'function_call_output', call_id: 's', output: 'Tools that can be called now: closed_1.' },
      { type: 'additional_tools', tools: [{ name: 'closed_1' }] },
    ]);
    expectAppended(bodies);
  });

  test('a search that the provider has answered itself is no call', async () => {
    const own = [
      { type: 'tool_search_call', id: 'tsc', call_id: null, execution: 'server', arguments: {}, status: 'completed' },
      { type: 'tool_search_output', id: 'tso', call_id: null, execution: 'server', tools: [], status: 'completed' },
    ];
    const { talk } = open([[...own, saidItem('Hi.')]]);
    expect((await talk.ask(user('Hello'))).toolCalls).toEqual([]);
  });
});

describe('searches that are not as they should be', () => {
  test.each<[string, object, unknown]>([
    ['text', searchItem('s', '{"query":"x"}'), '{"query":"x"}'],
    ['text that is no JSON', searchItem('s', '{"query'), '{"query'],
    ['a list', searchItem('s', [7]), '[7]'],
    ['null', searchItem('s', null), null],
    ['nothing', searchItem('s', undefined), null],
  ])('arguments that are %s reach the dispatcher, which answers them, and go back', async (_name, item, received) => {
    const { talk, bodies } = open([[item]]);
    const { toolCalls } = await talk.ask(user('Hello'));
    expect(toolCalls).toEqual([{ id: 's', name: 'search_tools', arguments: received }]);
    await talk.ask({ ...result(search('s'), 'Wrong arguments.'), failed: true } as Message);
    expect(itemsOf(bodies[1]).slice(-2)).toMatchObject([
      { type: 'tool_search_output', call_id: 's', tools: [] },
      { role: 'user', content: '[Result of search_tools]\n\nWrong arguments.' },
    ]);
    expectAppended(bodies);
  });

  test('a search without an id gets one, and loses the field that only answers have', async () => {
    const { talk, bodies } = open([[searchItem(null, { query: 'x' }, { created_by: 'agent' })]]);
    const { toolCalls } = await talk.ask(user('Hello'));
    expect(toolCalls).toMatchObject([{ id: 'call_0', name: 'search_tools' }]);
    await talk.ask(foundBy('call_0', 'closed_1'));
    expect(itemsOf(bodies[1])[3]).toEqual(searchItem('call_0', { query: 'x' }));
    expectAppended(bodies);
  });

  test('a search that was cut off ends the answer for its length', async () => {
    const { talk } = open([[searchItem('s', {}, { status: 'incomplete' })]]);
    expect(await talk.ask(user('Hello'))).toMatchObject({ finishReason: 'length' });
  });

  test('a host that refuses the search is reported with the remedy', async () => {
    for (const message of ["Invalid value: 'tool_search' - 'tools[2].type'.", "Invalid 'tools[2]'."]) {
      const adapter = responsesOver(() => json({ error: { message } }, 400), { model: 'gpt-5.6-sol' });
      const talk = new GrownConversation(adapter, OFFERED, closedTools(1));
      const error = await rejectionOf(talk.ask(user('Hello')));
      expect(error).toMatchObject({ code: 'E701', remedy: expect.stringContaining('toolSearch: false') as string });
      expect(error.message).toContain('may not take a search that the client answers');
    }
    const adapter = responsesOver(() => json({ error: { message: "Invalid 'tools[0]'." } }, 400), {
      model: 'gpt-5.6-sol',
    });
    const error = await rejectionOf(new GrownConversation(adapter, OFFERED, closedTools(1)).ask(user('Hello')));
    expect(error.message).not.toContain('search');
  });

  test('a request cannot choose the search', async () => {
    const { adapter, talk } = open([]);
    const settings = { toolChoice: { tool: 'search_tools' } };
    const error = await rejectionOf(adapter.complete({ ...talk.request(), settings }));
    expect(error).toMatchObject({ code: 'E723', phase: 'request' });
    expect(error.message).toContain('cannot require a call of "search_tools"');
  });
});

test('a stream holds a search in one piece, with the id of its end', async () => {
  const [created, added, ...rest] = eventsOf([searchItem('s', { query: 'x' })]);
  // The provider announces a search with another id than the one that counts.
  const announced = { ...(added as Json), item: searchItem('other', {}, { status: 'in_progress' }) };
  const adapter = responsesOver(() => sseOf([created, announced, ...rest]), { model: 'gpt-5.6-sol' });
  const parts: ModelPart[] = [];
  const request = new GrownConversation(adapter, OFFERED, closedTools(1)).request();
  for await (const part of adapter.stream({ ...request, messages: [user('Hello')] })) parts.push(part);
  expect(parts).toEqual([
    {
      kind: 'response',
      response: expect.objectContaining({
        toolCalls: [{ id: 's', name: 'search_tools', arguments: { query: 'x' } }],
      }) as ModelRequest,
    },
  ]);
});

describe('any conversation with searches', () => {
  const ids = fc.constantFrom('a', 'b', 'a_2', '', 'x'.repeat(70));
  const item = fc.record({
    id: ids,
    name: fc.constantFrom('search', 'search_tools', 'open_sections', 'find', 'closed_1'),
    args: fc.constantFrom<unknown>({ query: 'x' }, '{"query":"x"}', '{"que', null, [1]),
  });
  const added = fc.uniqueArray(fc.constantFrom('closed_1', 'closed_2', 'closed_3', 'find'), { maxLength: 3 });
  const outcome = fc.record({ text: fc.constantFrom('', 'Opened.', 'Tools that can be called now: closed_1.'), added });
  const turn = fc.array(fc.tuple(item, outcome), { maxLength: 3 });
  const itemOf = ({ id, name, args }: { id: string; name: string; args: unknown }): object =>
    name === 'search' ? searchItem(id === '' ? null : id, args) : callItem(id, name, JSON.stringify(args));

  test.each([
    ['gpt-5.6-sol', 60],
    ['gpt-5.4', 60],
    ['gpt-5.4', 2],
    ['gpt-5-mini', 60],
  ])('a conversation with searches over %s with %i closed tools grows at its end only', async (model, closed) => {
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 4 }), async (turns) => {
        const answers = turns.map((calls) => [saidItem('Hm.'), ...calls.map(([one]) => itemOf(one))]);
        const { talk, bodies } = open(answers, { model, closed });
        let further: Message[] = [user('Hello')];
        for (const calls of turns) {
          const { toolCalls } = await talk.ask(...further);
          further = toolCalls.map((call, at) => result(call, calls[at]![1].text, ...calls[at]![1].added));
          if (further.length === 0) further = [user('And?')];
        }
        await talk.ask(...further);
        expectAppended(bodies);
        // Read from a record by another process: the same bytes.
        const again = open([], { model, closed });
        again.talk.messages.splice(0, 1);
        await again.talk.ask(...(JSON.parse(JSON.stringify(talk.messages.slice(0, -1))) as Message[]));
        expect(changedEntries(bodies.at(-1)!, again.bodies[0]!)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
