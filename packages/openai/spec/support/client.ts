import OpenAI from 'openai';
import type { JsonSchema, Message, ModelRequest } from 'toolwright';
import type { ToolSchema } from 'toolwright/adapters';

/** A key of the true form, which must turn up nowhere. */
export const KEY = 'sk-proj-0123456789abcdefABCDEF';

/** The official client in front of a function in place of the network; it repeats nothing. */
export function clientOver(fetch: (body: unknown, init: RequestInit) => Response | Promise<Response>): OpenAI {
  return new OpenAI({
    apiKey: KEY,
    maxRetries: 0,
    fetch: async (_url, init = {}) => fetch(JSON.parse(init.body as string), init),
  });
}

/** An answer with a JSON body. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return new Response(text, { status, headers: { 'content-type': 'application/json', ...headers } });
}

/** A request as the loop makes it. */
export function requestOf(
  messages: readonly Message[],
  tools: readonly ToolSchema[] = [],
  signal?: AbortSignal,
): ModelRequest {
  return { messages, toolSchemas: () => tools, signal: signal ?? new AbortController().signal };
}

/** A tool without params. */
export function toolNamed(name: string): ToolSchema {
  const parameters: JsonSchema = { type: 'object', properties: {}, required: [], additionalProperties: false };
  return { name, description: `The ${name} tool.`, parameters, strict: true };
}

/** A completion that says a text. */
export function saying(content: string): unknown {
  return { choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }] };
}

/** A streamed answer: one event for each chunk, then the end; in pieces of so many bytes. */
export function sse(chunks: readonly unknown[], size = 1_024): Response {
  const lines = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'].map((data) => `data: ${data}\n\n`);
  const bytes = new TextEncoder().encode(lines.join(''));
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/** A chunk of a streamed completion. */
export function chunk(delta: unknown, finish: string | null = null): unknown {
  return { object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: finish }] };
}

/** A chunk with a part of a tool call. */
export function callChunk(part: unknown, finish: string | null = null): unknown {
  return chunk({ tool_calls: [part] }, finish);
}
