import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sendError } from './sendAnswers.js';
import type { Inspected, InspectorOptions } from './Inspector.js';
import { InspectorError } from './InspectorError.js';
import { inspectorHandler, ownOptions } from './inspectorHandler.js';

/** Where the inspector is served. */
export interface ServeOptions extends InspectorOptions {
  /** A free one when left out. */
  readonly port?: number | undefined;
}

/** An inspector that is served. */
export interface ServedInspector {
  /** Its address, with the token that it asks for. */
  readonly url: string;
  /** Ends the server and every connection, and stops following the application. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Serves the inspector on the loopback address of this machine.
 *
 * @throws what listening on the port throws
 * @example
 * const inspector = await serveInspector({ app });
 * console.log(inspector.url);
 */
export async function serveInspector(inspected: Inspected, options: ServeOptions = {}): Promise<ServedInspector> {
  const { port = 0, ...others } = ownOptions(options);
  const handler = await inspectorHandler(inspected, others);
  const server = createServer((request, response) => {
    if (handler.handle(request, response)) return;
    // `*`, or an address as proxies are sent it.
    sendError(request, response, new InspectorError(400, 'expected a path such as /api/about', 'request target'));
  });
  // Otherwise Node closes the connection without an answer.
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
