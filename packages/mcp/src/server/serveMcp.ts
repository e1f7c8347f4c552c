import { getApplicationParts } from 'toolwright/internal';
import type { Application, BoundPrompt } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import { DEFAULT_ANSWER_MS } from '../limits.js';
import type { McpPeer } from './McpClient.js';
import type { McpServerOptions } from './McpServerOptions.js';
import { McpService } from './McpService.js';
import { AnswerVault } from './stateless/AnswerVault.js';
import { ListChanges } from './stateless/ListChanges.js';
import { MemoryStateStore } from './stateless/McpStateStore.js';
import { McpTasks } from './tasks/McpTasks.js';
import { assertOptions } from './assertOptions.js';

/**
 * Serves a prompt to MCP clients: its tools as tools, its sections as documents, its text as instructions and as an MCP prompt.
 * The application's dispatcher runs every call. Needs
 * `@modelcontextprotocol/sdk` and `@modelcontextprotocol/server`.
 *
 * @param prompt a prompt with bound params, or a function that returns one for each session, for example with the tenant's params
 * @throws McpServerError E691 for invalid options, PromptError E413 for unknown ones
 * @example
 * const server = serveMcp(app, app.prompt(SupportDesk));
 * await server.connectStdio();                              // a process of its own, started by the client
 * express.all('/mcp', server.handler);                      // or: within a host's server
 * console.log(await server.listen({ port: 3000 }));         // or: an HTTP server of its own
 */
export function serveMcp(
  app: Application,
  prompt: BoundPrompt | ((peer: McpPeer) => BoundPrompt | Promise<BoundPrompt>),
  given: McpServerOptions = {},
): McpService {
  assertOptions(given);
  const own = copyOwnOptions(given);
  const options = copyOwnOptions({ ...own, http: copyOwnOptions(own.http ?? {}) });
  const promptFor = typeof prompt === 'function' ? prompt : () => prompt;
  const { logger, seals, clock } = getApplicationParts(app).services;
  const vault = new AnswerVault({
    keys: seals.deriveKeys('mcp answers'),
    store: options.stateStore ?? new MemoryStateStore(clock),
    ttlMs: options.stateMs ?? DEFAULT_ANSWER_MS,
    now: () => clock.now(),
  });
  const { tasks: settings } = options;
  const askedLate = new Set<string>();
  return new McpService({
    app,
    promptFor,
    ...(settings === undefined
      ? {}
      : { tasks: new McpTasks({ app, promptFor, options, settings, logger, askedLate }) }),
    isFixed: typeof prompt !== 'function',
    askedLate,
    options,
    logger,
    vault,
    changes: new ListChanges(options.eventBus, logger),
  });
}
