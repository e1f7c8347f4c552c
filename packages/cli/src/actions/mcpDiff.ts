import type * as mcp from '@toolwright/mcp';
import { didYouMean, isRecord } from 'toolwright/internal/light';
import { CliError } from '../CliError.js';
import type { AppOptions, CommandContext } from '../Context.js';
import { loadExports } from '../load/loadApplication.js';
import { loadPackage } from '../load/loadPackage.js';
import { bold, dim, green, joinLines, line, red } from '../terminal/TerminalText.js';

export interface McpDiffOptions extends Pick<AppOptions, 'app' | 'json'> {
  readonly accept?: boolean;
}

/** A server in the export `mcp` of the module. */
interface ConfiguredServer {
  readonly client: mcp.McpConnectionSource;
  readonly pins: mcp.McpPinStore;
}

/** `toolwright mcp diff` */
export async function mcpDiff(
  { folder, terminal, fail }: CommandContext,
  server: string | undefined,
  { app, json, accept = false }: McpDiffOptions,
): Promise<void> {
  const { place, exported } = await loadExports(app, folder);
  const servers = selectServers(exported, server, place);
  const { diffMcpPins } = await loadPackage<typeof mcp>(folder, { name: '@toolwright/mcp', place: 'mcp diff' });
  const changes: mcp.McpPinChange[] = [];
  const logger = { debug: ignore, info: ignore, error: warn, warn };
  for (const [name, { client, pins }] of servers) {
    const { source, close } = keepOpen(client);
    try {
      changes.push(...(await diffMcpPins(source, { server: name, pins, accept, logger })));
    } finally {
      await close();
    }
  }
  if (json === true) terminal.json(changes);
  else if (changes.length > 0) terminal.data(joinLines(changes.flatMap(formatChange)));
  const count = `${String(changes.length)} ${changes.length === 1 ? 'difference' : 'differences'}`;
  if (changes.length === 0) terminal.note(green('✔ no differences'));
  else if (accept) terminal.note(green(`✔ ${count} accepted`));
  else {
    fail();
    terminal.note(red(`✘ ${count}. Accept with --accept.`));
  }

  function warn(message: string): void {
    terminal.note(message);
  }
}

/** @throws CliError E980 */
function selectServers(
  exported: Readonly<Record<string, unknown>>,
  server: string | undefined,
  place: string,
): readonly (readonly [string, ConfiguredServer])[] {
  // Imported CommonJS modules have all exports in `default`.
  const given = exported['mcp'] ?? (Object(exported['default']) as { readonly mcp?: unknown }).mcp;
  if (!isRecord(given)) throw new CliError('it exports no mcp', { code: 'E980', place });
  const names = Object.keys(given);
  if (server !== undefined && !names.includes(server)) {
    const near = didYouMean(server, names);
    const problem = `mcp has no server "${server}".${near === '' ? ` It has: ${names.join(', ')}.` : near}`;
    throw new CliError(problem, { code: 'E980', place });
  }
  return Object.entries(given)
    .filter(([name]) => server === undefined || name === server)
    .map(([name, entry]) => {
      const { client, pins } = Object(entry) as Partial<ConfiguredServer>;
      if (client === undefined || pins === undefined)
        throw new CliError(`mcp.${name} is not { client, pins }`, { code: 'E980', place });
      return [name, { client, pins }];
    });
}

/** Connects at most once, and closes the client that a function has connected, so that the command ends. */
function keepOpen(given: mcp.McpConnectionSource): {
  readonly source: mcp.McpConnectionSource;
  readonly close: () => Promise<void>;
} {
  if (typeof given !== 'function') return { source: given, close: () => closeClient(given) };
  let open: Promise<mcp.McpConnection> | undefined;
  return {
    source: () => (open ??= Promise.resolve(given())),
    close: async () => {
      const client = await open?.catch(ignore);
      if (client !== undefined) await closeClient(client);
    },
  };
}

async function closeClient(client: object): Promise<void> {
  await (client as { readonly close?: () => Promise<void> }).close?.();
}

function formatChange({ server, change, kind, remoteName, difference }: mcp.McpPinChange): ReturnType<typeof line>[] {
  const lines = difference.split('\n').map((text) => {
    const shown = line`  ${text}`;
    return text.startsWith('-') ? red(shown) : text.startsWith('+') ? green(shown) : dim(shown);
  });
  return [line`${bold(`${server}: ${kind} ${remoteName}`)} ${change}`, ...lines];
}

function ignore(): undefined {
  return undefined;
}
