import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type Implementation,
  type InputRequest,
  type JsonSchemaValidatorResult,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ServerNotification } from '@modelcontextprotocol/sdk/types.js';
import { messageOf } from 'toolwright/internal/light';
import { findRequestFault } from '../findRequestFault.js';
import { handleLists } from '../handleLists.js';
import { handleTools } from '../handleTools.js';
import { HostResources } from '../HostResources.js';
import { McpClient } from '../McpClient.js';
import type { McpHandlers } from '../McpHandlers.js';
import type { McpRequest } from '../McpRequest.js';
import { OfferedPrompts } from '../OfferedPrompts.js';
import { describeServer, type ServedPrompt, writeInstructions } from '../ServedPrompt.js';
import { findTaskClient, serveTasks } from '../tasks/serveTasks.js';
import type { AnswerVault } from './AnswerVault.js';
import { addCacheHint, chooseCacheHints } from './chooseCacheHints.js';
import { createParamsSchema, type ParamsSchema } from './createParamsSchema.js';
import { Interview } from './Interview.js';
import { serveSkills, SKILLS_CAPABILITY } from './serveSkills.js';

const CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  prompts: {},
  logging: {},
  completions: {},
};

/** Checks nothing, because this revision checks no answers to forms here; creating a validator would take longer than a call. */
const VALIDATOR = {
  getValidator:
    <T>() =>
    (input: unknown): JsonSchemaValidatorResult<T> => ({ valid: true, data: input as T, errorMessage: undefined }),
};

/** A handler of any method. */
type AnyHandler = (params: object, request: McpRequest) => Promise<Record<string, unknown>>;

/** The parts of a server that its owner decides. */
export interface ServerParts {
  readonly served: ServedPrompt;
  readonly vault: AnswerVault;
  /** The method of the only request; undefined for a server that answers several. */
  readonly method?: string | undefined;
  /** The arguments of the tool call, if they were taken out of the request. */
  readonly arguments?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Builds the server that answers requests of the revision 2026-07-28: over HTTP, one for each request. Extensions are registered
 * here.
 *
 * @throws errors of rendering the prompt, unchanged
 */
export async function openServer(parts: ServerParts): Promise<McpServer> {
  const { served, method: only } = parts;
  const { options, logger, tasks } = served.services;
  const instructions =
    only === undefined || only === 'server/discover'
      ? writeInstructions(options, await served.renderPrompt())
      : undefined;
  const mcp = new McpServer(describeServer(options, served.prompt), {
    capabilities: options.skills === undefined ? CAPABILITIES : { ...CAPABILITIES, extensions: SKILLS_CAPABILITY },
    jsonSchemaValidator: VALIDATOR,
    cacheHints: chooseCacheHints(served),
    ...(instructions === undefined ? {} : { instructions }),
  });
  const { server } = mcp;
  server.onerror = (error) => logger.debug(`MCP: ${messageOf(error)}`);
  const handlers = serveSkills(server, served, createHandlers(served, only));
  for (const [method, handler] of Object.entries(handlers) as [string, AnyHandler][])
    server.setRequestHandler(method, { params: checkParams(method) }, async (given, context) => {
      const params = given as object;
      return addCacheHint(served, method, params, await handler(params, createRequest(parts, params, context)));
    });
  if (tasks !== undefined) serveTasks(server, tasks, served.peer, logger);
  return mcp;
}

/** Creates the handlers that a method may need, because most requests are calls of tools. */
function createHandlers(served: ServedPrompt, method: string | undefined): Partial<McpHandlers> {
  const tools = handleTools(served);
  if (method?.startsWith('tools/') === true) return tools;
  const { resources = [], resourceTemplates = [] } = served.services.options;
  const host = new HostResources(resources, resourceTemplates);
  return { ...tools, ...handleLists(served, host, new OfferedPrompts(served)) };
}

/** Creates a check of the params of a method. */
function checkParams(method: string): ParamsSchema {
  return createParamsSchema(
    (params) => findRequestFault({ jsonrpc: '2.0', id: 0, method, params: params as Record<string, unknown> })?.message,
  );
}

/** Returns a request in the common form. */
function createRequest(parts: ServerParts, params: object, context: ServerContext): McpRequest {
  const { served, vault } = parts;
  const { id, signal, inputResponses, notify, requestState } = context.mcpReq;
  const interview = new Interview({
    vault,
    prompt: served.prompt,
    principal: served.peer.principal,
    capabilities: readEnvelope(context)[CLIENT_CAPABILITIES_META_KEY] ?? {},
    responses: inputResponses ?? {},
    state: requestState(),
    signal,
  });
  const given = 'arguments' in params ? (params.arguments as Readonly<Record<string, unknown>>) : {};
  return {
    id,
    arguments: parts.arguments ?? given,
    client: createClient(served, interview, context),
    notify: async (notification: ServerNotification) => notify(notification),
    runAsking: (subject, run, startTask) => interview.conduct(subject, run, startTask),
    taskClient: findTaskClient(served.peer, context),
  };
}

function createClient({ peer }: ServedPrompt, interview: Interview, context: ServerContext): McpClient {
  return new McpClient({
    peer,
    info: readEnvelope(context)[CLIENT_INFO_META_KEY] as Implementation | undefined,
    authInfo: context.http?.authInfo,
    headers: peer.headers,
    supports: (capability) => interview.supports(capability),
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- clients of today still show these entries
    log: (level, data, logger) => context.mcpReq.log(level, data, logger),
    elicit: (params, { key }) =>
      interview.ask({ method: 'elicitation/create', params: { mode: 'form', ...params } }, key),
    sample: (params, { key }) => interview.ask({ method: 'sampling/createMessage', params } as InputRequest, key),
    listRoots: ({ key }) => interview.ask({ method: 'roots/list' }, key),
    // This revision cannot resume a stream.
    closeStream: () => undefined,
    continueAsTask: () => interview.continueAsTask(),
  });
}

/** Returns the fields of the protocol in `_meta`, which the SDK has checked. */
function readEnvelope({ mcpReq }: ServerContext): Readonly<Record<string, unknown>> {
  return mcpReq.envelope ?? {};
}
