import { createApplication, type Message, type ModelResponse, Prompt, Section, Tool } from 'toolwright';
import { type AiLanguageModel, type AiModelRequest, AiSdkAdapter } from '@toolwright/ai-sdk';
import { requestOf } from '../../openai/spec/support/client';
import { rejectionOf } from '../../openai/spec/support/thrownBy';
import { promptProblems } from './support/promptRules';

interface Answer {
  readonly content?: unknown;
  readonly finishReason?: unknown;
  readonly usage?: unknown;
  readonly structuredOutputText?: string;
}

type ScriptedModel = AiLanguageModel & { readonly asked: AiModelRequest[] };

const text = { type: 'text', text: 'Done.' };
const stop = { unified: 'stop', raw: 'stop' };

/** A model with these answers, one for each request. */
function modelOf(answers: readonly Answer[], provider = 'anthropic.messages'): ScriptedModel {
  const asked: AiModelRequest[] = [];
  return {
    specificationVersion: 'v4',
    provider,
    modelId: 'm',
    asked,
    doGenerate: (call) => Promise.resolve(answers[asked.push(call) - 1]),
    doStream: () => Promise.reject(new TypeError('nobody streams here')),
  };
}

function read(answer: Answer, provider?: string): Promise<ModelResponse> {
  return new AiSdkAdapter({ model: modelOf([answer], provider) }).complete(requestOf([]));
}

const hello: readonly Message[] = [{ role: 'user', content: 'Hello!' }];

/** The parts of an answer that are sent back. */
async function sentBack(answer: Answer, provider?: string, to = provider): Promise<unknown> {
  const { text: content, toolCalls, native } = await read(answer, provider);
  const model = modelOf([{ content: [text], finishReason: stop }], to);
  const results = toolCalls.map(({ id, name }): Message => {
    return { role: 'tool', toolCallId: id, name, content: 'Found.', failed: false };
  });
  const conversation: readonly Message[] = [...hello, { role: 'assistant', content, toolCalls, native }, ...results];
  await new AiSdkAdapter({ model, cache: false }).complete(requestOf(conversation));
  const prompt = model.asked[0]?.prompt;
  expect(promptProblems({ messages: prompt, version: 'v4', provider: model.provider })).toEqual([]);
  return prompt?.[1]?.content;
}

const call = { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: '{"q":"tea"}' };
const signed = { anthropic: { signature: 'sig' } };
const thought = { type: 'reasoning', text: 'Hm.', providerMetadata: signed };

describe('content that only the provider understands', () => {
  test('signed reasoning and the parts next to a call are sent back to the provider, in their order', async () => {
    const content = [
      thought,
      { ...text, text: 'I look.' },
      { ...call, providerMetadata: { google: { thoughtSignature: 's' } } },
    ];
    expect(await sentBack({ content, finishReason: { unified: 'tool-calls', raw: 'tool_use' } })).toEqual([
      { type: 'reasoning', text: 'Hm.', providerOptions: signed },
      { type: 'text', text: 'I look.' },
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'find',
        input: { q: 'tea' },
        providerOptions: { google: { thoughtSignature: 's' } },
      },
    ]);
  });

  test('another provider is sent text and calls alone', async () => {
    const content = [thought, text, call];
    expect(await sentBack({ content, finishReason: stop }, 'anthropic.messages', 'openai.responses')).toEqual([
      { type: 'text', text: 'Done.' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: { q: 'tea' } },
    ]);
  });

  test("calls and results of the provider's own tools are sent back, and are not our calls", async () => {
    const searched = { ...call, toolName: 'web_search', providerExecuted: true };
    const found = { type: 'tool-result', toolCallId: 'c', toolName: 'web_search', result: [{ url: 'u' }] };
    const content = [searched, { ...found, preliminary: true }, found, { ...found, isError: true, result: 'no' }, text];
    expect((await read({ content, finishReason: stop })).toolCalls).toEqual([]);
    expect(await sentBack({ content, finishReason: stop })).toEqual([
      { type: 'tool-call', toolCallId: 'c', toolName: 'web_search', input: { q: 'tea' }, providerExecuted: true },
      { type: 'tool-result', toolCallId: 'c', toolName: 'web_search', output: { type: 'json', value: [{ url: 'u' }] } },
      { type: 'tool-result', toolCallId: 'c', toolName: 'web_search', output: { type: 'error-json', value: 'no' } },
      { type: 'text', text: 'Done.' },
    ]);
  });

  test('files are sent back as base64, whatever holds their bytes; sources are only mentioned', async () => {
    const bytes = new Uint8Array([1, 2, 3]);
    const file = { type: 'file', mediaType: 'image/png' };
    const content = [
      { ...file, data: bytes },
      { ...file, data: { type: 'data', data: Buffer.from(bytes) } },
      { ...file, data: { type: 'url', url: new URL('https://a.example/b') } },
      { type: 'source', sourceType: 'url', id: '1', url: 'u' },
      { type: 'custom', kind: 'openai.compaction', providerMetadata: { openai: { id: '1' } } },
      text,
    ];
    expect(await sentBack({ content, finishReason: stop })).toEqual([
      { ...file, data: 'AQID' },
      { ...file, data: { type: 'data', data: 'AQID' } },
      { ...file, data: { type: 'url', url: new URL('https://a.example/b') } },
      { type: 'custom', kind: 'openai.compaction', providerOptions: { openai: { id: '1' } } },
      { type: 'text', text: 'Done.' },
    ]);
  });

  test('an answer of one text and calls behind it holds nothing of the provider', async () => {
    expect(await read({ content: [text, call], finishReason: stop })).not.toHaveProperty('native');
    expect(await read({ content: [call], finishReason: stop })).not.toHaveProperty('native');
  });

  test('several texts, and texts behind calls, keep their order', async () => {
    const content = [text, call, { ...text, text: 'Wait.' }];
    expect(await sentBack({ content, finishReason: stop })).toEqual([
      { type: 'text', text: 'Done.' },
      { type: 'tool-call', toolCallId: 'c', toolName: 'find', input: { q: 'tea' } },
      { type: 'text', text: 'Wait.' },
    ]);
  });

  test('blank texts go back to Claude, and to another provider if they hold something for it', async () => {
    const signature = { google: { thoughtSignature: 's' } };
    const content = [{ ...text, text: ' \n' }, { ...text, text: '', providerMetadata: signature }, text];
    const finishReason = stop;
    expect(await sentBack({ content, finishReason })).toEqual([
      { type: 'text', text: ' \n' },
      { type: 'text', text: '', providerOptions: signature },
      text,
    ]);
    expect(await sentBack({ content, finishReason }, 'google.generative-ai')).toEqual([
      { type: 'text', text: '', providerOptions: signature },
      text,
    ]);
  });

  test('all of an answer is recorded, and unknown parts go back; sources and requests for approval do not', async () => {
    const source = { type: 'source', sourceType: 'url', id: '1', url: 'u' };
    const asking = { type: 'tool-approval-request', approvalId: 'a', toolCallId: 'c' };
    const later = { type: 'drawing', lines: 3, providerMetadata: { p: { id: 'd' } } };
    const { native } = await read({ content: [source, asking, later, text], finishReason: stop });
    const back = { type: 'drawing', lines: 3, providerOptions: { p: { id: 'd' } } };
    expect(native?.content).toEqual([source, asking, back, text]);
    expect(await sentBack({ content: [source, asking, later, text], finishReason: stop })).toEqual([back, text]);
  });

  test('a run takes it along', async () => {
    @Section({ title: 'Search', template: 'Find things.' })
    class Search {
      @Tool('Find.')
      find(): string {
        return 'Found.';
      }
    }
    @Prompt({ ns: 'ai', key: 'search', sections: [Search] })
    class SearchDesk {}
    const app = await createApplication({ prompts: [SearchDesk] });
    const calling = {
      content: [thought, { ...call, input: '{}' }],
      finishReason: { unified: 'tool-calls', raw: undefined },
    };
    const model = modelOf([calling, { content: [text], finishReason: stop }]);
    const { transcript } = await app.evaluate(app.prompt(SearchDesk), { adapter: new AiSdkAdapter({ model }) });
    expect(JSON.parse(JSON.stringify(transcript))).toEqual(transcript);
    expect(model.asked[1]?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool']);
    expect(model.asked[1]?.prompt[2]?.content[0]).toMatchObject({ type: 'reasoning', providerOptions: signed });
  });
});

describe('an answer', () => {
  test.each([
    ['stop', 'stop'],
    [{ unified: 'stop', raw: 'end_turn' }, 'stop'],
    [{ unified: 'length', raw: 'max_tokens' }, 'length'],
    [{ unified: 'content-filter', raw: 'SAFETY' }, 'content_filter'],
    [{ unified: 'content-filter', raw: 'refusal' }, 'refusal'],
    [{ unified: 'tool-calls', raw: undefined }, 'tool_calls'],
    [{ unified: 'other', raw: 'x' }, 'other'],
    [undefined, 'other'],
    [7, 'other'],
  ])('an answer that finished with %j finished with %s', async (finishReason, expected) => {
    expect((await read({ content: [text], finishReason })).finishReason).toBe(expected);
  });

  test.each(['error', 'interrupted'])('an answer that ended by %s is requested again', async (unified) => {
    const error = await rejectionOf(read({ content: [text, call], finishReason: { unified, raw: 'MALFORMED' } }));
    expect(error).toMatchObject({ name: 'ThrottleError', kind: 'connection' });
    expect(error.message).toContain('MALFORMED');
  });

  test('ADPT-06 a refusal calls nothing, whatever else it holds', async () => {
    const finishReason = { unified: 'content-filter', raw: 'refusal' };
    expect(await read({ content: [text, call], finishReason })).toMatchObject({ text: 'Done.', toolCalls: [] });
  });

  test('an answer with calls that claims to have stopped has calls', async () => {
    expect((await read({ content: [call], finishReason: stop })).finishReason).toBe('tool_calls');
  });

  test('an answer with a part for the form is that part, if a form was requested', async () => {
    const answer = {
      content: [{ type: 'text', text: 'Draft. {"a":1}' }],
      structuredOutputText: '{"a":1}',
      finishReason: stop,
    };
    expect((await read(answer)).text).toBe('Draft. {"a":1}');
    const outputSchema = () => ({ name: 'A', schema: {}, strict: true, losses: [] });
    const adapter = new AiSdkAdapter({ model: modelOf([answer]) });
    expect((await adapter.complete({ ...requestOf([]), outputSchema })).text).toBe('{"a":1}');
  });

  test('ADPT-04 ids that are missing are made up, and those that are there twice are kept', async () => {
    const { toolCallId: _id, ...bare } = call;
    const { toolCalls } = await read({ content: [call, call, bare, { ...bare, toolCallId: '' }], finishReason: stop });
    expect(toolCalls.map(({ id }) => id)).toEqual(['c', 'c', 'call_2', 'call_3']);
  });

  test.each([
    ['nothing', undefined],
    ['a text', 'Done.'],
    ['no content', { finishReason: stop }],
    ['content that is no list', { content: 'Done.' }],
    ['a part that is none', { content: ['Done.'] }],
    ['a part without a type', { content: [{ text: 'Done.' }] }],
    ['a call without a name', { content: [{ ...call, toolName: ' ' }], finishReason: stop }],
  ])('E702 %s cannot be used, and is shown', async (_what, answer) => {
    const error = await rejectionOf(read(answer as Answer));
    expect(error).toMatchObject({ code: 'E702', phase: 'response' });
    expect(error.message).toMatch(/^anthropic\.messages:m /);
  });

  test.each([
    [undefined, undefined],
    [{}, {}],
    [{ inputTokens: 3, outputTokens: 'many' }, {}],
    [
      { inputTokens: { total: 3, cacheRead: 2 }, outputTokens: { total: 4 } },
      { inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 2 },
    ],
    [{ inputTokens: { total: Number.NaN }, outputTokens: { total: 4 } }, { outputTokens: 4 }],
  ])('an answer that counts %j costs %j', async (usage, expected) => {
    expect((await read({ content: [text], finishReason: stop, usage })).usage).toEqual(expected);
  });
});
