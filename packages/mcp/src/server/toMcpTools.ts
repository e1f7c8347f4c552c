import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchema, RenderedTool, ToolHints } from 'toolwright';
import { findOutputForm } from './findOutputForm.js';

/** The dialect of schemas. It is the protocol's default, but is declared for clients that pass schemas on. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** Returns tools in the form of MCP, in the same order. */
export function toMcpTools(tools: readonly RenderedTool[]): readonly Tool[] {
  return tools.map(toMcpTool);
}

function toMcpTool(tool: RenderedTool): Tool {
  const { name, description, parameters } = tool.schemaFor('mcp', {});
  const form = findOutputForm(tool);
  return {
    name,
    description,
    inputSchema: inputSchemaOf(parameters) as Tool['inputSchema'],
    ...(form === undefined ? {} : { outputSchema: form.schema as Tool['outputSchema'] }),
    annotations: annotationsOf(tool.hints),
  };
}

function inputSchemaOf(parameters: JsonSchema): JsonSchema {
  return { $schema: DIALECT, ...parameters };
}

/** Returns only declared hints, because the protocol has its own, cautious defaults. */
function annotationsOf({ readOnly, destructive, idempotent, openWorld }: ToolHints): ToolAnnotations {
  return {
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}
