import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Awaitable } from 'toolwright/types';

/** A request or response of Nest's platform: Node's own in Express, an object around Node's own in Fastify. */
interface Wrapped {
  readonly raw?: unknown;
  /** Tells Fastify not to answer. */
  hijack?(): unknown;
  /** The headers that hooks and middleware have set; Fastify sends them only with its own answers. */
  getHeaders?(): OutgoingHttpHeaders;
}

/** The methods of a response that Express and Fastify have in common. */
interface CommonResponse {
  status(code: number): CommonResponse;
  header(name: string, value: string): CommonResponse;
  send(body: string): unknown;
}

/**
 * Returns Node's own request, with the fields that parsers and guards have added to the platform's request. In Fastify, only the
 * platform's request has `body` and `user`, and the stream of Node's request has been read.
 */
export function toNodeRequest(request: object): IncomingMessage {
  const { raw } = request as Wrapped;
  if (raw === undefined) return request as IncomingMessage;
  const node = raw as IncomingMessage;
  for (const [name, value] of Object.entries<unknown>(request as Record<string, unknown>))
    if (name !== 'raw' && !(name in node)) Object.assign(node, { [name]: value });
  return node;
}

/** Returns Node's own response, with the headers set so far. The platform does not answer any more. */
export function toNodeResponse(response: object): ServerResponse {
  const node = copyHeaders(response);
  (response as Wrapped).hijack?.();
  return node;
}

/**
 * Lets a handler answer on Node's own response. The platform stays responsible until the handler begins its answer, so that Nest's
 * filters can answer errors that the handler throws before.
 *
 * @throws the error of the handler, unchanged
 */
export async function answerOnNode(
  response: object,
  handle: (node: ServerResponse) => Awaitable<unknown>,
): Promise<void> {
  const node = copyHeaders(response);
  const wrapped = response as Wrapped;
  const writeHead = node.writeHead.bind(node);
  // Node calls `writeHead` for every answer, also for an answer that begins with `write` or `end`.
  node.writeHead = ((...head: Parameters<typeof writeHead>) => {
    node.writeHead = writeHead;
    wrapped.hijack?.();
    return writeHead(...head);
  }) as typeof writeHead;
  try {
    await handle(node);
  } catch (error) {
    node.writeHead = writeHead;
    throw error;
  }
  wrapped.hijack?.();
}

/** Answers with JSON through the platform, so that its hooks and middleware see the answer. */
export function sendJson(response: object, status: number, body: unknown): void {
  (response as CommonResponse)
    .status(status)
    .header('content-type', 'application/json; charset=utf-8')
    .send(JSON.stringify(body));
}

/** Sets a header of an answer that the platform or one of Nest's filters sends. */
export function setHeader(response: object, name: string, value: string): void {
  (response as CommonResponse).header(name, value);
}

/** Checks whether the client has disconnected. */
export function hasLeft(response: object): boolean {
  const node = nodeOf(response);
  return node.destroyed && !node.writableFinished;
}

/** Checks whether the answer has begun, so that Nest cannot send another. */
export function isBegun(response: object): boolean {
  return nodeOf(response).headersSent;
}

/** Breaks off an incomplete answer, so that the client does not take it for a complete one. */
export function cutOff(response: object): void {
  nodeOf(response).destroy();
}

/** Calls `leave` if the client disconnects before it has been answered. The returned function stops watching. */
export function onClientLeave(response: object, leave: () => void): () => void {
  const node = nodeOf(response);
  const onClose = (): void => {
    if (!node.writableFinished) leave();
  };
  node.once('close', onClose);
  if (node.destroyed) onClose();
  return () => {
    node.removeListener('close', onClose);
  };
}

function nodeOf(response: object): ServerResponse {
  return ((response as Wrapped).raw ?? response) as ServerResponse;
}

function copyHeaders(response: object): ServerResponse {
  const node = nodeOf(response);
  if (node === response) return node;
  for (const [name, value] of Object.entries((response as Wrapped).getHeaders?.() ?? {}))
    if (value !== undefined) node.setHeader(name, value);
  return node;
}
