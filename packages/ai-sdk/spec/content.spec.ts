import type { Message, ModelRequest } from 'toolwright';
import { type AiLanguageModel, type AiModelRequest, AiSdkAdapter, type AiSdkOptions } from '@toolwright/ai-sdk';
import { requestOf, toolNamed } from '../../openai/spec/support/client';
import { rejectionOf } from '../../openai/spec/support/thrownBy';
import { promptProblems } from './support/promptRules';

type ContentPart = NonNullable<Extract<Message, { role: 'user' }>['parts']>[number];
type Version = AiLanguageModel['specificationVersion'];

const image: ContentPart = { kind: 'image', mediaType: 'image/png', data: 'AQID' };
const linked: ContentPart = { kind: 'image', mediaType: 'image/png', url: 'https://a.example/b.png' };
const paper: ContentPart = { kind: 'file', mediaType: 'application/pdf', data: 'AQID', name: 'bill.pdf' };
const sound: ContentPart = { kind: 'audio', mediaType: 'audio/wav', data: 'AQID' };
const more: ContentPart = { kind: 'text', text: 'See above.' };
const tools = [toolNamed('find')];

/** The call of the model for these messages. */
async function callFor(
  request: ModelRequest,
  provider = 'anthropic.messages',
  version: Version = 'v4',
  { modelId = 'm', supportedUrls, ...options }: Partial<AiSdkOptions> & Partial<AiLanguageModel> = {},
): Promise<AiModelRequest> {
  const asked: AiModelRequest[] = [];
  const model: AiLanguageModel = {
    specificationVersion: version,
    provider,
    modelId,
    ...(supportedUrls === undefined ? {} : { supportedUrls }),
    doGenerate: (call) => {
      asked.push(call);
      return Promise.resolve({ content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop', usage: {} });
    },
    doStream: () => Promise.reject(new TypeError('nobody streams here')),
  };
  await new AiSdkAdapter({ model, cache: false, ...options }).complete(request);
  const [call] = asked;
  if (call === undefined) throw new TypeError('nothing was sent');
  expect(promptProblems({ messages: call.prompt, version, provider })).toEqual([]);
  return call;
}

const said = (...parts: readonly ContentPart[]): readonly Message[] => [{ role: 'user', content: 'Look!', parts }];
const found = (content: string, failed: boolean, ...parts: readonly ContentPart[]): readonly Message[] => [
  { role: 'user', content: 'Look!' },
  { role: 'assistant', content: null, toolCalls: [{ id: 'c', name: 'find', arguments: '{}' }] },
  { role: 'tool', toolCallId: 'c', name: 'find', content, parts, failed },
];

describe('images, files and audio', () => {
  test('content parts of a user message follow its text, in the form of the SDK version', async () => {
    const url = new URL('https://a.example/b.png');
    const messages = said(image, linked, paper, more);
    expect((await callFor(requestOf(messages))).prompt[0]?.content).toEqual([
      { type: 'text', text: 'Look!' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
      { type: 'file', mediaType: 'image/png', data: { type: 'url', url } },
      { type: 'file', mediaType: 'application/pdf', filename: 'bill.pdf', data: { type: 'data', data: 'AQID' } },
      { type: 'text', text: 'See above.' },
    ]);
    expect((await callFor(requestOf(messages), 'anthropic.messages', 'v3')).prompt[0]?.content).toEqual([
      { type: 'text', text: 'Look!' },
      { type: 'file', mediaType: 'image/png', data: 'AQID' },
      { type: 'file', mediaType: 'image/png', data: url },
      { type: 'file', mediaType: 'application/pdf', filename: 'bill.pdf', data: 'AQID' },
      { type: 'text', text: 'See above.' },
    ]);
  });

  test('content parts of a tool result are sent as its content, in the form of the SDK version', async () => {
    const output = async (version: Version, messages: readonly Message[]): Promise<unknown> =>
      ((await callFor(requestOf(messages), 'anthropic.messages', version)).prompt[2]?.content as object[])[0];
    expect(await output('v4', found('Found.', false, image, paper, more))).toMatchObject({
      output: {
        type: 'content',
        value: [
          { type: 'text', text: 'Found.' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AQID' } },
          { type: 'file', mediaType: 'application/pdf', filename: 'bill.pdf', data: { type: 'data', data: 'AQID' } },
          { type: 'text', text: 'See above.' },
        ],
      },
    });
    expect(await output('v3', found('', false, image, linked, paper))).toMatchObject({
      output: {
        type: 'content',
        value: [
          { type: 'image-data', data: 'AQID', mediaType: 'image/png' },
          { type: 'image-url', url: 'https://a.example/b.png' },
          { type: 'file-data', data: 'AQID', mediaType: 'application/pdf', filename: 'bill.pdf' },
        ],
      },
    });
    expect(await output('v4', found(' ', true, image))).toMatchObject({
      output: { value: [{ type: 'text', text: 'The tool failed.' }, { type: 'file' }] },
    });
  });

  test.each([
    ['anthropic.messages', said(sound), '"audio/wav" in a message of the user'],
    [
      'anthropic.messages',
      found('', false, { ...paper, mediaType: 'text/plain' }),
      '"text/plain" in the result of a tool',
    ],
    ['openai.responses', said(sound), '"audio/wav" in a message of the user'],
    ['openai.chat', found('', false, image), '"image/png" in the result of a tool'],
  ])(
    'E724 what the package of %s would drop or refuse is refused before the request',
    async (provider, messages, what) => {
      const error = await rejectionOf(callFor(requestOf(messages), provider));
      expect(error).toMatchObject({ code: 'E724', phase: 'request' });
      expect(error.message).toContain(`${provider}:m does not take ${what}`);
    },
  );

  test('E724 an address that the model does not fetch is refused, and one that it fetches is sent', async () => {
    const fetching = { supportedUrls: Promise.resolve({ 'image/*': [/^https:\/\/a\.example\//] }) };
    await callFor(requestOf(said(linked)), 'p', 'v4', fetching);
    await callFor(requestOf(said(linked)), 'p', 'v4', { supportedUrls: { '*': [/^https:/] } });
    const elsewhere = said({ ...linked, url: 'https://b.example/c.png' });
    const error = await rejectionOf(callFor(requestOf(elsewhere), 'p', 'v4', fetching));
    expect(error).toMatchObject({ code: 'E724', phase: 'request' });
    expect(error.message).toContain('"image/png" in a message of the user by its address');
  });
});

describe('settings of a request', () => {
  const settings = { toolChoice: { tool: 'find' }, stopSequences: ['END'], temperature: 0 } as const;

  test('settings of a request are sent in the fields of the specification, and count more than the parameters of the adapter', async () => {
    const parameters = { temperature: 1, maxOutputTokens: 9 };
    const call = await callFor({ ...requestOf(said(), tools), settings }, 'mistral.chat', 'v4', { parameters });
    expect(call).toMatchObject({
      toolChoice: { type: 'tool', toolName: 'find' },
      stopSequences: ['END'],
      temperature: 0,
      maxOutputTokens: 9,
    });
    for (const toolChoice of ['auto', 'none', 'required'] as const) {
      const sent = await callFor({ ...requestOf(said(), tools), settings: { toolChoice } }, 'mistral.chat');
      expect(sent.toolChoice).toEqual({ type: toolChoice });
    }
    expect(await callFor({ ...requestOf(said()), settings: { toolChoice: 'required' } })).not.toHaveProperty(
      'toolChoice',
    );
  });

  test.each<[provider: string, modelId: string, given: object | undefined, sent: object | undefined]>([
    [
      'openai.responses',
      'gpt-5.6-terra',
      undefined,
      { openai: { store: false, include: ['reasoning.encrypted_content'] } },
    ],
    [
      'openai.responses',
      'o3',
      { openai: { store: false } },
      { openai: { store: false, include: ['reasoning.encrypted_content'] } },
    ],
    [
      'openai.responses',
      'gpt-5',
      { openai: { include: ['message.output_text.logprobs'], user: 'u' } },
      {
        openai: {
          user: 'u',
          store: false,
          include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
        },
      },
    ],
    ['openai.responses', 'gpt-5', { openai: { store: true } }, { openai: { store: true } }],
    ['openai.responses', 'gpt-4.1', undefined, { openai: { store: false } }],
    ['openai.responses', 'gpt-5-chat-latest', undefined, { openai: { store: false } }],
    ['azure.responses', 'gpt-5', undefined, { azure: { store: false, include: ['reasoning.encrypted_content'] } }],
    ['azure.responses', 'our-deployment', undefined, undefined],
    ['openai.chat', 'gpt-5', undefined, undefined],
    ['anthropic.messages', 'claude-opus-5-5', undefined, undefined],
  ])('over %s, the model %s stores nothing and gives its reasoning, unless %j says otherwise', async (...row) => {
    const [provider, modelId, given, sent] = row;
    const options = { modelId, ...(given === undefined ? {} : { providerOptions: given as never }) };
    expect((await callFor(requestOf(said()), provider, 'v4', options)).providerOptions).toEqual(sent);
  });

  test('one call an answer is asked for by the option of the provider, beside others', async () => {
    const request = { ...requestOf(said(), tools), settings: { parallelToolCalls: false } };
    const options = async (provider: string): Promise<unknown> =>
      (await callFor(request, provider, 'v4', { providerOptions: { openai: { store: false } } })).providerOptions;
    expect(await options('openai.responses')).toEqual({ openai: { store: false, parallelToolCalls: false } });
    expect(await options('anthropic.messages')).toEqual({
      openai: { store: false },
      anthropic: { disableParallelToolUse: true },
    });
    const allowed = { ...request, settings: { parallelToolCalls: true } };
    expect(await callFor(allowed, 'mistral.chat')).not.toHaveProperty('providerOptions');
  });

  test.each([
    ['one call an answer where nothing is known for it', 'mistral.chat', 'm', { parallelToolCalls: false }],
    ['a forced call with a model that refuses it', 'anthropic.messages', 'claude-opus-5-5', { toolChoice: 'required' }],
    ['a forced call that would leave the other tools out', 'anthropic.messages', 'claude-opus-5-5', settings],
    ['a tool that is not in the list', 'openai.responses', 'm', { toolChoice: { tool: 'refund' } }],
  ] as const)('E723 %s is refused before the request', async (_what, provider, modelId, given) => {
    const closed = { offeredTools: () => tools, closedTools: () => [toolNamed('refund')] };
    const request = { ...requestOf(said(), tools), ...closed, settings: given };
    expect(await rejectionOf(callFor(request, provider, 'v4', { modelId }))).toMatchObject({
      code: 'E723',
      phase: 'request',
    });
  });

  test('with() gives the same adapter further parameters for one run', async () => {
    const asked: AiModelRequest[] = [];
    const model: AiLanguageModel = {
      specificationVersion: 'v4',
      provider: 'p',
      modelId: 'm',
      doGenerate: (call) => {
        asked.push(call);
        return Promise.resolve({ content: [{ type: 'text', text: 'Done.' }], finishReason: 'stop' });
      },
      doStream: () => Promise.reject(new TypeError('nobody streams here')),
    };
    const adapter = new AiSdkAdapter({ model, parameters: { temperature: 1, seed: 2 } });
    const calm = adapter.with({ temperature: 0 });
    expect(calm.name).toBe(adapter.name);
    const sent: object[] = [];
    const request = {
      ...requestOf(said()),
      onSent: ({ messages }: { messages: readonly unknown[] }) => sent.push(messages[0] as object),
    };
    await calm.complete(request);
    await adapter.complete(request);
    expect(asked.map(({ temperature, seed }) => [temperature, seed])).toEqual([
      [0, 2],
      [1, 2],
    ]);
    expect(sent[0]).toBe(sent[1]);
  });
});
