import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendError } from './sendAnswers.js';
import type { Inspected, InspectorOptions } from './Inspector.js';
import { InspectorError } from './InspectorError.js';
import { inspectorHandler, ownOptions } from './inspectorHandler.js';

/** Options of a served inspector. */
export interface ServeOptions extends InspectorOptions {
  /** The port; a free one when left out. */
  readonly port?: number | undefined;
}

/** A running inspector. */
export interface ServedInspector {
  /** The address of the page, including its token. */
  readonly url: string;
  /** Closes the server and every connection, and stops following the application. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the inspector on the loopback address of this machine.
 *
 * @throws the error of listening on the port, unchanged
 * @example
 * const inspector = await serveInspector({ app });
 * console.log(inspector.url);
 */
export async function serveInspector(inspected: Inspected, options: ServeOptions = {}): Promise<ServedInspector> {
  const { port = 0, ...others } = ownOptions(options);
  const handler = await inspectorHandler(inspected, others);
  const server = createServer((request, response) => {
    if (handler.handle(request, response)) return;
    // The request target is `*`, or an absolute address as in requests to a proxy.
    sendError(request, response, new InspectorError(400, 'expected a path such as /api/about', 'request target'));
  });
  // Without this listener, Node closes the connection without an answer.
  server.on('connect', (_request, socket) => {
    socket.end('HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n');
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const close = async (): Promise<void> => {
    handler.close();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://127.0.0.1:${String(taken)}${handler.path}`, close, [Symbol.asyncDispose]: close };
}
