import {
  CallToolRequestSchema,
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type SubscribeRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { createNotFoundError, handleLists } from './handleLists.js';
import { handleTools } from './handleTools.js';
import { hideFailures } from './hideFailures.js';
import { HostResources } from './HostResources.js';
import { readSectionText } from './listSectionResources.js';
import { McpConnection } from './McpConnection.js';
import type { McpPeer } from './McpClient.js';
import { OfferedPrompts } from './OfferedPrompts.js';
import type { ConnectionServices } from './ServedPrompt.js';

/**
 * Opens a connection that answers all requests of the revision 2025-11-25 and of earlier ones. Connect it to a transport.
 *
 * @throws errors of creating the session and of rendering the prompt, unchanged
 */
export async function openConnection(services: ConnectionServices, peer: McpPeer): Promise<McpConnection> {
  const connection = await McpConnection.open(services, peer);
  const { resources = [], resourceTemplates = [] } = services.options;
  const host = new HostResources(resources, resourceTemplates);
  serveRequests(connection, host);
  serveSubscriptions(connection, host);
  connection.protocol.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    connection.setLevel(params.level);
    return {};
  });
  return connection;
}

function serveRequests(connection: McpConnection, host: HostResources): void {
  const { protocol } = connection;
  const tools = handleTools(connection);
  const lists = handleLists(connection, host, new OfferedPrompts(connection));
  protocol.setRequestHandler(ListToolsRequestSchema, ({ params }, extra) =>
    tools['tools/list'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(CallToolRequestSchema, ({ params }, extra) =>
    tools['tools/call'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(ListResourcesRequestSchema, ({ params }, extra) =>
    lists['resources/list'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(ListResourceTemplatesRequestSchema, ({ params }, extra) =>
    lists['resources/templates/list'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(ReadResourceRequestSchema, ({ params }, extra) =>
    lists['resources/read'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(ListPromptsRequestSchema, ({ params }, extra) =>
    lists['prompts/list'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(GetPromptRequestSchema, ({ params }, extra) =>
    lists['prompts/get'](params, connection.requestOf(extra)),
  );
  protocol.setRequestHandler(CompleteRequestSchema, ({ params }, extra) =>
    lists['completion/complete'](params, connection.requestOf(extra)),
  );
}

function serveSubscriptions(connection: McpConnection, host: HostResources): void {
  const { protocol, prompt, subscribed, services } = connection;
  protocol.setRequestHandler(
    SubscribeRequestSchema,
    hideFailures(services.logger, async ({ params: { uri } }: SubscribeRequest) => {
      const rendered = await connection.renderPrompt();
      if (readSectionText(prompt, rendered, uri) === undefined && !host.has(uri)) throw createNotFoundError(uri);
      subscribed.add(uri);
      connection.show(rendered);
      return {};
    }),
  );
  protocol.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
    subscribed.delete(uri);
    return {};
  });
}
