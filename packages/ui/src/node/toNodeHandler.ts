import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { host } from 'toolwright/internal/light';

/** A request of Node, of Express or of Fastify. */
export type NodeRequest = IncomingMessage | { readonly raw: IncomingMessage; readonly body?: unknown };

/** A response of Node, of Express or of Fastify. */
export type NodeResponse = ServerResponse | FastifyResponse;

interface FastifyResponse {
  readonly raw: ServerResponse;
  hijack(): unknown;
  getHeaders?(): Readonly<Record<string, number | string | string[] | undefined>>;
}

/** The frameworks' own objects, by the web-standard request that was made of them. */
const nodeRequests = new WeakMap<Request, NodeRequest>();

/**
 * Mounts a handler on Node's `http`, Express, Fastify, or a controller of NestJS. Nothing is buffered: a chunk is written when the client
 * has taken the one before.
 *
 * @param options.onError gets errors of the host, such as a failing store, where no `next` takes them; a warning of the
 * process by default
 * @returns a function that takes the request and the response, and in Express `next`, which gets the errors of the host
 * @example
 * app.all(['/api/chat', '/api/chat/*path'], toNodeHandler(handler)); // Express
 * app.all('/api/chat*', toNodeHandler(handler)); // Fastify
 */
export function toNodeHandler(
  handler: (request: Request) => Promise<Response>,
  options: { readonly onError?: ((error: unknown) => void) | undefined } = {},
): (request: NodeRequest, response: NodeResponse, next?: (error: unknown) => void) => Promise<void> {
  const { onError = warn } = options;
  return async (given, answer, next) => {
    const response = 'raw' in answer ? takeOver(answer) : answer;
    const request = toWebRequest(given);
    if (request === undefined) {
      refuse(response, 400, 'The request is not valid.');
      return;
    }
    try {
      await sendResponse(await handler(request), response);
    } catch (error) {
      if (response.headersSent || response.destroyed) response.destroy();
      else if (next !== undefined) {
        next(error);
        return;
      } else refuse(response, 500, 'An error occurred.');
      // A rejection would end the process: Node's `http` does not wait for its listeners.
      onError(error);
    }
  };
}

/** Returns the framework's request, to which guards and middleware may have added members; undefined for another request. */
export function getNodeRequest(request: Request): NodeRequest | undefined {
  return nodeRequests.get(request);
}

/** Returns Node's response, with the headers of hooks such as CORS, which Fastify sends only with its own answers. */
function takeOver(answer: FastifyResponse): ServerResponse {
  const { raw } = answer;
  for (const [name, value] of Object.entries(answer.getHeaders?.() ?? {}))
    if (value !== undefined) raw.setHeader(name, value);
  answer.hijack();
  return raw;
}

function warn(error: unknown): void {
  host.emitWarning(error instanceof Error ? error : String(error));
}

function refuse(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8' }).end(text);
}

/** Returns undefined for an address, a host or a method that no web-standard request has. */
function toWebRequest(given: NodeRequest): Request | undefined {
  const incoming = 'raw' in given ? given.raw : given;
  // Express cuts the mounted path off `url`.
  const { originalUrl = incoming.url ?? '/', body } = given as {
    readonly originalUrl?: string;
    readonly body?: unknown;
  };
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers))
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) headers.append(name, each);
  const origin = `http://${incoming.headers.host ?? 'localhost'}`;
  const { method = 'GET' } = incoming;
  // Only a path: an address of another host would replace the own one.
  if (!originalUrl.startsWith('/') || originalUrl.startsWith('//') || !URL.canParse(originalUrl, origin))
    return undefined;
  if (method === 'TRACE' || method === 'CONNECT') return undefined;
  const url = new URL(originalUrl, origin);
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const request = new Request(url, { method, headers, ...(hasBody ? readBody(incoming, body) : {}) });
  nodeRequests.set(request, given);
  return request;
}

/** A framework may have read and parsed the body already. */
function readBody(incoming: IncomingMessage, parsed: unknown): RequestInit {
  if (incoming.readableEnded || (parsed !== undefined && incoming.complete))
    return { body: JSON.stringify(parsed ?? null) };
  return { body: Readable.toWeb(incoming) as ReadableStream, duplex: 'half' };
}

async function sendResponse({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  if (body === null) return void response.end();
  // The client learns at once that it is connected, before the model begins to answer.
  response.flushHeaders();
  const reader = body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
  const left = new AbortController();
  const leave = (): void => {
    left.abort();
    void reader.cancel().catch(() => undefined);
  };
  response.once('close', leave);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || left.signal.aborted) break;
      const isTaken = response.write(value);
      // Middleware that compresses keeps small chunks back until it is told.
      (response as { flush?: () => void }).flush?.();
      if (!isTaken) await once(response, 'drain', { signal: left.signal });
    }
  } catch (error) {
    if (!left.signal.aborted) throw error;
  } finally {
    response.off('close', leave);
    response.end();
  }
}
