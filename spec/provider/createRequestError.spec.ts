import { inspect } from 'node:util';
import OpenAI from 'openai';
import { ThrottleError, ToolRefusal } from 'toolwright';
import { createRequestError } from '../../src/provider/createRequestError';

const KEY = 'sk-proj-0123456789abcdef';

function answered(status: number, body: unknown, headers: Record<string, string> = {}): unknown {
  return OpenAI.APIError.generate(status, body as object, undefined, new Headers(headers));
}

const told = (thrown: unknown) => createRequestError('openai:m', thrown, KEY);

describe('requestFailure', () => {
  test.each<[string, unknown, string]>([
    [
      'an error status, with the provider’s words and the request',
      answered(429, { error: { message: 'Rate limit reached.' } }, { 'x-request-id': 'req_1' }),
      'openai:m answered 429: Rate limit reached. (request req_1)',
    ],
    ['an error body without words', answered(500, { error: { code: 'x' } }), 'openai:m answered 500: {"code":"x"}'],
    ['no body', answered(503, undefined), 'openai:m answered 503: status code (no body)'],
    ['a status from somewhere else', { status: 418, message: 'teapot' }, 'openai:m answered 418: teapot'],
    [
      'no connection, with what the system said',
      new OpenAI.APIConnectionError({
        message: undefined,
        cause: Object.assign(new TypeError('fetch failed'), { cause: new Error('connect ECONNREFUSED 127.0.0.1:9') }),
      }),
      'The request to openai:m failed: Connection error. ← fetch failed ← connect ECONNREFUSED 127.0.0.1:9',
    ],
    [
      'the client’s own time limit',
      new OpenAI.APIConnectionTimeoutError(),
      'The request to openai:m failed: Request timed out.',
    ],
    ['a thrown text', 'broken', 'The request to openai:m failed: broken'],
    ['nothing thrown', undefined, 'The request to openai:m failed: undefined'],
  ])('a failed request is reported: %s', (_name, thrown, message) => {
    const error = told(thrown);
    expect(error).toMatchObject({ phase: 'request' });
    expect(error.message).toBe(message);
    expect(error.cause).toBe(thrown);
  });

  test.each<[string, unknown, object | undefined]>([
    ['429', answered(429, undefined), { kind: 'rate_limit', retrySafe: true, retryAfter: undefined }],
    [
      '429 of a used up account',
      answered(429, { error: { code: 'insufficient_quota' } }),
      { kind: 'quota_exhausted', retrySafe: false },
    ],
    ['500', answered(500, undefined), { kind: 'overloaded' }],
    ['529 with seconds', answered(529, undefined, { 'retry-after': '2.5' }), { kind: 'overloaded', retryAfter: 2.5 }],
    [
      '503 with milliseconds',
      answered(503, undefined, { 'retry-after-ms': '20', 'retry-after': '9' }),
      { retryAfter: 0.02 },
    ],
    [
      '503 with a date that has passed',
      answered(503, undefined, { 'retry-after': 'Thu, 01 Jan 1970 00:00:00 GMT' }),
      { retryAfter: 0 },
    ],
    ['503 with nonsense', answered(503, undefined, { 'retry-after': 'soon' }), { retryAfter: undefined }],
    ['a lost connection', new OpenAI.APIConnectionError({ message: undefined }), { kind: 'connection' }],
    ['400', answered(400, undefined), undefined],
    ['401', answered(401, undefined), undefined],
    ['a fault of the program', new TypeError('x is undefined'), undefined],
  ])('ADPT-01 a failed request is asked again only where that is right: %s', (_what, thrown, details) => {
    const error = told(thrown);
    expect(error instanceof ThrottleError).toBe(details !== undefined);
    expect(error).toMatchObject(details ?? { name: 'PromptEvaluationError', code: 'E701' });
  });

  test('ADPT-01 a date says how long from now', () => {
    const at = new Date(Date.now() + 60_000).toUTCString();
    const error = told(answered(429, undefined, { 'retry-after': at }));
    const seconds = error instanceof ThrottleError ? (error.retryAfter ?? 0) : 0;
    expect(seconds).toBeGreaterThan(55);
    expect(seconds).toBeLessThanOrEqual(60);
  });

  test.each<[string, unknown, string | undefined]>([
    ['a rate limit', answered(429, undefined), 'throttled'],
    ['an account that is used up', answered(429, { error: { code: 'insufficient_quota' } }), 'quota'],
    ['a bill that is not paid', answered(402, undefined), 'quota'],
    [
      'a low balance',
      answered(400, { error: { message: 'Your credit balance is too low to access the API.' } }),
      'quota',
    ],
    ['an overloaded provider', answered(529, undefined), 'down'],
    ['a lost connection', new OpenAI.APIConnectionError({ message: undefined }), 'down'],
    ['the page of a gateway', new SyntaxError('Unexpected token <'), 'down'],
    ['a wrong key', answered(401, undefined), 'auth'],
    ['a key without rights', answered(403, undefined), 'auth'],
    ['refused content', answered(400, { error: { code: 'content_filter', message: 'Filtered.' } }), 'content_policy'],
    ['a body that is too large', answered(413, undefined), 'too_long'],
    [
      'a code for a long context',
      answered(400, { error: { code: 'context_length_exceeded', message: 'No.' } }),
      'too_long',
    ],
    ['such a code in a stream', { error: { code: 'context_length_exceeded', message: 'No.' } }, 'too_long'],
    ...[
      "This model's maximum context length is 8192 tokens.",
      'Your input exceeds the context window of this model.',
      'prompt is too long: 205000 tokens > 200000 maximum',
      'input length and `max_tokens` exceed context limit: 199000 + 8192 > 200000',
      'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).',
      'Input is too long for requested model.',
      "This model's maximum prompt length is 131072 but the request contains 150000 tokens.",
      'the request exceeds the available context size.',
      'too many tokens: size limit exceeded by 5 tokens.',
    ].map((message): [string, unknown, string] => [message, answered(400, { error: { message } }), 'too_long']),
    ['an invalid request', answered(400, { error: { message: 'tools[0].name is too long' } }), undefined],
    ['an unknown model', answered(404, undefined), undefined],
    ['a fault of the program', new TypeError('x is undefined'), undefined],
  ])('an error says why another provider may answer: %s', (_what, thrown, failure) => {
    expect(told(thrown)).toMatchObject({ failure });
  });

  test('a body that is no JSON is an answer that cannot be used', () => {
    const error = told(new SyntaxError('Unexpected token < in JSON'));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(error.message).toBe('openai:m answered something that is not JSON: Unexpected token < in JSON');
  });

  test('an error that the client wrongly takes for an object is not a request failure', () => {
    const page = "Cannot use 'in' operator to search for 'object' in <html>";
    const error = told(new TypeError(page));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(error.message).toBe(`openai:m answered what could not be read: ${page}`);
  });

  test('an error of our own comes back as it is', () => {
    const own = new ToolRefusal('no');
    expect(told(own)).toBe(own);
  });

  test.each([
    [400, 'says where'],
    [401, 'key that the client was given'],
    [403, 'may use this model'],
    [404, 'name of the model'],
    [429, 'Try again later'],
    [500, 'Try again later'],
    [599, 'Try again later'],
    [409, 'See the message'],
  ])('%i says what to do', (status, remedy) => {
    expect(told(answered(status, undefined)).remedy).toContain(remedy);
  });

  test.each([401, 403])('ADPT-11: %i never shows the key, in no part of the error', (status) => {
    const message = `Incorrect API key provided: ${KEY}. You can find your API key at https://example.com/keys.`;
    const error = told(answered(status, { error: { message, param: KEY } }, { 'x-request-id': 'req_2' }));
    expect(error.message).toBe(
      `openai:m answered ${String(status)}: Incorrect API key provided: [redacted] You can find your API key at https://example.com/keys. (request req_2)`,
    );
    expect(error.cause).toMatchObject({ status });
    expect(error.cause).toBeInstanceOf(OpenAI.APIError);
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
    expect(JSON.stringify(error)).not.toContain(KEY);
  });

  test('ADPT-11: a key that the client could not even send is not shown either', () => {
    const error = told(new TypeError(`Headers.append: "Bearer ${KEY}\n" is an invalid header value.`));
    expect(inspect(error, { depth: null, showHidden: true })).not.toContain(KEY);
  });

  test('a page in place of an error is cut', () => {
    const page = OpenAI.APIError.generate(502, undefined, `<html>${'x'.repeat(50_000)}`, new Headers());
    expect(told(page).message.length).toBeLessThan(600);
  });
});
