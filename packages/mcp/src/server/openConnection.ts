import { McpConnection, type ConnectionServices } from './McpConnection.js';
import type { McpPeer } from './McpClient.js';
import { serveLists } from './serveLists.js';
import { serveTools } from './serveTools.js';

/**
 * Opens a connection that answers all requests of the protocol, to be connected to a transport.
 *
 * @throws what creating the session and rendering the prompt throw
 */
export async function openConnection(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
  const connection = await McpConnection.open(services, peer);
  serveTools(connection);
  serveLists(connection);
  return connection;
}
