import { copyOwnOptions, loadPeer } from 'toolwright/internal/light';
import { requireOptionNames } from 'toolwright/internal';
import type { Toolkit, ToolkitEntry, ToolkitOptions } from '@toolwright/programs';
import { bridgeTools } from './bridgeTools.js';
import { bridgeOptionNames, type McpBridgeOptions, splitBridgeOptions } from './McpBridgeOptions.js';
import type { McpConnectionSource } from './McpConnection.js';

/** Options of `toolkitFromMcp`: the tools that programs may call, and how programs run. */
export interface McpToolkitOptions extends McpBridgeOptions, Omit<ToolkitOptions, 'app' | 'logger'> {
  /** Tools in addition to the server's tools. */
  readonly extraTools?: readonly ToolkitEntry[] | undefined;
}

/**
 * Creates a toolkit with the tools of an MCP server. Programs of a model call them inside the sandbox (docs/contract.md, 26).
 *
 * @param client a connected client, or a function that returns the client for each request
 * @throws McpBridgeError E681, E682, E683; PromptError E413 for an unknown option;
 * ToolwrightError E415 if @toolwright/programs is not installed; errors of `Toolkit.from`, unchanged
 * @example
 * await using kit = await toolkitFromMcp(client, { names: ['list_directory', 'read_text_file'] });
 * const result = await kit.execute('return (await list_directory({ path: "." })).length');
 */
export async function toolkitFromMcp(client: McpConnectionSource, options: McpToolkitOptions = {}): Promise<Toolkit> {
  const { Toolkit } = await loadPeer('toolkitFromMcp', () => import('@toolwright/programs'));
  const { app: _ofRenderings, ...kitNames } = Toolkit.optionNames;
  requireOptionNames('toolkitFromMcp', options, { ...kitNames, ...bridgeOptionNames, extraTools: 1 });
  const [bridge, { extraTools, ...kit }] = splitBridgeOptions(copyOwnOptions(options));
  const bridged = await bridgeTools(client, bridge);
  return Toolkit.from([...bridged, ...(extraTools ?? [])], { ...kit, logger: bridge.logger });
}
