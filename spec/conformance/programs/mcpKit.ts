import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { toolkitFromMcp } from '@toolwright/mcp';
import type { Toolkit, ToolkitEntry, ToolkitOptions } from '@toolwright/programs';
import { unknownWord } from '../ConformanceFault';
import type { Json } from '../format';
import type { McpSpec } from './format';

/** A toolkit over the server of a case, what the server was asked, and what closes it. */
export interface McpKit {
  readonly kit: Toolkit;
  readonly sent: readonly Json[];
  close(): Promise<void>;
}

const words = new Set(['tools', 'resources', 'templates', 'tool_names']);

/** @throws ConformanceFault C3 */
export async function mcpKit(
  spec: McpSpec,
  extraTools: readonly ToolkitEntry[],
  options: Omit<ToolkitOptions, 'app'>,
): Promise<McpKit> {
  for (const word of Object.keys(spec)) if (!words.has(word)) throw unknownWord('mcp', word);
  const sent: Json[] = [];
  const server = serverOf(spec, sent);
  const [near, far] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'conformance', version: '1.0.0' });
  await Promise.all([server.connect(far), client.connect(near)]);
  const { tool_names: names } = spec;
  const kit = await toolkitFromMcp(client, { ...options, names, extraTools });
  return {
    kit,
    sent,
    close: async () => {
      await kit.close();
      await client.close();
    },
  };
}

function serverOf({ tools = [], resources = [], templates = [] }: McpSpec, sent: Json[]): McpServer['server'] {
  const { server } = new McpServer({ name: 'case', version: '1.0.0' }, { capabilities: { tools: {}, resources: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(({ result: _result, inputSchema, ...tool }) => ({
      ...tool,
      inputSchema: (inputSchema ?? { type: 'object' }) as { type: 'object' },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params: { name, arguments: args } }) => {
    sent.push({ call_tool: name, arguments: args });
    return { content: [], ...tools.find((tool) => tool.name === name)?.result };
  });
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: resources.map(({ result: _result, ...resource }) => resource),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [...templates] }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    sent.push({ read_resource: uri });
    const text = resources.find((resource) => resource.uri === uri)?.result ?? `body of ${uri}`;
    return { contents: [{ uri, text }] };
  });
  return server;
}
