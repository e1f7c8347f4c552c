import fc from 'fast-check';
import type { Message, ModelRequest } from 'toolwright';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from '@toolwright/openai';
import { clientOver, json } from './support/client';
import { closedTools, GrownConversation, note, result, user } from './support/grown';
import { isJson, list, objects, type Json } from './support/json';
import { changedEntries } from './support/prefix';
import { removedReasoning, signReasoning } from './support/boundReasoning';
import { problemsBy } from './support/RequestRule';
import { requestProblems } from './support/requestRules';
import { responseRules } from './support/responseRules';
import { callItem, reasoningItem, responseOf, saidItem } from './support/responses';

type SentRequest = Parameters<NonNullable<ModelRequest['onSent']>>[0];
type Call = readonly [id: string, name: string, args?: string];

/** One answer of the model, for either API. */
interface Answer {
  readonly text?: string;
  readonly calls?: readonly Call[];
  /** Further items, for Responses alone. */
  readonly items?: readonly object[];
}

/** The adapters, with the models that decide how closed tools are reached. */
const APIS = ['responses', 'chat'] as const;
const NEW = 'gpt-5.6-sol';
const OLD = 'gpt-5-mini';

function open(api: (typeof APIS)[number], model: string, closed: number, answers: readonly Answer[]) {
  const bodies: Json[] = [];
  const sent: SentRequest[] = [];
  const client = clientOver((body) => {
    bodies.push(body as Json);
    const next = answers[bodies.length - 1] ?? { text: 'Done.' };
    return json(api === 'chat' ? completionOf(next) : signReasoning(responseItemsOf(next), body as Json));
  });
  const adapter =
    api === 'chat' ? new OpenAIChatAdapter({ client, model }) : new OpenAIResponsesAdapter({ client, model });
  const told = {
    name: adapter.name,
    means: adapter.means.bind(adapter),
    complete: (request: Parameters<typeof adapter.complete>[0]) =>
      adapter.complete({ ...request, onSent: (one) => void sent.push(one) }),
  };
  return { bodies, sent, talk: new GrownConversation(told, ['open_sections', 'find'], closedTools(closed)) };
}

function responseItemsOf({ text, calls = [], items = [] }: Answer): object {
  const said = text === undefined ? [] : [saidItem(text)];
  return responseOf([
    reasoningItem('rs'),
    ...items,
    ...said,
    ...calls.map(([id, name, args]) => callItem(id, name, args)),
  ]);
}

function completionOf({ text, calls = [] }: Answer): object {
  const tool_calls = calls.map(([id, name, args = '{}']) => ({
    id,
    type: 'function',
    function: { name, arguments: args },
  }));
  const message = { role: 'assistant', content: text ?? null, ...(calls.length === 0 ? {} : { tool_calls }) };
  return { choices: [{ message, finish_reason: calls.length === 0 ? 'stop' : 'tool_calls' }] };
}

/** Every request begins with the one before it, is one that the provider takes, and no reasoning is lost. */
function expectAppended(bodies: readonly Json[]): void {
  for (const [index, body] of bodies.entries()) {
    expect('input' in body ? problemsBy(responseRules, body) : requestProblems(body)).toEqual([]);
    expect(removedReasoning(body)).toEqual([]);
    if (index > 0) expect(changedEntries(bodies[index - 1]!, body)).toEqual([]);
  }
}

const opens = (id = 'o'): Call => [id, 'open_sections'];
const toolNames = (body: Json | undefined) =>
  list(body?.['tools'])
    .map((tool) => (isJson(tool) && isJson(tool['function']) ? tool['function'] : tool) as Json)
    .map(({ name }) => name);

describe('a conversation with the Responses API, on a model that takes further tools', () => {
  test('an opening adds its tools behind all results of the turn, and nothing before them changes', async () => {
    const { talk, bodies } = open('responses', NEW, 60, [
      { calls: [opens(), ['f', 'find']] },
      { calls: [['c', 'closed_7']] },
      { text: 'Done.' },
    ]);
    await talk.ask(user('Hello'));
    const opened = { id: 'o', name: 'open_sections' };
    const { toolCalls } = await talk.ask(
      result(opened, 'Opened.', 'closed_7', 'closed_8'),
      result({ id: 'f', name: 'find' }, 'Found.'),
    );
    expect(toolCalls).toEqual([{ id: 'c', name: 'closed_7', arguments: '{}' }]);
    await talk.ask(result({ id: 'c', name: 'closed_7' }, 'Did it.'));
    expect(toolNames(bodies[2])).toEqual(['open_sections', 'find']);
    const items = objects(bodies[1]?.['input']).map(([, item]) => item);
    expect(items.slice(-3)).toMatchObject([
      { type: 'function_call_output', call_id: 'o', output: 'Opened.' },
      { type: 'function_call_output', call_id: 'f' },
      { type: 'additional_tools', role: 'developer', tools: [{ name: 'closed_7' }, { name: 'closed_8' }] },
    ]);
    expectAppended(bodies);
  });

  test('a tool is added once, even if it is removed and comes again', async () => {
    const { talk, bodies } = open('responses', NEW, 60, [{ calls: [opens()] }, { calls: [opens('p')] }]);
    await talk.ask(user('Hello'));
    await talk.ask(result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_7'));
    await talk.ask(
      result({ id: 'p', name: 'open_sections' }, 'Opened.', 'closed_7', 'closed_8', 'find'),
      note('operator', 'closed_8 can no longer be called.', ['closed_8']),
    );
    const added = objects(bodies[2]?.['input']).flatMap(([, item]) =>
      item['type'] === 'additional_tools' ? [item] : [],
    );
    expect(added).toMatchObject([{ tools: [{ name: 'closed_7' }] }, { tools: [{ name: 'closed_8' }] }]);
    expectAppended(bodies);
  });

  test('turns go back whole: unknown items, annotations, blank messages, and calls of free text', async () => {
    const items = [
      { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'x' } },
      saidItem(''),
      { type: 'custom_tool_call', id: 'ctc_1', call_id: 's', name: 'sql', input: 'select 1' },
    ];
    const { talk, bodies } = open('responses', NEW, 1, [{ items }]);
    await talk.ask(user('Hello'));
    await talk.ask(result({ id: 's', name: 'sql' }, 'No such tool.'));
    const sent = list(bodies[1]?.['input']);
    expect(sent.slice(3)).toEqual([
      ...items,
      { type: 'custom_tool_call_output', call_id: 's', output: 'No such tool.' },
    ]);
    expectAppended(bodies);
  });

  test('notes are said by the developer or by the user, and the ledger is told what was sent', async () => {
    const { talk, bodies, sent } = open('responses', NEW, 1, []);
    await talk.ask(user('Hello'));
    await talk.ask(note('operator', 'Few turns are left.'), note('application', 'The list is long.'));
    expect(list(bodies[1]?.['input']).slice(-2)).toEqual([
      { role: 'developer', content: 'Few turns are left.' },
      { role: 'user', content: 'The list is long.' },
    ]);
    const [first, second] = sent;
    expect(first?.system).toEqual([{ role: 'system', content: 'You help.' }]);
    expect(first?.parameters).toMatchObject({ model: NEW, store: false, include: ['reasoning.encrypted_content'] });
    // The same objects, so that a comparison of two requests is cheap.
    expect(second?.messages[0]).toBe(first?.messages[0]);
    expect(second?.tools).toEqual(first?.tools);
    expectAppended(bodies);
  });
});

describe.each(APIS)('a conversation over %s without means to add tools', (api) => {
  test('few closed tools are in every request', async () => {
    const { talk, bodies } = open(api, OLD, 2, [{ calls: [opens()] }, { calls: [['c', 'closed_1']] }]);
    await talk.ask(user('Hello'));
    await talk.ask(result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_1'));
    await talk.ask(result({ id: 'c', name: 'closed_1' }, 'Did it.'));
    expect(toolNames(bodies[0])).toEqual(['open_sections', 'find', 'closed_0', 'closed_1']);
    expect(JSON.stringify(bodies[2])).toContain('"Opened."');
    expectAppended(bodies);
  });

  test('many are called through one, whose calls go back as the model wrote them', async () => {
    const args = '{ "tool": "closed_7", "arguments": {"a": 1} }';
    const { talk, bodies } = open(api, OLD, 60, [{ calls: [opens()] }, { calls: [['c', 'use_tool', args]] }]);
    await talk.ask(user('Hello'));
    const opened = result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_7');
    const { toolCalls } = await talk.ask(opened);
    expect(toolCalls).toEqual([{ id: 'c', name: 'closed_7', arguments: { a: 1 }, wireName: 'use_tool' }]);
    await talk.ask(result({ id: 'c', name: 'closed_7' }, 'Did it.'));
    expect(toolNames(bodies[2])).toEqual(['open_sections', 'find', 'use_tool']);
    const last = JSON.stringify(bodies[2]);
    expect(last).toContain(JSON.stringify(args));
    expect(last).toContain('Call this tool with use_tool:');
    expectAppended(bodies);
  });

  test('a turn without its native form is wrapped again', async () => {
    const { talk, bodies } = open(api, OLD, 60, []);
    const call = { id: 'c', name: 'closed_7', arguments: { a: 1 }, wireName: 'use_tool' };
    const turn: Message = { role: 'assistant', content: null, toolCalls: [call] };
    await talk.ask(user('Hello'), turn, result(call, 'Did it.'));
    expect(JSON.stringify(bodies[0])).toContain(JSON.stringify('{"tool":"closed_7","arguments":{"a":1}}'));
    expectAppended(bodies);
  });
});

describe('a conversation over Chat Completions', () => {
  test.each([
    [OLD, 'developer'],
    ['llama-4', 'user'],
  ])('on %s, notes are said by the %s', async (model, role) => {
    const { talk, bodies } = open('chat', model, 0, []);
    await talk.ask(user('Hello'), note('operator', 'Few turns are left.'), note('application', 'Long.'));
    expect(list(bodies[0]?.['messages']).slice(-2)).toEqual([
      { role, content: 'Few turns are left.' },
      { role: 'user', content: 'Long.' },
    ]);
    expectAppended(bodies);
  });
});

describe('any conversation', () => {
  const names = fc.constantFrom('open_sections', 'find', 'use_tool', 'closed_1', 'functions.find');
  const args = fc.constantFrom(
    '{}',
    '{"tool":"closed_1","id":"7"}',
    '{"tool":"closed_2","arguments":"{}"}',
    '{"to',
    '',
  );
  const added = fc.uniqueArray(fc.constantFrom('closed_1', 'closed_2', 'closed_3', 'find'), { maxLength: 2 });
  const anyCall = fc.record({ id: fc.constantFrom('a', 'b', 'a_2', ''), name: names, args, added, text: fc.string() });
  const anyTurn = fc.record({
    text: fc.option(fc.string(), { nil: undefined }),
    calls: fc.array(anyCall, { maxLength: 3 }),
    notes: fc.array(
      fc.constantFrom<Message>(note('operator', 'O', ['closed_1']), note('application', 'A'), user('U')),
      {
        maxLength: 2,
      },
    ),
  });

  test.each([
    ['responses', NEW, 60],
    ['responses', OLD, 2],
    ['responses', OLD, 60],
    ['chat', OLD, 2],
    ['chat', 'llama-4', 60],
  ] as const)(
    'a conversation over %s with %s and %i closed tools grows at its end only',
    async (api, model, closed) => {
      await fc.assert(
        fc.asyncProperty(fc.array(anyTurn, { minLength: 1, maxLength: 4 }), async (turns) => {
          const answers = turns.map(({ text, calls }): Answer => ({
            ...(text === undefined ? {} : { text }),
            calls: calls.map(({ id, name, args: given }): Call => [id, name, given]),
          }));
          const { talk, bodies } = open(api, model, closed, answers);
          let further: Message[] = [user('Hello')];
          for (const { calls, notes } of turns) {
            const { toolCalls } = await talk.ask(...further);
            const results = toolCalls.map((call, index) => result(call, calls[index]!.text, ...calls[index]!.added));
            further = [...results, ...notes, ...(results.length + notes.length === 0 ? [user('And?')] : [])];
          }
          await talk.ask(...further);
          expectAppended(bodies);
          // Read from a record by another process: the same bytes.
          const again = open(api, model, closed, []);
          again.talk.messages.splice(0, 1);
          await again.talk.ask(...(JSON.parse(JSON.stringify(talk.messages.slice(0, -1))) as Message[]));
          expect(changedEntries(bodies.at(-1)!, again.bodies[0]!)).toEqual([]);
        }),
        { numRuns: 40 },
      );
    },
  );
});
