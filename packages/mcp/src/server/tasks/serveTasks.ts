import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  MissingRequiredClientCapabilityError,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { JsonValue, Logger } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';
import { hideFailures } from '../hideFailures.js';
import type { McpPeer } from '../McpClient.js';
import { createParamsSchema } from '../stateless/createParamsSchema.js';
import type { McpTasks } from './McpTasks.js';
import type { TaskClientInfo } from './TaskInput.js';

/** The extension of the protocol for tasks. */
const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** Answers `tasks/get`, `tasks/update` and `tasks/cancel` on a server of the revision 2026-07-28. */
export function serveTasks(server: McpServer['server'], tasks: McpTasks, peer: McpPeer, logger: Logger): void {
  server.registerCapabilities({ extensions: { [TASKS_EXTENSION]: {} } });
  const serve = (method: string, answer: (id: string, context: ServerContext) => Promise<object>): void => {
    const answerKnown = hideFailures(logger, async (params: unknown, context: ServerContext) => {
      if (findTaskClient(peer, context) === undefined) throw createNoTasksError();
      return { ...(await answer((params as { readonly taskId: string }).taskId, context)) };
    });
    server.setRequestHandler(method, { params: createParamsSchema(findTaskFault) }, answerKnown);
  };
  serve('tasks/get', (id) => tasks.get(peer, id));
  serve('tasks/update', async (id, { mcpReq }) => {
    await tasks.update(peer, id, mcpReq.inputResponses ?? {});
    return {};
  });
  serve('tasks/cancel', async (id) => {
    await tasks.cancel(peer, id);
    return {};
  });
}

/** Returns the client of a request, as far as a task stores it; undefined if it cannot follow tasks. */
export function findTaskClient(
  { transport, principal }: McpPeer,
  { mcpReq, http }: ServerContext,
): TaskClientInfo | undefined {
  const { envelope = {} } = mcpReq as { readonly envelope?: Readonly<Record<string, JsonValue>> };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  const extensions = isRecord(capabilities) ? capabilities['extensions'] : undefined;
  if (!isRecord(extensions) || !isRecord(extensions[TASKS_EXTENSION])) return undefined;
  const info = envelope[CLIENT_INFO_META_KEY];
  return {
    transport,
    ...(principal === undefined ? {} : { principal }),
    ...(http?.authInfo === undefined ? {} : { scopes: http.authInfo.scopes.join(' ') }),
    capabilities: capabilities as TaskClientInfo['capabilities'],
    ...(isRecord(info) ? { info: info } : {}),
  };
}

/** The client has to declare the extension: -32021. */
export function createNoTasksError(): MissingRequiredClientCapabilityError {
  return new MissingRequiredClientCapabilityError({
    requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
  });
}

function findTaskFault(params: unknown): string | undefined {
  return isRecord(params) && typeof params['taskId'] === 'string' ? undefined : 'taskId: expected a text';
}
