import type { ModelAdapter, ModelRequest } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';
import { AiSdkAdapter } from '@toolwright/ai-sdk';
import { HttpModel } from '../../ai-sdk/spec/support/HttpModel';
import { adapterOver } from './support/client';
import { requestOf, toolNamed } from '../../openai/spec/support/client';

const model = 'claude-opus-5-5';
let asked = 0;
beforeEach(() => {
  asked = 0;
});
const answering = (): Response => {
  asked++;
  return new Response('{}', { status: 400 });
};

/** A request of a conversation with these closed tools. */
function requestWith(closed: readonly ToolSchema[]): ModelRequest {
  const offered = [toolNamed('find')];
  const request = requestOf([{ role: 'user', content: 'Hello' }], offered);
  return { ...request, offeredTools: () => offered, closedTools: () => closed };
}

const many = Array.from({ length: 10_001 }, (_, index) => toolNamed(`t${String(index)}`));
const large = Array.from({ length: 5 }, (_, index) => ({
  ...toolNamed(`t${String(index)}`),
  description: 'ä'.repeat(500_000),
}));
const httpModel = new HttpModel('http://127.0.0.1:1', 'v4', 'anthropic.messages', model);

describe.each<[string, () => ModelAdapter]>([
  ['AnthropicAdapter', () => adapterOver(answering, { model })],
  ['AiSdkAdapter', () => new AiSdkAdapter({ model: httpModel })],
])('%s: deferred tools', (_name, adapter) => {
  test.each([
    ['10,001', many, '10001 tools are deferred, at most 10000 are allowed'],
    ['more than 4 MiB of definitions, in bytes', large, 'bytes, at most 4194304 are allowed'],
  ])('%s are refused before the request', async (_what, closed, problem) => {
    await expect(adapter().complete(requestWith(closed))).rejects.toMatchObject({
      phase: 'request',
      message: expect.stringContaining(problem) as string,
    });
    expect(asked).toBe(0);
  });
});

test('found by the search of the provider, they have the same limits', async () => {
  const adapter = adapterOver(answering, { model: 'claude-sonnet-5', deferTools: () => true });
  await expect(adapter.complete(requestOf([{ role: 'user', content: 'Hello' }], many))).rejects.toThrow('10001 tools');
  expect(asked).toBe(0);
});
