import { inspect } from 'node:util';
import OpenAI, { AzureOpenAI } from 'openai';
import { createApplication, type ModelRequest, Prompt, Section, Session, Tool } from 'toolwright';
import type { SchemaOptions } from 'toolwright/adapters';
import { Conversation } from 'toolwright/conversations';
import { OpenAIResponsesAdapter, type OpenAIResponsesOptions, type ResponseParameters } from '@toolwright/openai';
import { clientOver, json, KEY, requestOf, toolNamed } from './support/client';
import type { Json } from './support/json';
import { responseProblems } from './support/responseRules';
import { callItem, reasoningItem, responseOf, responsesOver, saidItem } from './support/responses';
import { rejectionOf } from './support/thrownBy';
import { reopened } from '../../../spec/support/reopened';
import { silent } from '../../../spec/support/silent';

const hello = [{ role: 'user', content: 'Hello' }] as const;
const hi = responseOf([saidItem('Hi.')]);

/** An adapter whose provider answers these responses in turn, and the bodies that it was sent. */
function talking(options: Partial<OpenAIResponsesOptions>, ...answers: readonly unknown[]) {
  const bodies: Json[] = [];
  const adapter = responsesOver((body) => {
    bodies.push(body as Json);
    return json(answers[bodies.length - 1] ?? hi);
  }, options);
  return { adapter, bodies };
}

/** The body that the adapter sends for a request. */
async function bodyFor(request: ModelRequest, options: Partial<OpenAIResponsesOptions> = {}) {
  const { adapter, bodies } = talking(options);
  await adapter.complete(request);
  expect(bodies).toHaveLength(1);
  expect(responseProblems(bodies[0])).toEqual([]);
  return bodies[0];
}

const outputSchema = () => ({
  name: 'Review<Text>',
  schema: toolNamed('ping').parameters,
  strict: true,
  losses: [],
});

describe('OpenAIResponsesAdapter: the request', () => {
  test('the adapter is named after the model', () => {
    expect(talking({ model: 'gpt-5-mini' }).adapter.name).toBe('openai:gpt-5-mini');
  });

  test('nothing is stored by the provider, and reasoning is returned in a form that can be sent back', async () => {
    expect(await bodyFor(requestOf(hello))).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Hello' }],
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });

  test('a model that does not reason is not asked for reasoning', async () => {
    expect(await bodyFor(requestOf(hello), { reasoning: false })).toEqual({
      model: 'm',
      input: [{ role: 'user', content: 'Hello' }],
      store: false,
    });
  });

  test('tools are offered flat, each with its mode, and parallel calls are left to the provider', async () => {
    const { parameters } = toolNamed('ping');
    const tools = [toolNamed('ping'), { ...toolNamed('pong'), strict: false }];
    const body = await bodyFor(requestOf(hello, tools));
    expect(body).toMatchObject({ tool_choice: 'auto' });
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(body?.['tools']).toEqual([
      { type: 'function', name: 'ping', description: 'The ping tool.', parameters, strict: true },
      { type: 'function', name: 'pong', description: 'The pong tool.', parameters, strict: false },
    ]);
  });

  test('parameters go along, and never replace what the adapter writes', async () => {
    const own = { model: 'x', input: 'x', tools: [], stream: true, background: true, previous_response_id: 'resp_0' };
    const parameters = { prompt_cache_key: 'desk', reasoning: { effort: 'low' }, ...own } as ResponseParameters;
    expect(await bodyFor(requestOf(hello), { parameters })).toEqual({
      prompt_cache_key: 'desk',
      reasoning: { effort: 'low' },
      model: 'm',
      input: [{ role: 'user', content: 'Hello' }],
      store: false,
      include: ['reasoning.encrypted_content'],
    });
  });

  test('parameters make the provider store answers, and include further data', async () => {
    const parameters: ResponseParameters = { store: true, include: ['message.output_text.logprobs'] };
    expect(await bodyFor(requestOf(hello), { parameters })).toMatchObject({
      store: true,
      include: ['message.output_text.logprobs', 'reasoning.encrypted_content'],
    });
  });

  test('the choice of tools is sent beside tools only', async () => {
    const parameters: ResponseParameters = { tool_choice: 'required', parallel_tool_calls: false };
    expect(await bodyFor(requestOf(hello, [toolNamed('ping')]), { parameters })).toMatchObject(parameters);
    const body = await bodyFor(requestOf(hello), { parameters });
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(body).not.toHaveProperty('tools');
  });

  test('the form of the answer goes along, beside what else is said of the text', async () => {
    const parameters: ResponseParameters = { text: { verbosity: 'low', format: { type: 'text' } } };
    const schema = toolNamed('ping').parameters;
    expect(await bodyFor({ ...requestOf(hello), outputSchema }, { parameters })).toMatchObject({
      text: { verbosity: 'low', format: { type: 'json_schema', name: 'Review_Text_', schema, strict: true } },
    });
    expect(await bodyFor({ ...requestOf(hello), outputSchema }, { outputSchema: false })).not.toHaveProperty('text');
  });

  test.each([
    [undefined, true],
    [false, false],
  ])('strict: %s asks for schemas with strict: %s', async (strict, asked) => {
    const asks: [string, SchemaOptions | undefined][] = [];
    const request: ModelRequest = {
      ...requestOf(hello),
      toolSchemas: (target, options) => {
        asks.push([target, options]);
        return [{ ...toolNamed('ping'), strict: asked }];
      },
    };
    const body = await bodyFor(request, strict === undefined ? {} : { strict });
    expect(asks).toEqual([['openai', { strict: asked }]]);
    expect(body).toMatchObject({ tools: [{ strict: asked }] });
  });

  test('tools are deferred on demand, with the tool that finds them; without one, there is no word of it', async () => {
    const tools = ['find', 'open', 'pay'].map(toolNamed);
    const body = await bodyFor(requestOf(hello, tools), { deferTools: ({ name }) => name !== 'find' });
    expect(body?.['tools']).toMatchObject([
      { name: 'find' },
      { name: 'open', defer_loading: true },
      { name: 'pay', defer_loading: true },
      { type: 'tool_search' },
    ]);
    expect((body?.['tools'] as readonly Json[])[0]).not.toHaveProperty('defer_loading');
    expect(await bodyFor(requestOf(hello, tools), { deferTools: () => false })).toEqual(
      await bodyFor(requestOf(hello, tools)),
    );
  });

  test('ADPT-10: a request beyond the limits is not made', async () => {
    const { adapter, bodies } = talking({});
    const tools = Array.from({ length: 129 }, (_, index) => toolNamed(`tool_${String(index)}`));
    const error = await rejectionOf(adapter.complete(requestOf(hello, tools)));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain('129 tools are offered, at most 128 are allowed');
    expect(bodies).toEqual([]);
  });

  test('any client of the family fits, and a wrapper of one', () => {
    const azure = new AzureOpenAI({ apiKey: KEY, endpoint: 'https://example.com', apiVersion: '2025-01-01' });
    const wrapped = { responses: { create: async () => hi } };
    expect(new OpenAIResponsesAdapter({ client: azure, model: 'm' }).name).toBe('openai:m');
    expect(new OpenAIResponsesAdapter({ client: wrapped, model: 'm' }).name).toBe('openai:m');
  });

  test('the client asks once, however it was set up: the loop knows when asking again is of use', async () => {
    const answers = [json({ error: { message: 'busy' } }, 503, { 'retry-after-ms': '1' }), json(hi)];
    const client = clientOver(() => answers.shift()!).withOptions({ maxRetries: 3 });
    const adapter = new OpenAIResponsesAdapter({ client, model: 'm' });
    expect(await rejectionOf(adapter.complete(requestOf(hello)))).toMatchObject({
      kind: 'overloaded',
      retryAfter: 0.001,
    });
    expect(answers).toHaveLength(1);
  });
});

describe('OpenAIResponsesAdapter: content that only the provider understands', () => {
  const reasoning = reasoningItem('rs_1');
  const call = callItem('one', 'look', '{}', { namespace: 'look' });

  async function shop() {
    @Section({ title: 'Shop', template: 'Sell.' })
    class Shop {
      @Tool('Look.') look() {
        return 'Nothing there.';
      }
    }
    @Prompt({ ns: 'a', key: 'shop', sections: [Shop] })
    class ShopPrompt {}
    const app = await createApplication({ prompts: [ShopPrompt], logger: silent });
    return { app, prompt: app.prompt(ShopPrompt) };
  }

  test('content that only the provider understands goes back in the next request, before the call that it belongs to', async () => {
    const { app, prompt } = await shop();
    const { adapter, bodies } = talking({}, responseOf([reasoning, call]));
    const { transcript } = await app.evaluate(prompt, { adapter, session: new Session() });
    expect(bodies.map(responseProblems)).toEqual([[], []]);
    expect((bodies[1]?.['input'] as readonly Json[]).slice(1)).toEqual([
      reasoning,
      call,
      { type: 'function_call_output', call_id: 'one', output: 'Nothing there.' },
    ]);
    expect(transcript[1]).toMatchObject({
      native: { provider: 'openai', content: [reasoning, call] },
    });
  });

  test('a run that is continued from its record sends it again', async () => {
    const { app, prompt } = await shop();
    const conversation = new Conversation();
    const dying = talking({}, responseOf([reasoning, call]), { object: 'list' });
    await rejectionOf(app.evaluate(prompt, { adapter: dying.adapter, conversation }));
    const { adapter, bodies } = talking({});
    await app.evaluate(prompt, { adapter, conversation: reopened(conversation) });
    expect((bodies[0]?.['input'] as readonly Json[])[1]).toEqual(reasoning);
  });
});

describe('OpenAIResponsesAdapter: failures', () => {
  const failing = (answer: () => Response | Promise<Response>) =>
    rejectionOf(responsesOver(answer).complete(requestOf(hello)));

  test('ADPT-11: 401 says what the provider said, and the key nowhere', async () => {
    const error = await failing(() => json({ error: { message: `Incorrect API key provided: ${KEY}` } }, 401));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request', code: 'E701' });
    expect(error.message).toBe('openai:m answered 401: Incorrect API key provided: [redacted]');
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
    expect(error.cause).toBeInstanceOf(OpenAI.AuthenticationError);
  });

  test.each<[string, object, object]>([
    [
      'a server that failed',
      { code: 'server_error', message: 'It broke.' },
      { name: 'ThrottleError', kind: 'overloaded', message: 'openai:m answered 500: It broke.' },
    ],
    [
      'a limit',
      { code: 'rate_limit_exceeded', message: `Too fast, ${KEY}.` },
      { name: 'ThrottleError', kind: 'rate_limit', message: 'openai:m answered 429: Too fast, [redacted].' },
    ],
    [
      'an account that is used up',
      { code: 'insufficient_quota', message: 'Pay.' },
      { name: 'ThrottleError', kind: 'quota_exhausted', retrySafe: false },
    ],
    [
      'a prompt that is refused',
      { code: 'invalid_prompt', message: 'Not this.' },
      { name: 'PromptEvaluationError', code: 'E701', message: 'openai:m answered 400: Not this.' },
    ],
    [
      'anything else',
      { code: 'bio_policy', message: 'Not that.' },
      { name: 'PromptEvaluationError', code: 'E701', message: 'The request to openai:m failed: Not that.' },
    ],
  ])('ADPT-01: a response that failed with status 200: %s', async (_name, error, told) => {
    expect(await failing(() => json(responseOf([], { status: 'failed', error })))).toMatchObject(told);
  });

  test.each([
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['JSON that is cut off', () => json('{"output":[')],
    ['a completion', () => json({ choices: [] })],
    ['a response that has not begun', () => json(responseOf([], { status: 'queued' }))],
  ])('OpenAIResponsesAdapter refuses an answer: %s', async (_name, answer) => {
    expect(await failing(answer)).toMatchObject({ name: 'PromptEvaluationError', phase: 'response', code: 'E702' });
  });

  test('an aborted signal rejects with its reason', async () => {
    const reason = new Error('enough');
    const { adapter, bodies } = talking({});
    expect(await rejectionOf(adapter.complete(requestOf(hello, [], AbortSignal.abort(reason))))).toBe(reason);
    expect(bodies).toEqual([]);
  });
});
