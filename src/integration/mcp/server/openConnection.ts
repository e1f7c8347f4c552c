import { McpConnection, type ConnectionServices } from './McpConnection.js';
import type { McpPeer } from './McpPeer.js';
import { serveLists } from './serveLists.js';
import { serveTools } from './serveTools.js';

/**
 * A connection that answers everything that the protocol asks of a server, to be connected to a transport.
 *
 * @throws what making the session and rendering the prompt throw
 */
export async function openConnection(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
  const connection = await McpConnection.open(services, peer);
  serveTools(connection);
  serveLists(connection);
  return connection;
}
