import { type Constructor, defineSection, type SectionOptions } from 'toolwright';
import { copyOwnOptions } from 'toolwright/internal/light';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';
import { bridgeTools } from './bridgeTools.js';
import { bridgeOptionNames, type McpBridgeOptions, splitBridgeOptions } from './McpBridgeOptions.js';
import type { McpConnectionSource } from './McpConnection.js';

/** Options of a section with the tools of a server, in addition to the options of any section. */
export interface McpSectionOptions
  extends
    McpBridgeOptions,
    Omit<SectionOptions<unknown, string, string>, 'key' | 'resources' | 'params' | 'defaults' | 'renderBody'> {
  readonly key: string;
}

const optionNames: OptionNames<McpSectionOptions> = {
  ...bridgeOptionNames,
  key: 1,
  title: 1,
  template: 1,
  summary: 1,
  visibility: 1,
  searchable: 1,
  children: 1,
  tools: 1,
  enabled: 1,
  acceptsOverrides: 1,
  policies: 1,
  requiresApproval: 1,
  feedback: 1,
  completion: 1,
  timeoutMs: 1,
  resultLimit: 1,
};

/**
 * Creates a section with the tools of an MCP server. List it in `sections` or `children` (docs/contract.md, 26). The tools are read
 * once; `followMcp` builds a new prompt when the list of the server changes.
 *
 * @param client a connected client, or a function that returns the client for each request
 * @throws McpBridgeError E681 if the server does not list its tools, E682 for wrong names, E683 for a wrong client or option,
 * E677 for unreadable pins;
 * PromptError E413 for an unknown option
 * @example
 * const files = await mcpSection(client, { key: 'files', title: 'Files', names: ['read_text_file', 'list_directory'] });
 * const desk = definePrompt({ ns: 'support', key: 'desk', sections: [OrdersSection, files] });
 */
export async function mcpSection(client: McpConnectionSource, options: McpSectionOptions): Promise<Constructor> {
  requireOptionNames('mcpSection', options, optionNames);
  const [bridge, section] = splitBridgeOptions(copyOwnOptions(options));
  const bridged = await bridgeTools(client, bridge, section.key);
  return defineSection({ ...section, tools: [...bridged, ...(section.tools ?? [])] });
}
