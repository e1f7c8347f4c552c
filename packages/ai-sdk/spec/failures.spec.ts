import { APICallError, EmptyResponseBodyError, JSONParseError, NoSuchModelError, TypeValidationError } from 'ai';
import { type AiLanguageModel, AiSdkAdapter } from '@toolwright/ai-sdk';
import { requestOf } from '../../openai/spec/support/client';
import { rejectionOf } from '../../openai/spec/support/thrownBy';

/** The error that a failure of a provider package becomes. */
function told(thrown: Error, signal?: AbortSignal): Promise<Error> {
  const fail = (): Promise<never> => Promise.reject(thrown);
  const model: AiLanguageModel = {
    specificationVersion: 'v3',
    provider: 'p',
    modelId: 'm',
    doGenerate: fail,
    doStream: fail,
  };
  return rejectionOf(new AiSdkAdapter({ model }).complete(requestOf([], [], signal)));
}

type Details = Partial<ConstructorParameters<typeof APICallError>[0]>;

function apiError(details: Details): APICallError {
  return new APICallError({ message: 'That went wrong.', url: 'https://p.example', requestBodyValues: {}, ...details });
}

describe('failures of provider packages of the AI SDK', () => {
  test.each([
    ['429', apiError({ statusCode: 429 }), { kind: 'rate_limit', retryAfter: undefined }],
    [
      '429 with Retry-After',
      apiError({ statusCode: 429, responseHeaders: { 'retry-after': '2.5' } }),
      { kind: 'rate_limit', retryAfter: 2.5 },
    ],
    [
      '503 with milliseconds',
      apiError({ statusCode: 503, responseHeaders: { 'retry-after-ms': '20' } }),
      { kind: 'overloaded', retryAfter: 0.02 },
    ],
    ['529', apiError({ statusCode: 529 }), { kind: 'overloaded' }],
    ['402', apiError({ statusCode: 402 }), { kind: 'quota_exhausted', retrySafe: false }],
    [
      '429 of an account that is used up',
      apiError({ statusCode: 429, data: { error: { code: 'insufficient_quota', message: 'Pay.' } } }),
      { kind: 'quota_exhausted', retrySafe: false },
    ],
    ['a lost connection', apiError({ isRetryable: true }), { kind: 'connection' }],
  ])('ADPT-01 %s may be asked again, or not, as it says', async (_what, thrown, expected) => {
    expect(await told(thrown)).toMatchObject({ name: 'ThrottleError', ...expected });
  });

  test.each([
    ['400', apiError({ statusCode: 400 }), 'p:m answered 400: That went wrong.'],
    [
      '400 with what the provider says',
      apiError({ statusCode: 400, data: { error: { message: 'tools.0: too long' } } }),
      'p:m answered 400: tools.0: too long',
    ],
    ['409, which the AI SDK would repeat', apiError({ statusCode: 409 }), 'p:m answered 409'],
    ['no status, and no use in repeating', apiError({}), 'The request to p:m failed: That went wrong.'],
    ['an unknown model', new NoSuchModelError({ modelId: 'm', modelType: 'languageModel' }), 'No such languageModel'],
    ['something that is no error', 'no' as unknown as Error, 'The request to p:m failed: no'],
  ])('ADPT-11 %s ends the run', async (_what, thrown, words) => {
    const error = await told(thrown);
    expect(error).toMatchObject({ name: 'PromptEvaluationError', phase: 'request' });
    expect(error.message).toContain(words);
  });

  test.each([
    ['a good status, and no JSON', apiError({ statusCode: 200, message: 'Invalid JSON response' })],
    ['JSON that is none', new JSONParseError({ text: '{', cause: new TypeError('end of input') })],
    ['another form', new TypeValidationError({ value: { a: 1 }, cause: new TypeError('no content') })],
    ['an empty body', new EmptyResponseBodyError()],
  ])('E702 %s is an answer that cannot be used', async (_what, thrown) => {
    const error = await told(thrown);
    expect(error).toMatchObject({ code: 'E702', phase: 'response' });
    expect(error.message).toMatch(/^p:m answered what could not be read: /);
  });

  test('missing headers and bodies do not matter', async () => {
    const strange = { responseHeaders: 7 as never, data: 7 };
    expect(await told(apiError({ statusCode: 503, ...strange }))).toMatchObject({ kind: 'overloaded' });
  });

  test('a request that was aborted ends with the reason of its signal', async () => {
    const stop = new AbortController();
    const model: AiLanguageModel = {
      specificationVersion: 'v3',
      provider: 'p',
      modelId: 'm',
      doGenerate: () => {
        stop.abort('enough');
        return Promise.reject(apiError({ statusCode: 503 }));
      },
      doStream: () => Promise.reject(new TypeError('nobody streams here')),
    };
    const request = requestOf([], [], stop.signal);
    await expect(new AiSdkAdapter({ model }).complete(request)).rejects.toBe('enough');
  });
});
