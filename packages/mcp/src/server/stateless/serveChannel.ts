import type { Transport as SessionTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { McpServer, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { messageOf } from 'toolwright/internal/light';
import type { McpConnection } from '../McpConnection.js';
import { ServedPrompt } from '../ServedPrompt.js';
import { openServer } from './openServer.js';
import { replaceInvalidState } from './replaceInvalidState.js';
import type { StatelessServices } from './StatelessEndpoint.js';

/** A served channel. */
export interface ServedChannel {
  close(): Promise<void>;
}

/**
 * Serves one client over a transport that stays open, such as standard input and output. Its first message decides which revision is
 * spoken: with or without `initialize`. In both, the client has the `Session` of the connection.
 *
 * @param connection answers a client that initializes
 * @param onEnd called once, when the transport has ended
 */
export async function serveChannel(
  services: StatelessServices,
  connection: McpConnection,
  transport: SessionTransport,
  onEnd: () => void,
): Promise<ServedChannel> {
  const { peer, prompt, session, calls } = connection;
  const watched = watchEnd(transport, onEnd);
  const handle = serveStdio(
    ({ era }) =>
      era === 'legacy'
        ? (createSessionServer(connection) as unknown as McpServer)
        : openServer({
            served: new ServedPrompt(services, peer, prompt, session, calls),
            vault: services.vault,
          }),
    {
      transport: watched.transport,
      onerror: (error) => services.logger.debug(`MCP: ${messageOf(error)}`),
    },
  );
  await watched.started;
  return handle;
}

/** The used methods of a server of the SDK 1, in which `serveStdio` only connects and closes it. */
function createSessionServer(connection: McpConnection): Pick<McpServer, 'connect' | 'close'> {
  return {
    connect: (channel) => connection.connect(channel),
    close: () => connection.close(),
  };
}

/** Wraps a transport, to learn of its start and its end: `serveStdio` sets its callbacks. */
function watchEnd(
  inner: Transport,
  onEnd: () => void,
): { readonly transport: Transport; readonly started: Promise<void> } {
  let report: (start: Promise<void>) => void = () => undefined;
  const started = new Promise<void>((resolve) => (report = resolve as typeof report));
  const transport: Transport = {
    start: async () => {
      inner.onmessage = (message, extra) => transport.onmessage?.(replaceInvalidState(message), extra);
      inner.onerror = (error) => transport.onerror?.(error);
      inner.onclose = () => {
        transport.onclose?.();
        onEnd();
      };
      const start = inner.start();
      report(start);
      await start;
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return { transport, started };
}
