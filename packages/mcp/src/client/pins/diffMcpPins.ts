import type { Logger } from 'toolwright';
import { consoleLogger, type OptionNames, requireOptionNames } from 'toolwright/internal';
import { listRemote } from '../listRemote.js';
import type { McpConnectionSource } from '../McpConnection.js';
import { readRemote } from '../readRemote.js';
import { comparePins } from './comparePins.js';
import { pinAll } from './keepPinned.js';
import type { McpPinChange, McpPinStore } from './McpPins.js';
import { readPins, updatePins } from './pinBook.js';

/** Options of `diffMcpPins`. */
export interface McpPinDiffOptions {
  /** The name under which the server is pinned: the key of the section, or the prefix of the toolkit. */
  readonly server: string;
  readonly pins: McpPinStore;
  /** True to pin the declarations as the server sends them now. False when left out: nothing is written. */
  readonly accept?: boolean | undefined;
  /** Milliseconds that each listing may take; 60,000 when left out. */
  readonly callTimeoutMs?: number | undefined;
  /** Receives a warning for each entry that is left out; the console when left out. */
  readonly logger?: Logger | undefined;
}

const optionNames: OptionNames<McpPinDiffOptions> = { server: 1, pins: 1, accept: 1, callTimeoutMs: 1, logger: 1 };

/**
 * Compares the declarations of a server with their pins. A server without pins differs in each of its declarations.
 *
 * @param client a connected client, or a function that returns the client for each request
 * @throws McpBridgeError E677 for unreadable pins, E681 if the server does not list its tools, E683 for a wrong client;
 * PromptError E413 for an unknown option
 */
export async function diffMcpPins(
  client: McpConnectionSource,
  options: McpPinDiffOptions,
): Promise<readonly McpPinChange[]> {
  requireOptionNames('diffMcpPins', options, optionNames);
  const { server, pins, accept = false, callTimeoutMs = 60_000, logger = consoleLogger } = options;
  const limits = { timeoutMs: callTimeoutMs, maxBytes: 8 * 1_048_576 };
  const declared = await readRemote(await listRemote(client, true, limits, logger), logger);
  const before = (await readPins(pins)).get(server) ?? new Map();
  const changes = comparePins(server, before, declared, () => true).map(({ change }) => change);
  if (accept) await updatePins(pins, server, () => pinAll(declared));
  return changes;
}
