import { type McpError } from '@modelcontextprotocol/sdk/types.js';
import { MAX_COMPLETIONS } from '../limits.js';
import { hideFailures } from './hideFailures.js';
import type { HostResources } from './HostResources.js';
import type { McpHandlers } from './McpHandlers.js';
import { contentsOf } from './McpContent.js';
import type { OfferedPrompts } from './OfferedPrompts.js';
import type { ServedPrompt } from './ServedPrompt.js';
import { takePage } from './takePage.js';
import { SECTION_MIME_TYPE, listSectionResources, readSectionText } from './listSectionResources.js';
import { createProtocolError } from './createProtocolError.js';

const DEFAULT_PAGE = 100;
/** The protocol's code for a resource that does not exist, which SDK 2 replaces by -32602 from 2026-07-28 on. */
const RESOURCE_NOT_FOUND = -32002;

/** Creates the handlers of requests for resources, prompts and completions. */
export function handleLists(
  served: ServedPrompt,
  host: HostResources,
  offered: OfferedPrompts,
): Omit<McpHandlers, 'tools/list' | 'tools/call'> {
  return {
    ...handleResources(served, host),
    ...handlePrompts(served, offered),
    'completion/complete': hideFailures(served.services.logger, async ({ ref, argument }) => {
      const { name, value } = argument;
      const values =
        ref.type === 'ref/prompt' ? offered.values(ref.name, name, value) : await host.complete(ref.uri, name, value);
      const hasMore = values.length > MAX_COMPLETIONS;
      return { completion: { values: values.slice(0, MAX_COMPLETIONS), total: values.length, hasMore } };
    }),
  };
}

function handleResources(
  served: ServedPrompt,
  host: HostResources,
): Pick<McpHandlers, 'resources/list' | 'resources/templates/list' | 'resources/read'> {
  const { prompt, services } = served;
  const { logger, options } = services;
  const { pageSize = DEFAULT_PAGE } = options;
  return {
    'resources/list': hideFailures(logger, async (params) => {
      const rendered = await served.renderPrompt();
      served.show(rendered);
      const all = [...listSectionResources(prompt, rendered), ...host.list];
      const { items, ...rest } = takePage(all, ({ uri }) => uri, params?.cursor, pageSize);
      return { resources: items, ...rest };
    }),
    'resources/templates/list': hideFailures(logger, async (params) => {
      const { items, ...rest } = takePage(host.templates, ({ uriTemplate }) => uriTemplate, params?.cursor, pageSize);
      return { resourceTemplates: items, ...rest };
    }),
    'resources/read': hideFailures(logger, ({ uri }, request) =>
      request.runAsking({ method: 'resources/read', name: uri, arguments: {} }, async () => {
        const text = readSectionText(prompt, await served.renderPrompt(), uri);
        if (text !== undefined) return { contents: [contentsOf(uri, text, SECTION_MIME_TYPE)] };
        const found = await host.read(uri, request.client);
        if (found === undefined) throw createNotFoundError(uri);
        return { contents: [found] };
      }),
    ),
  };
}

function handlePrompts(
  { services }: ServedPrompt,
  offered: OfferedPrompts,
): Pick<McpHandlers, 'prompts/list' | 'prompts/get'> {
  const { logger, options } = services;
  const { pageSize = DEFAULT_PAGE } = options;
  return {
    'prompts/list': hideFailures(logger, async (params) => {
      const { items, ...rest } = takePage(offered.list, ({ name }) => name, params?.cursor, pageSize);
      return { prompts: items, ...rest };
    }),
    'prompts/get': hideFailures(logger, ({ name, arguments: args = {} }, request) =>
      request.runAsking({ method: 'prompts/get', name, arguments: args }, () =>
        offered.get(name, args, request.client),
      ),
    ),
  };
}

/** Creates the error of a resource that does not exist. */
export function createNotFoundError(uri: string): McpError {
  return createProtocolError(
    RESOURCE_NOT_FOUND,
    `There is no resource ${JSON.stringify(uri.slice(0, 200))}. resources/list names those that there are.`,
    { uri },
  );
}
