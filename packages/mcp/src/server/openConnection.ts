import { McpConnection, type ConnectionServices } from './McpConnection.js';
import type { McpPeer } from './McpClient.js';
import { serveLists } from './serveLists.js';
import { serveTools } from './serveTools.js';

/**
 * Opens a connection that answers all requests of the protocol. Connect it to a transport.
 *
 * @throws errors of creating the session and of rendering the prompt, unchanged
 */
export async function openConnection(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
  const connection = await McpConnection.open(services, peer);
  serveTools(connection);
  serveLists(connection);
  return connection;
}
