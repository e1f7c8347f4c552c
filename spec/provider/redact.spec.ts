import { inspect } from 'node:util';
import fc from 'fast-check';
import OpenAI from 'openai';
import { redactText, redactValue } from '../../src/provider/redact';

describe('redactText', () => {
  test.each([
    ['Incorrect API key provided: sk-proj-abc123DEF456.', 'Incorrect API key provided: [redacted]'],
    ['Incorrect API key provided: sk-abcd************wxyz. You can', 'Incorrect API key provided: [redacted] You can'],
    ['key sk-abcd************wxyz refused', 'key [redacted] refused'],
    ['"Bearer abc.def-ghi" is an invalid header value', '"Bearer [redacted]" is an invalid header value'],
    ['authorization: bearer  abc', 'authorization: bearer [redacted]'],
    ['{"api_key":"topsecret","x":1}', '{"api_key":"[redacted]","x":1}'],
    ['?api-key=topsecret&v=2', '?api-key=[redacted]&v=2'],
    ['gsk_1234567890 and xai-1234567890', '[redacted] and [redacted]'],
    ['scikit: sk-learn; desk-1234567890 is a desk', 'scikit: sk-learn; desk-1234567890 is a desk'],
    ['connect to https://ada:pass%20word@example.org:8443/v1', 'connect to https://[redacted]@example.org:8443/v1'],
    [
      'at https://example.org/@scope/a by redis://:topsecret@cache',
      'at https://example.org/@scope/a by redis://[redacted]@cache',
    ],
    ['Rate limit reached for gpt-5-mini', 'Rate limit reached for gpt-5-mini'],
  ])('redactText hides the secret in %j', (text, shown) => {
    expect(redactText(text)).toBe(shown);
  });

  test('the key in use goes, whatever its form; a placeholder does not', () => {
    expect(redactText('no such key: (AZ.9+8765)', 'AZ.9+8765')).toBe('no such key: ([redacted])');
    expect(redactText('a mock is a mock', 'mock')).toBe('a mock is a mock');
    expect(redactText('nothing known', undefined)).toBe('nothing known');
  });

  test('no key survives, wherever it is', () => {
    const secret = 'sk-proj-0123456789abcdefABCDEF';
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        expect(redactText(`${before}${secret}${after}`, secret)).not.toContain(secret);
      }),
    );
  });
});

describe('redactValue', () => {
  test('a value without a key is returned as it is', () => {
    const error = new OpenAI.APIError(500, { message: 'down' }, undefined, new Headers());
    expect(redactValue(error, 'sk-proj-0123456789')).toBe(error);
    expect(redactValue(7)).toBe(7);
    expect(redactValue(null)).toBe(null);
    const map = new Map([['key', 'sk-proj-0123456789']]);
    expect(redactValue(map)).toBe(map);
  });

  test('ADPT-11: of an error with a key there is a copy, still recognised, with no key in any part', () => {
    const key = 'sk-proj-0123456789';
    const inner = new TypeError(`Headers.append: "Bearer ${key}" is an invalid header value.`);
    const error = OpenAI.APIError.generate(
      401,
      { error: { message: `no ${key}`, param: [key] } },
      undefined,
      new Headers(),
    );
    Object.assign(error, { cause: inner });
    const copy = redactValue(error, key) as InstanceType<typeof OpenAI.AuthenticationError>;
    expect(copy).not.toBe(error);
    expect(copy).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(copy.status).toBe(401);
    expect(copy.headers).toBe(error.headers);
    expect(copy.message).toBe('401 no [redacted]');
    expect(copy.error).toEqual({ message: 'no [redacted]', param: ['[redacted]'] });
    expect((copy.cause as Error).message).toBe('Headers.append: "Bearer [redacted]" is an invalid header value.');
    expect(inspect(copy, { depth: null, showHidden: true })).not.toContain(key);
    expect(error.message).toBe(`401 no ${key}`);
  });

  test('a value that holds itself comes to an end', () => {
    const loop: Record<string, unknown> = { text: 'sk-proj-0123456789' };
    loop['self'] = loop;
    expect(redactValue(loop)).toMatchObject({ text: '[redacted]', self: { text: '[redacted]' } });
  });
});
