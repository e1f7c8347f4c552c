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
import { answering } from './answering.js';
import { HostResources } from './HostResources.js';
import type { McpConnection, RequestExtra } from './McpConnection.js';
import { contentsOf } from './McpContent.js';
import { OfferedPrompts } from './OfferedPrompts.js';
import { paged } from './paged.js';
import { SECTION_MIME_TYPE, sectionResources, sectionText } from './sectionResources.js';
import { protocolError } from './protocolError.js';

const DEFAULT_PAGE = 100;
/** The protocol's code for a resource that does not exist. */
const RESOURCE_NOT_FOUND = -32002;
const MOST_VALUES = 100;

/** Answers all requests except those for tools: resources, prompts, completions and the level of logging. */
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
    answering(logger, async ({ params }: ListResourcesRequest) => {
      const rendered = await connection.rendered();
      connection.show(rendered);
      const all = [...sectionResources(prompt, rendered), ...host.list];
      const { items, ...rest } = paged(all, ({ uri }) => uri, params?.cursor, pageSize);
      return { resources: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    ListResourceTemplatesRequestSchema,
    answering(logger, ({ params }: ListResourceTemplatesRequest) => {
      const { items, ...rest } = paged(host.templates, ({ uriTemplate }) => uriTemplate, params?.cursor, pageSize);
      return { resourceTemplates: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    ReadResourceRequestSchema,
    answering(logger, async ({ params: { uri } }: ReadResourceRequest, extra: RequestExtra) => {
      const client = connection.clientFor(extra);
      const text = sectionText(prompt, await connection.rendered(), uri);
      if (text !== undefined) return { contents: [contentsOf(uri, text, SECTION_MIME_TYPE)] };
      const found = await host.read(uri, client);
      if (found === undefined) throw notFound(uri);
      return { contents: [found] };
    }),
  );
  protocol.setRequestHandler(
    SubscribeRequestSchema,
    answering(logger, async ({ params: { uri } }: SubscribeRequest) => {
      const rendered = await connection.rendered();
      if (sectionText(prompt, rendered, uri) === undefined && !host.has(uri)) throw notFound(uri);
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
    answering(logger, ({ params }: ListPromptsRequest) => {
      const { items, ...rest } = paged(offered.list, ({ name }) => name, params?.cursor, pageSize);
      return { prompts: items, ...rest };
    }),
  );
  protocol.setRequestHandler(
    GetPromptRequestSchema,
    answering(logger, async ({ params }: GetPromptRequest, extra: RequestExtra) =>
      offered.get(params.name, params.arguments ?? {}, connection.clientFor(extra)),
    ),
  );
}

function serveCompletions(connection: McpConnection, host: HostResources, offered: OfferedPrompts): void {
  const { protocol, services } = connection;
  protocol.setRequestHandler(
    CompleteRequestSchema,
    answering(services.logger, async ({ params: { ref, argument } }: CompleteRequest) => {
      const { name, value } = argument;
      const values =
        ref.type === 'ref/prompt' ? offered.values(ref.name, name, value) : await host.complete(ref.uri, name, value);
      const hasMore = values.length > MOST_VALUES;
      return { completion: { values: values.slice(0, MOST_VALUES), total: values.length, hasMore } };
    }),
  );
}

function notFound(uri: string): McpError {
  return protocolError(
    RESOURCE_NOT_FOUND,
    `There is no resource ${JSON.stringify(uri.slice(0, 200))}. resources/list names those that there are.`,
    { uri },
  );
}
