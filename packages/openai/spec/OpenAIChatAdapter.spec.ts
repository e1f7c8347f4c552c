import { inspect } from 'node:util';
import OpenAI, { AzureOpenAI } from 'openai';
import type { ModelRequest } from 'toolwright';
import type { SchemaOptions, SchemaTarget } from 'toolwright/adapters';
import { type ChatParameters, OpenAIChatAdapter, type OpenAIChatOptions } from '@toolwright/openai';
import { clientOver, json, KEY, requestOf, saying, toolNamed } from './support/client';
import { requestProblems } from './support/requestRules';
import { rejectionOf } from './support/thrownBy';

const hello = [{ role: 'user', content: 'Hello' }] as const;

/** The body that the adapter sends for a request. */
async function bodyFor(
  request: ModelRequest,
  options: Pick<OpenAIChatOptions, 'strict' | 'parameters' | 'outputSchema'> = {},
) {
  const bodies: unknown[] = [];
  const client = clientOver((body) => {
    bodies.push(body);
    return json(saying('Hi'));
  });
  await new OpenAIChatAdapter({ client, model: 'gpt-5-mini', ...options }).complete(request);
  expect(bodies).toHaveLength(1);
  expect(requestProblems(bodies[0])).toEqual([]);
  return bodies[0];
}

describe('OpenAIChatAdapter: the request', () => {
  test('the adapter is named after the model', () => {
    expect(new OpenAIChatAdapter({ client: clientOver(() => json({})), model: 'gpt-5-mini' }).name).toBe(
      'openai-chat:gpt-5-mini',
    );
  });

  test('a request without tools does not mention them', async () => {
    expect(await bodyFor(requestOf(hello))).toEqual({
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  test('tools are offered, the choice is the model’s, and parallel calls are left to the provider', async () => {
    const { parameters } = toolNamed('ping');
    expect(await bodyFor(requestOf(hello, [toolNamed('ping')]))).toEqual({
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello' }],
      tools: [
        { type: 'function', function: { name: 'ping', description: 'The ping tool.', parameters, strict: true } },
      ],
      tool_choice: 'auto',
    });
  });

  test('parameters go along, and never replace what the adapter writes', async () => {
    const parameters = { temperature: 0, model: 'x', messages: [], tools: [], stream: true, n: 2 } as ChatParameters;
    expect(await bodyFor(requestOf(hello), { parameters })).toEqual({
      temperature: 0,
      model: 'gpt-5-mini',
      messages: [{ role: 'user', content: 'Hello' }],
    });
  });

  test('the form of the answer goes along, in place of one among the parameters', async () => {
    const parameters: ChatParameters = { response_format: { type: 'json_object' } };
    expect(await bodyFor(requestOf(hello), { parameters })).toMatchObject(parameters);
    const { parameters: schema } = toolNamed('ping');
    const outputSchema = () => ({ name: 'Review', schema, strict: true, losses: [] });
    expect(await bodyFor({ ...requestOf(hello), outputSchema }, { parameters })).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'Review', schema, strict: true } },
    });
    expect(await bodyFor({ ...requestOf(hello), outputSchema }, { outputSchema: false })).not.toHaveProperty(
      'response_format',
    );
  });

  test('the choice of tools is sent beside tools only', async () => {
    const parameters: ChatParameters = { tool_choice: 'required', parallel_tool_calls: false };
    expect(await bodyFor(requestOf(hello, [toolNamed('ping')]), { parameters })).toMatchObject(parameters);
    const body = await bodyFor(requestOf(hello), { parameters });
    expect(body).not.toHaveProperty('tool_choice');
    expect(body).not.toHaveProperty('parallel_tool_calls');
    expect(body).not.toHaveProperty('tools');
  });

  test.each([
    [undefined, true],
    [true, true],
    [false, false],
  ])('strict: %s asks for schemas with strict: %s', async (strict, asked) => {
    const asks: [SchemaTarget, SchemaOptions | undefined][] = [];
    const request: ModelRequest = {
      ...requestOf(hello),
      toolSchemas: (target, options) => {
        asks.push([target, options]);
        return [{ ...toolNamed('ping'), strict: asked }];
      },
    };
    const body = await bodyFor(request, strict === undefined ? {} : { strict });
    expect(asks).toEqual([['openai', { strict: asked }]]);
    expect(body).toMatchObject({ tools: [{ function: { strict: asked } }] });
  });

  test('ADPT-10: a request beyond the limits is not made', async () => {
    const asked = jest.fn(() => json(saying('Hi')));
    const adapter = new OpenAIChatAdapter({ client: clientOver(asked), model: 'm' });
    const tools = Array.from({ length: 129 }, (_, index) => toolNamed(`tool_${String(index)}`));
    const error = await rejectionOf(adapter.complete(requestOf(hello, tools)));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain('129 tools are offered, at most 128 are allowed');
    expect(asked).not.toHaveBeenCalled();
  });

  test('arguments that no JSON can hold fail in the phase of the request', async () => {
    const asked = jest.fn(() => json(saying('Hi')));
    const adapter = new OpenAIChatAdapter({ client: clientOver(asked), model: 'm' });
    const toolCalls = [{ id: 'a', name: 'find', arguments: { id: 1n } }];
    const error = await rejectionOf(adapter.complete(requestOf([{ role: 'assistant', content: null, toolCalls }])));
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain('BigInt');
    expect(asked).not.toHaveBeenCalled();
  });

  test('any client of the family fits, and a wrapper of one', () => {
    const azure = new AzureOpenAI({ apiKey: KEY, endpoint: 'https://example.com', apiVersion: '2025-01-01' });
    const wrapped = { chat: { completions: { create: async () => saying('Hi') } } };
    expect(new OpenAIChatAdapter({ client: azure, model: 'm' }).name).toBe('openai-chat:m');
    expect(new OpenAIChatAdapter({ client: wrapped, model: 'm' }).name).toBe('openai-chat:m');
  });
});

describe('OpenAIChatAdapter: the answer', () => {
  const completing = (answer: () => Response | Promise<Response>, signal?: AbortSignal) =>
    new OpenAIChatAdapter({ client: clientOver(answer), model: 'm' }).complete(requestOf(hello, [], signal));

  test('OpenAIChatAdapter reads a text', async () => {
    expect(await completing(() => json(saying('Hi')))).toMatchObject({
      text: 'Hi',
      toolCalls: [],
      finishReason: 'stop',
    });
  });

  test('a page in place of JSON cannot be used', async () => {
    const page = () => new Response('<html>', { headers: { 'content-type': 'text/html' } });
    const error = await rejectionOf(completing(page));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(error.message).toBe('openai-chat:m did not answer with a chat completion: the string "<html>"');
  });

  test('JSON that is cut off cannot be used', async () => {
    const error = await rejectionOf(completing(() => json('{"choices":[')));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(error.message).toContain('openai-chat:m answered something that is not JSON');
  });

  test('an error status is one of the request', async () => {
    const body = { error: { message: 'The model `m` does not exist', code: 'model_not_found' } };
    const error = await rejectionOf(completing(() => json(body, 404, { 'x-request-id': 'req_9' })));
    expect(error).toMatchObject({ phase: 'request', code: 'E701' });
    expect(error.message).toBe('openai-chat:m answered 404: The model `m` does not exist (request req_9)');
    expect(error.cause).toBeInstanceOf(OpenAI.NotFoundError);
  });

  test('ADPT-11: the key of the client is not shown, although the provider repeats it', async () => {
    const body = { error: { message: `Wrong credentials: ${KEY}` } };
    const error = await rejectionOf(completing(() => json(body, 401)));
    expect(error.message).toBe('openai-chat:m answered 401: Wrong credentials: [redacted]');
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
  });

  test('a network failure is reported with its cause', async () => {
    const broken = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND') }));
    const error = await rejectionOf(completing(broken));
    expect(error.message).toBe(
      'The request to openai-chat:m failed: Connection error. ← fetch failed ← getaddrinfo ENOTFOUND',
    );
  });

  test('an aborted signal rejects with its reason, before the request and during it', async () => {
    const reason = new Error('enough');
    const asked = jest.fn(() => json(saying('Hi')));
    expect(await rejectionOf(completing(asked, AbortSignal.abort(reason)))).toBe(reason);
    expect(asked).not.toHaveBeenCalled();
    const stop = new AbortController();
    const client = clientOver(
      (_body, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
          setImmediate(() => stop.abort(reason));
        }),
    );
    const adapter = new OpenAIChatAdapter({ client, model: 'm' });
    expect(await rejectionOf(adapter.complete(requestOf(hello, [], stop.signal)))).toBe(reason);
  });

  test('the client asks once, however it was set up: the loop knows when asking again is of use', async () => {
    const answers = [json({ error: { message: 'busy' } }, 503, { 'retry-after-ms': '1' }), json(saying('Hi'))];
    const client = clientOver(() => answers.shift()!).withOptions({ maxRetries: 3 });
    const adapter = new OpenAIChatAdapter({ client, model: 'm' });
    expect(await rejectionOf(adapter.complete(requestOf(hello)))).toMatchObject({
      kind: 'overloaded',
      retryAfter: 0.001,
    });
    expect(answers).toHaveLength(1);
  });
});
