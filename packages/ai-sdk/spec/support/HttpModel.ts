import { APICallError } from 'ai';
import type { AiLanguageModel, AiModelRequest } from '@toolwright/ai-sdk';
import { isJson } from '../../../openai/spec/support/json';

/**
 * A model behind HTTP, as a provider package has one: it sends the request to a server, and throws the AI SDK's errors. It sends
 * the specification's own form, so that the server sees the whole request of an adapter.
 */
export class HttpModel implements AiLanguageModel {
  readonly specificationVersion: 'v3' | 'v4';
  readonly provider: string;
  readonly modelId: string;
  /** What the model fetches itself: nothing but images. */
  readonly supportedUrls = { 'image/*': [/^https:/] };
  readonly #baseURL: string;

  constructor(baseURL: string, version: 'v3' | 'v4', provider = 'double.chat', modelId = 'double-1') {
    this.modelId = modelId;
    this.#baseURL = baseURL;
    this.specificationVersion = version;
    this.provider = provider;
  }

  async doGenerate(call: AiModelRequest): Promise<unknown> {
    const response = await this.#post(call, false);
    const text = await response.text();
    const answer: unknown = text.startsWith('{') ? JSON.parse(text) : undefined;
    if (isJson(answer) && Array.isArray(answer['content'])) return { ...answer, warnings: [] };
    throw this.#error('Invalid JSON response', 200, text, response.headers);
  }

  async doStream(call: AiModelRequest): Promise<unknown> {
    const response = await this.#post(call, true);
    const { body } = response;
    if (body === null) throw this.#error('Empty response', 200, '', response.headers);
    return { stream: body.pipeThrough(new TextDecoderStream()).pipeThrough(eventParts()) };
  }

  async #post({ abortSignal, prompt, ...rest }: AiModelRequest, stream: boolean): Promise<Response> {
    const body = JSON.stringify({
      ...rest,
      model: this.modelId,
      provider: this.provider,
      messages: prompt,
      version: this.specificationVersion,
      stream,
    });
    const headers = { 'content-type': 'application/json', authorization: 'Bearer sk-double-0123456789' };
    let response: Response;
    try {
      response = await fetch(`${this.#baseURL}/generate`, { method: 'POST', body, headers, signal: abortSignal });
    } catch (cause) {
      if (abortSignal.aborted) throw cause;
      const message = 'Cannot connect to API';
      throw new APICallError({ message, url: this.#baseURL, requestBodyValues: {}, cause, isRetryable: true });
    }
    if (response.ok) return response;
    const text = await response.text();
    const said: unknown = JSON.parse(text);
    const told = isJson(said) && isJson(said['error']) ? String(said['error']['message']) : response.statusText;
    throw this.#error(told, response.status, text, response.headers);
  }

  #error(message: string, statusCode: number, responseBody: string, headers: Headers): APICallError {
    const responseHeaders = Object.fromEntries(headers);
    const data: unknown = statusCode === 200 ? undefined : JSON.parse(responseBody);
    return new APICallError({
      message,
      url: this.#baseURL,
      requestBodyValues: {},
      statusCode,
      responseHeaders,
      responseBody,
      data,
    });
  }
}

/** Server-sent events, one part each; what is no JSON becomes an error part, as in a provider package. */
function eventParts(): TransformStream<string, unknown> {
  let rest = '';
  return new TransformStream({
    transform(text, controller) {
      const lines = (rest + text).split('\n\n');
      rest = lines.pop() ?? '';
      for (const line of lines.filter((each) => each.startsWith('data: '))) controller.enqueue(partOf(line.slice(6)));
    },
  });
}

function partOf(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch (error) {
    return { type: 'error', error: Object.assign(error as Error, { name: 'AI_JSONParseError' }) };
  }
}
