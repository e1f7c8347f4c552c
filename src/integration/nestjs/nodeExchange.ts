import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request or response of a platform that wraps Node's; Fastify's reply has to be hijacked. */
interface Wrapped {
  readonly raw?: unknown;
  hijack?(): unknown;
}

/** Returns Node's own request behind that of the platform. */
export function nodeRequest(request: object): IncomingMessage {
  return ((request as Wrapped).raw ?? request) as IncomingMessage;
}

/** Returns Node's own response behind that of the platform, which does not answer from now on. */
export function nodeResponse(response: object): ServerResponse {
  const wrapped = response as Wrapped;
  wrapped.hijack?.();
  return (wrapped.raw ?? response) as ServerResponse;
}

/** Aborts when the client disconnects before it has been answered; the returned function stops watching. */
export function whenClientLeaves(response: object, stop: AbortController): () => void {
  const node = ((response as Wrapped).raw ?? response) as ServerResponse;
  const onClose = (): void => {
    if (!node.writableFinished) stop.abort();
  };
  node.once('close', onClose);
  if (node.destroyed) onClose();
  return () => {
    node.removeListener('close', onClose);
  };
}
