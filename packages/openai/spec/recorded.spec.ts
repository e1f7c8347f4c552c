import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ModelResponse } from 'toolwright';
import { OpenAIChatAdapter } from '@toolwright/openai';
import { describeWithData } from '../../../spec/support/absent';
import { clientOver, json, requestOf } from './support/client';
import { rejectionOf } from './support/thrownBy';

describeWithData('wire', 'recorded answers of providers', (data) => {
  const replay = (file: string, status = 200): Promise<ModelResponse> => {
    const body = readFileSync(join(data, file), 'utf8');
    const client = clientOver(() => json(body, status));
    return new OpenAIChatAdapter({ client, model: 'm' }).complete(requestOf([{ role: 'user', content: 'Hello' }]));
  };

  test('a text of OpenAI is read', async () => {
    const response = await replay('openai/openai-text.json');
    expect(response.text).toMatch(/^\*\*Holiday Name:\*\* Galaxy Day/);
    expect(response).toMatchObject({
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 16, outputTokens: 363, totalTokens: 379, cachedInputTokens: 0 },
    });
  });

  test('a text of xAI, whose total counts the reasoning as well', async () => {
    expect(await replay('openai-compatible/xai-text.json')).toMatchObject({
      native: {
        provider: 'openai-chat',
        content: [{ content: 'Grok', reasoning_content: expect.any(String) as string }],
      },
      text: 'Grok',
      toolCalls: [],
      finishReason: 'stop',
      usage: { inputTokens: 12, outputTokens: 2, totalTokens: 334, cachedInputTokens: 2 },
    });
  });

  test('a tool call of xAI, beside an empty text, is read', async () => {
    expect(await replay('openai-compatible/xai-tool-call.json')).toMatchObject({
      native: { provider: 'openai-chat', content: [{ content: '', reasoning_content: expect.any(String) as string }] },
      text: '',
      toolCalls: [{ id: 'call_46427107', name: 'weather', arguments: '{"location":"San Francisco"}' }],
      finishReason: 'tool_calls',
      usage: { inputTokens: 307, outputTokens: 26, totalTokens: 588, cachedInputTokens: 244 },
    });
  });

  test.each([
    [
      'the older completions API',
      'openai/openai-completion-text.json',
      'answered a choice without a message: {"text":"The new holiday',
    ],
    ['the Responses API', 'openai/openai-custom-tool.1.json', 'did not answer with a chat completion: {"id":"resp_'],
    ['embeddings', 'openai/openai-embedding.json', 'did not answer with a chat completion: {"object":"list"'],
  ])('an answer of %s is refused, saying what came', async (_name, file, problem) => {
    const error = await rejectionOf(replay(file));
    expect(error).toMatchObject({ phase: 'response', code: 'E702' });
    expect(error.message).toContain(problem);
    expect(error.message.length).toBeLessThan(400);
  });

  test.each([
    ['openai/openai-error.1.json', 429, 'E705', 'You exceeded your current quota'],
    ['openai/reasoning-model-legacy-parameter-error.json', 400, 'E701', "Unsupported parameter: 'max_tokens'"],
    ['openai/reasoning-model-temperature-error.json', 400, 'E701', "Unsupported parameter: 'temperature'"],
  ])('the recorded error %s becomes an error of the run', async (file, status, code, said) => {
    const error = await rejectionOf(replay(file, status));
    expect(error).toMatchObject({ phase: 'request', code, cause: { status } });
    expect(error.message).toContain(`openai-chat:m answered ${String(status)}: ${said}`);
  });
});
