import {
  CompleteRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  type McpError,
  ReadResourceRequestSchema,
  SetLevelRequestSchema,
  SubscribeRequestSchema,
  UnsubscribeRequestSchema,
  type CompleteRequest,
  type GetPromptRequest,
  type ListPromptsRequest,
  type ListResourcesRequest,
  type ListResourceTemplatesRequest,
  type ReadResourceRequest,
  type SubscribeRequest,
} from '@modelcontextprotocol/sdk/types.js';
import { MAX_COMPLETIONS } from '../limits.js';
import { hideFailures } from './hideFailures.js';
import { HostResources } from './HostResources.js';
import type { McpConnection, RequestExtra } from './McpConnection.js';
import { contentsOf } from './McpContent.js';
import { OfferedPrompts } from './OfferedPrompts.js';
import { takePage } from './takePage.js';
import { SECTION_MIME_TYPE, listSectionResources, readSectionText } from './listSectionResources.js';
import { createProtocolError } from './createProtocolError.js';

const DEFAULT_PAGE = 100;
/** The protocol's code for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32002;

/** Answers requests for resources, prompts, completions and the log level. `serveTools` answers all others. */
export function serveLists(connection: McpConnection): void {
  const { resources = [], resourceTemplates = [] } = connection.services.options;
  const host = new HostResources(resources, resourceTemplates);
  const offered = new OfferedPrompts(connection);
  serveResources(connection, host);
  servePrompts(connection, offered);
  serveCompletions(connection, host, offered);
  connection.protocol.setRequestHandler(SetLevelRequestSchema, ({ params }) => {
    connection.setLevel(params.level);
    return {};
  });
}

function serveResources(connection: McpConnection, host: HostResources): void {
  const { protocol, prompt, services, subscribed } = connection;
  const { logger, options } = services;
  const { pageSize = DEFAULT_PAGE } = options;
  protocol.setRequestHandler(
    ListResourcesRequestSchema,
    hideFailures(logger, async ({ params }: ListResourcesRequest) => {
      const rendered = await connection.renderPrompt();
      connection.show(rendered);
      const all = [...listSectionResources(prompt, rendered), ...host.list];
      const { items, ...rest } = takePage(all, ({ uri }) => uri, params?.cursor, pageSize);
      return { resources: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    hideFailures(logger, ({ params }: ListResourceTemplatesRequest) => {
      const { items, ...rest } = takePage(host.templates, ({ uriTemplate }) => uriTemplate, params?.cursor, pageSize);
      return { resourceTemplates: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    ReadResourceRequestSchema,
    hideFailures(logger, async ({ params: { uri } }: ReadResourceRequest, extra: RequestExtra) => {
      const client = connection.clientFor(extra);
      const text = readSectionText(prompt, await connection.renderPrompt(), uri);
      if (text !== undefined) return { contents: [contentsOf(uri, text, SECTION_MIME_TYPE)] };
      const found = await host.read(uri, client);
      if (found === undefined) throw createNotFoundError(uri);
      return { contents: [found] };
    }),
  );
  protocol.setRequestHandler(
    SubscribeRequestSchema,
    hideFailures(logger, async ({ params: { uri } }: SubscribeRequest) => {
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

function servePrompts(connection: McpConnection, offered: OfferedPrompts): void {
  const { protocol, services } = connection;
  const { logger, options } = services;
  const { pageSize = DEFAULT_PAGE } = options;
  protocol.setRequestHandler(
    ListPromptsRequestSchema,
    hideFailures(logger, ({ params }: ListPromptsRequest) => {
      const { items, ...rest } = takePage(offered.list, ({ name }) => name, params?.cursor, pageSize);
      return { prompts: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    GetPromptRequestSchema,
    hideFailures(logger, async ({ params }: GetPromptRequest, extra: RequestExtra) =>
      offered.get(params.name, params.arguments ?? {}, connection.clientFor(extra)),
    ),
  );
}

function serveCompletions(connection: McpConnection, host: HostResources, offered: OfferedPrompts): void {
  const { protocol, services } = connection;
  protocol.setRequestHandler(
    CompleteRequestSchema,
    hideFailures(services.logger, async ({ params: { ref, argument } }: CompleteRequest) => {
      const { name, value } = argument;
      const values =
        ref.type === 'ref/prompt' ? offered.values(ref.name, name, value) : await host.complete(ref.uri, name, value);
      const hasMore = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
    }),
  );
}

function createNotFoundError(uri: string): McpError {
  return createProtocolError(
    RESOURCE_NOT_FOUND,
    `There is no resource ${JSON.stringify(uri.slice(0, 200))}. resources/list names those that there are.`,
    { uri },
  );
}
