import { createApplication, Field, type ModelRequest, Param, Prompt, Section, Tool } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { type AiLanguageModel, type AiModelRequest, AiSdkAdapter, type AiSdkOptions } from '@toolwright/ai-sdk';
import { requestOf, toolNamed } from '../../openai/spec/support/client';
import { rejectionOf, thrownBy } from '../../openai/spec/support/thrownBy';

/** A model that answers the same each time, and keeps what it was asked. */
function modelOf(
  provider: string,
  answer: object = saying('Done.'),
): AiLanguageModel & { readonly asked: AiModelRequest[] } {
  const asked: AiModelRequest[] = [];
  return {
    specificationVersion: 'v3',
    provider,
    modelId: 'm',
    asked,
    doGenerate: (call) => {
      asked.push(call);
      return Promise.resolve(answer);
    },
    doStream: () => Promise.reject(new TypeError('nobody streams here')),
  };
}

function saying(text: string, rest: object = {}): object {
  return { content: [{ type: 'text', text }], finishReason: { unified: 'stop', raw: 'stop' }, usage: {}, ...rest };
}

/** The request to a model. */
async function captureRequest(
  request: ModelRequest,
  provider: string,
  options: Partial<AiSdkOptions> = {},
): Promise<AiModelRequest> {
  const model = modelOf(provider);
  await new AiSdkAdapter({ model, ...options }).complete(request);
  expect(model.asked).toHaveLength(1);
  return model.asked[0] as AiModelRequest;
}

const hello = [
  { role: 'system', content: 'Be kind.' },
  { role: 'user', content: 'Hello!' },
] as const;

describe('AiSdkAdapter', () => {
  test('an AiSdkAdapter is named after provider and model', () => {
    expect(new AiSdkAdapter({ model: modelOf('openai.responses') }).name).toBe('openai.responses:m');
  });

  test.each([
    ['the name of a model', 'openai/gpt-5-mini', 'got the string "openai/gpt-5-mini"'],
    ['nothing', undefined, 'got undefined'],
    ['a model of V2', { ...modelOf('p'), specificationVersion: 'v2' }, 'specificationVersion the string "v2"'],
    [
      'a model without a version',
      { ...modelOf('p'), specificationVersion: undefined },
      'specificationVersion undefined',
    ],
    ['something else', { specificationVersion: 'v3' }, 'got an object'],
  ])('AiSdkAdapter refuses %s with E721, and says which versions it takes', (_what, model, came) => {
    const { message } = thrownBy(() => new AiSdkAdapter({ model: model as AiLanguageModel }));
    expect(message).toMatch(/^E721 AiSdkAdapter: .*v3 or v4/);
    expect(message).toContain(came);
  });

  test('AiSdkAdapter sends settings as they are, and none that it writes itself', async () => {
    const parameters = { temperature: 0.5, maxOutputTokens: 100, prompt: [], tools: 'mine' };
    const call = await captureRequest(requestOf(hello), 'p', { parameters, providerOptions: { p: { effort: 'low' } } });
    expect(call).toMatchObject({ temperature: 0.5, maxOutputTokens: 100, providerOptions: { p: { effort: 'low' } } });
    expect(call.prompt).toHaveLength(2);
    expect(call).not.toHaveProperty('tools');
    expect(call).not.toHaveProperty('responseFormat');
  });

  test('toolChoice is sent beside tools only', async () => {
    const parameters = { toolChoice: { type: 'required' } } as const;
    expect(await captureRequest(requestOf(hello), 'p', { parameters })).not.toHaveProperty('toolChoice');
    const call = await captureRequest(requestOf(hello, [toolNamed('find')]), 'p', { parameters });
    expect(call.toolChoice).toEqual({ type: 'required' });
  });

  test.each([
    ['openai.responses', 'openai'],
    ['azure-openai.chat', 'openai'],
    ['anthropic.messages', 'anthropic'],
    ['amazon-bedrock', 'anthropic'],
    ['vertex.anthropic.messages', 'anthropic'],
    ['google.generative-ai', 'gemini'],
    ['google.vertex.chat', 'gemini'],
    ['mistral.chat', 'json-schema'],
  ])('a model of %s reads schemas in the dialect %s', async (provider, target) => {
    const targets: unknown[] = [];
    const request: ModelRequest = {
      ...requestOf(hello),
      toolSchemas: (given, options) => {
        targets.push([given, options]);
        return [];
      },
    };
    await captureRequest(request, provider);
    await captureRequest(request, provider, { target: 'mcp', strict: true });
    expect(targets).toEqual([
      [target, { strict: false }],
      ['mcp', { strict: true }],
    ]);
  });

  test('ADPT-09 strict mode is asked for where it is wished and the schema can be said that way', async () => {
    class FindParams {
      @Param('Words') words!: string;
      @Param('At most') limit = 5;
    }
    @Section({ title: 'Search', template: 'Find things.' })
    class Search {
      @Tool('Find by words.')
      find({ words }: FindParams): string {
        return words;
      }
    }
    @Prompt({ ns: 'ai', key: 'search', sections: [Search] })
    class SearchDesk {}
    const app = await createApplication({ prompts: [SearchDesk] });
    const rendered = await app.prompt(SearchDesk).render();
    const request: ModelRequest = {
      ...requestOf(hello),
      toolSchemas: (target, options) => rendered.toolSchemas(target, options),
    };
    const strict = (await captureRequest(request, 'openai.responses', { strict: true })).tools;
    expect(strict).toEqual([
      expect.objectContaining({
        strict: true,
        inputSchema: expect.objectContaining({ required: ['words', 'limit'], additionalProperties: false }) as unknown,
      }),
    ]);
    const plain = (await captureRequest(request, 'openai.responses')).tools;
    expect(plain?.[0]).not.toHaveProperty('strict');
    expect(plain?.[0]).toHaveProperty('inputSchema.required', ['words']);
    expect((await captureRequest(request, 'mistral.chat', { strict: true })).tools?.[0]).not.toHaveProperty('strict');
  });

  test('ADPT-10 more tools than the provider takes are refused before the request', async () => {
    const model = modelOf('openai.chat');
    const many: ToolSchema[] = Array.from({ length: 129 }, (_none, index) => toolNamed(`tool_${String(index)}`));
    const error = await rejectionOf(new AiSdkAdapter({ model }).complete(requestOf(hello, many)));
    expect(error).toMatchObject({ phase: 'request' });
    expect(error.message).toContain('129 tools are offered, at most 128 are allowed');
    expect(model.asked).toEqual([]);
    expect((await captureRequest(requestOf(hello, many), 'mistral.chat')).tools).toHaveLength(129);
  });

  test("provider options of single tools, and the provider's own tools, are sent along", async () => {
    const search = { type: 'provider', id: 'anthropic.tool_search_bm25_20251119', name: 'search', args: {} } as const;
    const call = await captureRequest(requestOf(hello, [toolNamed('find'), toolNamed('rare')]), 'anthropic.messages', {
      providerTools: [search],
      toolOptions: ({ name }) => (name === 'rare' ? { anthropic: { deferLoading: true } } : undefined),
    });
    expect(call.tools?.map(({ name }) => name)).toEqual(['search', 'find', 'rare']);
    expect(call.tools?.[1]).not.toHaveProperty('providerOptions');
    expect(call.tools?.[2]).toHaveProperty('providerOptions', { anthropic: { deferLoading: true } });
  });

  test('the examples of tools go along where that is wished', async () => {
    const toolExamples = (name: string): { q: string }[] => (name === 'find' ? [{ q: 'tea' }, { q: 'milk' }] : []);
    const request = { ...requestOf(hello, [toolNamed('find'), toolNamed('rare')]), toolExamples };
    const [find, rare] = (await captureRequest(request, 'anthropic.messages', { inputExamples: true })).tools ?? [];
    expect(find).toHaveProperty('inputExamples', [{ input: { q: 'tea' } }, { input: { q: 'milk' } }]);
    expect(rare).not.toHaveProperty('inputExamples');
    expect((await captureRequest(request, 'anthropic.messages')).tools?.[0]).not.toHaveProperty('inputExamples');
  });

  test('the ends of the prompt and of the conversation are marked for the cache where the provider wants marks', async () => {
    const mark = { anthropic: { cacheControl: { type: 'ephemeral' } } };
    const conversation = [...hello, { role: 'assistant', content: 'Hi.' }, { role: 'user', content: 'Bye.' }] as const;
    const marks = async (provider: string, options?: Partial<AiSdkOptions>): Promise<unknown[]> =>
      (await captureRequest(requestOf(conversation), provider, options)).prompt.map(
        ({ providerOptions }) => providerOptions,
      );
    expect(await marks('anthropic.messages')).toEqual([mark, undefined, undefined, mark]);
    expect(await marks('anthropic.messages', { cache: false })).toEqual([undefined, undefined, undefined, undefined]);
    expect(await marks('openai.responses')).toEqual([undefined, undefined, undefined, undefined]);
    const own = { gateway: { caching: 'auto' } };
    expect(await marks('other', { cache: own })).toEqual([own, undefined, undefined, own]);
  });

  describe('the form of the answer', () => {
    class Review {
      @Field({ description: 'Stars', integer: true }) stars!: number;
    }
    class Tagged {
      @Field({ description: 'Anything by name', record: String }) tags!: Record<string, string>;
    }
    @Section({ title: 'Review', template: 'Review it.' })
    class Reviews {}
    @Prompt({ ns: 'ai', key: 'review', sections: [Reviews] })
    class ReviewDesk {}

    async function formOf(provider: string, output: typeof Review | typeof Tagged, options?: Partial<AiSdkOptions>) {
      const app = await createApplication({ prompts: [ReviewDesk] });
      const model = modelOf(provider, saying(output === Review ? '{"stars":5}' : '{"tags":{}}'));
      const adapter = new AiSdkAdapter({ model, ...options });
      await app.evaluate(app.prompt(ReviewDesk), { adapter, output });
      const { prompt, responseFormat } = model.asked[0] as AiModelRequest;
      return { system: JSON.stringify(prompt[0]?.content), responseFormat };
    }

    test('the schema of the answer is sent in strict mode to a provider that takes no other', async () => {
      const { system, responseFormat } = await formOf('openai.responses', Review);
      expect(responseFormat).toMatchObject({ type: 'json', name: 'Review', schema: { additionalProperties: false } });
      expect(system).not.toContain('JSON Schema');
    });

    test('the form is described in the system message if that mode cannot express it', async () => {
      const { system, responseFormat } = await formOf('openai.responses', Tagged);
      expect(responseFormat).toBeUndefined();
      expect(system).toContain('JSON Schema');
    });

    test('the schema of the answer is sent to any other provider as it is, and not at all where that is configured', async () => {
      expect((await formOf('mistral.chat', Tagged)).responseFormat).toMatchObject({ name: 'Tagged' });
      const { system, responseFormat } = await formOf('mistral.chat', Tagged, { outputSchema: false });
      expect(responseFormat).toBeUndefined();
      expect(system).toContain('JSON Schema');
    });
  });

  test('ADPT-11 no error contains a key of the provider', async () => {
    const key = 'sk-proj-0123456789abcdefABCDEF';
    const refused = Object.assign(new TypeError(`Incorrect API key provided: ${key}.`), {
      statusCode: 401,
      isRetryable: false,
      responseHeaders: {},
      data: { error: { message: `Incorrect API key provided: ${key}.` } },
    });
    const model = { ...modelOf('openai.chat'), doGenerate: () => Promise.reject(refused) };
    const error = await rejectionOf(new AiSdkAdapter({ model }).complete(requestOf(hello)));
    expect(error).toMatchObject({ phase: 'request', message: expect.stringContaining('401') as unknown });
    expect(`${error.message} ${JSON.stringify(error.cause)} ${String(error.cause)}`).not.toContain(key);
  });
});
