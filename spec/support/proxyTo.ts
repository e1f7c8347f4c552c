import { createConnection, createServer, type Socket } from 'node:net';

/**
 * Passes connections on to a server, or drops what they send without a word.
 *
 * @param server the socket of the server
 * @param path the socket of the proxy
 */
export async function proxyTo(server: string, path: string) {
  let isOpen = true;
  const sockets = new Set<Socket>();
  const proxy = createServer((client) => {
    const upstream = createConnection(server);
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(from);
      from.on('error', () => undefined);
      from.on('data', (data) => {
        if (isOpen) to.write(data);
      });
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => proxy.listen(path, resolve));
  return {
    drop: () => (isOpen = false),
    heal: () => (isOpen = true),
    close: () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
