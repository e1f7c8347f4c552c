import type { Logger } from 'toolwright';
import { messageOf, isObject } from 'toolwright/internal/light';
import { McpBridgeError, McpCallError } from './mcpErrors.js';
import { MAX_LISTED_ENTRIES, MAX_LISTED_PAGES, MAX_PAGE_VALUES } from '../limits.js';
import { askServer, clientOf, isUnknownMethod, type QuestionLimits } from './askServer.js';
import { isModern, type McpCapabilities, type McpConnection, type McpConnectionSource } from './McpConnection.js';

/** An entry of a list, as the server sent it. */
export type RemoteEntry = Readonly<Record<string, unknown>>;

/** The lists of a server. */
export interface RemoteLists {
  readonly tools: readonly RemoteEntry[];
  readonly resources: readonly RemoteEntry[];
  readonly templates: readonly RemoteEntry[];
  /** True if the server speaks revision 2026-07-28 or a newer one. */
  readonly isModern: boolean;
}

/**
 * Reads all lists of a server, page by page.
 *
 * @throws McpBridgeError E681 if the server does not answer, E683 if `source` is not a client or not connected
 */
export async function listRemote(
  source: McpConnectionSource,
  withResources: boolean,
  limits: QuestionLimits,
  logger: Logger,
): Promise<RemoteLists> {
  const client = await clientOf(source);
  const capabilities = capabilitiesOf(client);
  const list = (of: keyof McpCapabilities, method: string, key: string): Promise<readonly RemoteEntry[]> =>
    capabilities[of] === undefined ? Promise.resolve([]) : pagesOf(source, { method, key }, limits, logger);
  const tools = await list('tools', 'tools/list', 'tools');
  const lists = { tools, resources: [], templates: [], isModern: isModern(client) };
  if (!withResources) return lists;
  const resources = await list('resources', 'resources/list', 'resources');
  return { ...lists, resources, templates: await list('resources', 'resources/templates/list', 'resourceTemplates') };
}

function capabilitiesOf(client: unknown): McpCapabilities {
  const given = Object(client) as Partial<McpConnection>;
  const isClient = typeof given.request === 'function' && typeof given.getServerCapabilities === 'function';
  const capabilities = isClient ? (client as McpConnection).getServerCapabilities() : undefined;
  if (capabilities !== undefined) return capabilities;
  const problem = isClient ? 'the MCP client is not connected' : 'what was given is not an MCP client';
  throw new McpBridgeError(problem, { code: 'E683', place: 'MCP bridge' });
}

async function pagesOf(
  source: McpConnectionSource,
  { method, key }: { readonly method: string; readonly key: string },
  limits: QuestionLimits,
  logger: Logger,
): Promise<readonly RemoteEntry[]> {
  const entries: RemoteEntry[] = [];
  const cursors = new Set<unknown>();
  let cursor: unknown;
  for (let page = 0; page < MAX_LISTED_PAGES && entries.length <= MAX_LISTED_ENTRIES; page++) {
    const answer = await pageOf(source, method, cursor, limits);
    if (answer === undefined) return entries;
    const found = answer[key];
    if (!Array.isArray(found))
      throw new McpBridgeError(`the answer to ${method} holds no list of ${key}`, {
        code: 'E681',
        place: 'MCP bridge',
      });
    for (const entry of found as readonly unknown[]) if (isObject(entry)) entries.push(entry as RemoteEntry);
    cursor = answer['nextCursor'];
    // A repeated cursor would loop forever.
    if (typeof cursor !== 'string' || cursors.has(cursor)) return limitEntries(entries, method, logger);
    cursors.add(cursor);
  }
  return limitEntries(entries, method, logger, true);
}

function limitEntries(
  entries: readonly RemoteEntry[],
  method: string,
  logger: Logger,
  isCut = false,
): readonly RemoteEntry[] {
  if (entries.length > MAX_LISTED_ENTRIES || isCut)
    logger.warn(
      `E687 MCP bridge: the list of ${method} is too long; everything after ${String(MAX_LISTED_ENTRIES)} entries or ${String(MAX_LISTED_PAGES)} pages is left out`,
      { code: 'E687', method },
    );
  return entries.slice(0, MAX_LISTED_ENTRIES);
}

/** Reads one page; returns undefined if the server has no such list. */
async function pageOf(
  source: McpConnectionSource,
  method: string,
  cursor: unknown,
  limits: QuestionLimits,
): Promise<Record<string, unknown> | undefined> {
  try {
    return await askServer(
      source,
      { method, params: typeof cursor === 'string' ? { cursor } : {} },
      { ...limits, maxValues: MAX_PAGE_VALUES },
    );
  } catch (cause) {
    if (isUnknownMethod(cause)) return undefined;
    const problem = cause instanceof McpCallError ? cause.message : messageOf(cause);
    throw new McpBridgeError(`${method} failed: ${problem}`, { code: 'E681', place: 'MCP bridge', cause });
  }
}
