import type { Message, ModelRequest } from 'toolwright';
import type { ModelPart } from 'toolwright/adapters';
import { OpenAIChatAdapter, OpenAIResponsesAdapter } from '@toolwright/openai';
import { callChunk, chunk, clientOver, json, requestOf, saying, sse, toolNamed } from './support/client';
import { closedTools, GrownConversation, result, user } from './support/grown';
import { list, objects, type Json } from './support/json';
import { requestProblems } from './support/requestRules';
import { responseProblems } from './support/responseRules';
import { callItem, eventsOf, responseOf, responsesOver, saidItem, sseOf } from './support/responses';
import { rejectionOf } from './support/thrownBy';

type ContentPart = NonNullable<Extract<Message, { role: 'user' }>['parts']>[number];
type ModelSettings = NonNullable<ModelRequest['settings']>;
type SentRequest = Parameters<NonNullable<ModelRequest['onSent']>>[0];

const tools = [toolNamed('find'), toolNamed('open')];
const hello = [user('Hello')];

/** Both adapters, and the bodies that they send. */
function adapters() {
  const bodies: Json[] = [];
  const client = (answer: unknown) =>
    clientOver((body) => {
      bodies.push(body as Json);
      return json(answer);
    });
  return {
    bodies,
    chat: new OpenAIChatAdapter({ client: client(saying('Hi.')), model: 'm', parameters: { seed: 1, temperature: 1 } }),
    responses: new OpenAIResponsesAdapter({
      client: client(responseOf([saidItem('Hi.')])),
      model: 'm',
      parameters: { user: 'u', temperature: 1 },
    }),
  };
}

async function bodyOf(api: 'chat' | 'responses', settings: ModelSettings, offered = tools): Promise<Json> {
  const { bodies, ...both } = adapters();
  await both[api].complete({ ...requestOf(hello, offered), settings });
  expect(api === 'chat' ? requestProblems(bodies[0]) : responseProblems(bodies[0])).toEqual([]);
  return bodies[0]!;
}

describe('settings of a request', () => {
  test.each(['auto', 'none', 'required'] as const)('the choice %s is sent as it is', async (toolChoice) => {
    expect(await bodyOf('chat', { toolChoice })).toMatchObject({ tool_choice: toolChoice });
    expect(await bodyOf('responses', { toolChoice })).toMatchObject({ tool_choice: toolChoice });
  });

  test('the choice of one tool is sent in the form of each API', async () => {
    const toolChoice = { tool: 'open' };
    expect(await bodyOf('chat', { toolChoice })).toMatchObject({
      tool_choice: { type: 'function', function: { name: 'open' } },
    });
    expect(await bodyOf('responses', { toolChoice })).toMatchObject({
      tool_choice: { type: 'function', name: 'open' },
    });
  });

  test('settings of a request are stronger than parameters, and tools are not touched', async () => {
    const settings: ModelSettings = { temperature: 0, parallelToolCalls: false };
    for (const api of ['chat', 'responses'] as const) {
      const body = await bodyOf(api, settings);
      expect(body).toMatchObject({ temperature: 0, parallel_tool_calls: false });
      expect(body['tools']).toEqual((await bodyOf(api, {}))['tools']);
      expect((await bodyOf(api, { toolChoice: 'none' }, []))['tool_choice']).toBeUndefined();
    }
  });

  test('texts to stop at are sent over Chat Completions, and refused over Responses', async () => {
    expect(await bodyOf('chat', { stopSequences: ['END'] })).toMatchObject({ stop: ['END'] });
    expect(await bodyOf('responses', { stopSequences: [] })).not.toHaveProperty('stop');
    const { responses, bodies } = adapters();
    const error = await rejectionOf(responses.complete({ ...requestOf(hello), settings: { stopSequences: ['END'] } }));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E723' });
    expect(error.message).toContain('the Responses API has no stop sequences');
    expect(bodies).toEqual([]);
  });

  test.each<[string, ModelSettings, readonly ReturnType<typeof toolNamed>[], string]>([
    ['a tool that is not there', { toolChoice: { tool: 'pay' } }, tools, '"pay": it is not among the tools'],
    ['a call without tools', { toolChoice: 'required' }, [], 'no tool is offered'],
  ])("OpenAI's adapters cannot require %s", async (_what, settings, offered, problem) => {
    const { bodies, ...both } = adapters();
    for (const adapter of [both.chat, both.responses]) {
      const error = await rejectionOf(adapter.complete({ ...requestOf(hello, offered), settings }));
      expect(error).toMatchObject({ phase: 'request', code: 'E723' });
      expect(error.message).toContain(problem);
    }
    expect(bodies).toEqual([]);
  });

  test('at most four texts stop an answer of Chat Completions', async () => {
    const settings = { stopSequences: ['a', 'b', 'c', 'd', 'e'] };
    const error = await rejectionOf(adapters().chat.complete({ ...requestOf(hello), settings }));
    expect(error.message).toContain('it has 5 stop sequences, at most 4 are possible');
  });

  test('further parameters for one run replace those of the same name, and leave the adapter as it was', async () => {
    const { chat, responses, bodies } = adapters();
    await chat.with({ temperature: 0 }).complete(requestOf(hello));
    await responses.with({ temperature: 0, reasoning: { effort: 'high' } }).complete(requestOf(hello));
    await chat.complete(requestOf(hello));
    expect(bodies).toMatchObject([
      { seed: 1, temperature: 0 },
      { user: 'u', temperature: 0, reasoning: { effort: 'high' } },
      { seed: 1, temperature: 1 },
    ]);
    expect(chat.with({}).name).toBe(chat.name);
  });

  test('the ledger is told what is sent, and nothing of what is not', async () => {
    const told: SentRequest[] = [];
    const { chat, bodies } = adapters();
    const onSent = (one: SentRequest) => void told.push(one);
    await chat.complete({ ...requestOf([{ role: 'system', content: 'S' }, ...hello], tools), onSent });
    const [{ tools: sent, messages, ...parameters }] = bodies as [Json];
    expect(told).toEqual([{ tools: sent, system: [list(messages)[0]], messages: list(messages).slice(1), parameters }]);
    await rejectionOf(chat.complete({ ...requestOf(hello), onSent, settings: { toolChoice: 'required' } }));
    expect(told).toHaveLength(1);
  });
});

describe('a choice of a closed tool', () => {
  test('choosing a tool that is reached through another one chooses that one', async () => {
    const bodies: Json[] = [];
    const adapter = responsesOver((body) => {
      bodies.push(body as Json);
      return json(responseOf([saidItem('Hi.')]));
    });
    const talk = new GrownConversation(adapter, ['find'], closedTools(60));
    await adapter.complete({ ...talk.request(), settings: { toolChoice: { tool: 'closed_1' } } });
    expect(bodies[0]).toMatchObject({ tool_choice: { type: 'function', name: 'use_tool' } });
  });
});

describe('deferred tools beside closed ones', () => {
  test.each([
    ['m', 2, false],
    ['m', 60, true],
    ['gpt-5.6-sol', 2, true],
  ])('on %s with %i closed tools: searched for: %s', async (model, closed, isSearched) => {
    const bodies: Json[] = [];
    const answers = (body: unknown) => {
      bodies.push(body as Json);
      return json(responseOf([saidItem('Hi.')]));
    };
    const talk = new GrownConversation(
      responsesOver(answers, { model, deferTools: () => true }),
      ['find'],
      closedTools(closed),
    );
    await talk.ask(user('Hello'));
    expect(responseProblems(bodies[0])).toEqual([]);
    const types = objects(bodies[0]?.['tools']).map(([, { type }]) => type);
    expect(types.includes('tool_search')).toBe(isSearched);
    // Nothing that is closed can be found.
    const found = objects(bodies[0]?.['tools']).filter(([, tool]) => tool['defer_loading'] === true);
    expect(found.map(([, { name }]) => name)).toEqual(isSearched ? ['find'] : []);
  });
});

describe('a host that does not take tools in the middle', () => {
  // Before the item stand the system, the user, the call and its result.
  test.each([
    ["Invalid value: 'additional_tools'. Supported values are: 'message', 'reasoning'.", true],
    ["Invalid input item - 'input[4]'.", true],
    ["Invalid input item - 'input[3]'.", false],
  ])('a host that does not take tools in the middle is reported with the remedy: %s %s', async (message, isMeant) => {
    let asked = 0;
    const adapter = responsesOver(
      () => (asked++ === 0 ? json(responseOf([callItem('o', 'open_sections')])) : json({ error: { message } }, 400)),
      { additionalTools: true },
    );
    const talk = new GrownConversation(adapter, ['open_sections'], closedTools(2));
    await talk.ask(user('Hello'));
    const error = await rejectionOf(talk.ask(result({ id: 'o', name: 'open_sections' }, 'Opened.', 'closed_0')));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
    expect(error.message.includes('may not take tools in the middle of a conversation')).toBe(isMeant);
    if (isMeant) expect(error).toMatchObject({ remedy: expect.stringContaining('additionalTools: false') as string });
  });
});

describe('content in parts', () => {
  const data = 'AAEC';
  const parts: readonly ContentPart[] = [
    { kind: 'text', text: 'And this.' },
    { kind: 'image', mediaType: 'image/png', data },
    { kind: 'image', mediaType: 'image/png', url: 'https://example.com/a.png' },
    { kind: 'file', mediaType: 'application/pdf', data, name: 'plan.pdf' },
    { kind: 'file', mediaType: 'application/pdf', data },
  ];
  const call = { id: 'a', name: 'find', arguments: '{}' };
  const turn = (...given: ContentPart[]): Message[] => [
    { role: 'assistant', content: null, toolCalls: [call] },
    { role: 'tool', toolCallId: 'a', name: 'find', content: 'See:', parts: given, failed: false },
  ];
  const sent = async (api: 'chat' | 'responses', messages: readonly Message[]) => {
    const { bodies, ...both } = adapters();
    await both[api].complete(requestOf(messages));
    expect(api === 'chat' ? requestProblems(bodies[0]) : responseProblems(bodies[0])).toEqual([]);
    return list(bodies[0]?.[api === 'chat' ? 'messages' : 'input']);
  };
  const refusal = (api: 'chat' | 'responses', messages: readonly Message[]) =>
    rejectionOf(adapters()[api].complete(requestOf(messages)));

  test('Responses takes images and files of users and of tools', async () => {
    const file = { kind: 'file', mediaType: 'application/pdf', url: 'https://example.com/a.pdf' } as const;
    const written = [
      { type: 'input_text', text: 'And this.' },
      { type: 'input_image', image_url: `data:image/png;base64,${data}`, detail: 'auto' },
      { type: 'input_image', image_url: 'https://example.com/a.png', detail: 'auto' },
      { type: 'input_file', filename: 'plan.pdf', file_data: `data:application/pdf;base64,${data}` },
      { type: 'input_file', filename: 'file.pdf', file_data: `data:application/pdf;base64,${data}` },
      { type: 'input_file', file_url: 'https://example.com/a.pdf' },
    ];
    const messages: Message[] = [{ role: 'user', content: '', parts: [...parts, file] }, ...turn(...parts, file)];
    expect(await sent('responses', messages)).toEqual([
      { role: 'user', content: written },
      { type: 'function_call', call_id: 'a', name: 'find', arguments: '{}' },
      { type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: 'See:' }, ...written] },
    ]);
  });

  test('Chat Completions takes images, files and audio of users, and text of tools', async () => {
    const audio = { kind: 'audio', mediaType: 'audio/mpeg', data } as const;
    const messages: Message[] = [
      { role: 'user', content: 'See:', parts: [...parts, audio] },
      ...turn({ kind: 'text', text: 'One more.' }),
    ];
    const [asked, , answered] = await sent('chat', messages);
    expect(asked).toMatchObject({
      content: [
        { type: 'text', text: 'See:' },
        { type: 'text', text: 'And this.' },
        { type: 'image_url', image_url: { url: `data:image/png;base64,${data}` } },
        { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
        { type: 'file', file: { filename: 'plan.pdf', file_data: `data:application/pdf;base64,${data}` } },
        { type: 'file', file: { filename: 'file.pdf' } },
        { type: 'input_audio', input_audio: { data, format: 'mp3' } },
      ],
    });
    expect(answered).toMatchObject({
      content: [
        { type: 'text', text: 'See:' },
        { type: 'text', text: 'One more.' },
      ],
    });
  });

  test.each<['chat' | 'responses', Message[], string]>([
    [
      'chat',
      turn(parts[1]!),
      'cannot send messages[1], the result of "find", with an image: Chat Completions takes only text',
    ],
    ['chat', turn(parts[3]!), 'with a file'],
    [
      'chat',
      [{ role: 'user', content: '', parts: [{ kind: 'file', mediaType: 'text/plain', url: 'https://example.com' }] }],
      'cannot send messages[0] with the address of a file',
    ],
    [
      'chat',
      [{ role: 'user', content: '', parts: [{ kind: 'audio', mediaType: 'audio/ogg', data }] }],
      'with audio/ogg',
    ],
    [
      'chat',
      [{ role: 'user', content: '', parts: [{ kind: 'audio', mediaType: 'audio/wav', url: 'x' }] }],
      'the address of audio',
    ],
    ['responses', turn({ kind: 'audio', mediaType: 'audio/wav', data }), 'with audio: the Responses API takes text'],
  ])('%s refuses before the request what it cannot say: %#', async (api, messages, problem) => {
    const error = await refusal(api, messages);
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E724' });
    expect(error.message).toContain(problem);
  });
});

describe('streams', () => {
  const partsOf = async (stream: AsyncIterable<ModelPart>): Promise<ModelPart[]> => {
    const parts: ModelPart[] = [];
    for await (const part of stream) if (part.kind !== 'response') parts.push(part);
    return parts;
  };

  test('streams of Responses show reasoning, paragraph by paragraph, and inputs of calls', async () => {
    const thought = (summary_index: number, delta: string) => ({
      type: 'response.reasoning_summary_text.delta',
      item_id: 'rs_1',
      output_index: 0,
      summary_index,
      delta,
    });
    const [created, ...rest] = eventsOf([callItem('a', 'find', '{"id":7}')]);
    const events = [created, thought(0, 'First'), thought(0, ' this.'), thought(1, 'Then that.'), ...rest];
    const full = {
      type: 'response.reasoning_text.delta',
      item_id: 'rs_2',
      output_index: 9,
      content_index: 0,
      delta: 'Hm.',
    };
    expect(
      await partsOf(responsesOver(() => sseOf([created, full, ...events.slice(1)])).stream(requestOf(hello))),
    ).toEqual([
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'reasoning', text: '\n\nFirst' },
      { kind: 'reasoning', text: ' this.' },
      { kind: 'reasoning', text: '\n\nThen that.' },
      { kind: 'tool_input', id: 'a', name: 'find', text: '{"id"' },
      { kind: 'tool_input', id: 'a', name: 'find', text: ':7}' },
    ]);
  });

  test('streams of Chat Completions show the reasoning of compatible servers, and inputs of calls that have an id', async () => {
    const chunks = [
      chunk({ reasoning_content: 'First', content: '' }),
      chunk({ reasoning_content: ' this.', reasoning: ' this.' }),
      chunk({ content: 'I look.' }),
      callChunk({ index: 0, id: 'a', function: { name: 'find', arguments: '' } }),
      callChunk({ index: 0, function: { arguments: '{"id":7}' } }),
      callChunk({ index: 1, function: { name: 'find', arguments: '{}' } }),
      chunk({}, 'tool_calls'),
    ];
    const adapter = new OpenAIChatAdapter({ client: clientOver(() => sse(chunks)), model: 'm' });
    expect(await partsOf(adapter.stream(requestOf(hello)))).toEqual([
      { kind: 'reasoning', text: 'First' },
      { kind: 'reasoning', text: ' this.' },
      { kind: 'text', text: 'I look.' },
      { kind: 'tool_input', id: 'a', name: 'find', text: '{"id":7}' },
    ]);
  });

  test.each([
    [true, 'First this.'],
    [false, undefined],
  ])('reasoning goes back to a compatible server that wants it: %s', async (reasoning, sent) => {
    const bodies: Json[] = [];
    const message = { role: 'assistant', content: 'Hi.', reasoning_content: 'First this.' };
    const client = clientOver((body) => {
      bodies.push(body as Json);
      return json({ choices: [{ message, finish_reason: 'stop' }] });
    });
    const talk = new GrownConversation(new OpenAIChatAdapter({ client, model: 'm', reasoning }), [], []);
    await talk.ask(user('Hello'));
    await talk.ask(user('And?'));
    expect(objects(bodies[1]?.['messages'])[2]?.[1]['reasoning_content']).toBe(sent);
  });
});
