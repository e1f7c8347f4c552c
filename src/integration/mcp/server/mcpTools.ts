import type { Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js';
import type { JsonSchema } from '../../../common/types.js';
import type { ToolHints } from '../../../metadata/args/ToolMetadataArgs.js';
import type { RenderedPrompt } from '../../../prompt/RenderedPrompt.js';
import type { RenderedTool } from '../../../prompt/RenderedTool.js';
import { outputForm } from './outputForm.js';

/** Said although it is the protocol's default: clients that hand schemas on need not know that. */
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

/** The tools of a rendering as MCP lists them, in the order of the rendering. */
export function mcpTools(rendered: RenderedPrompt): readonly Tool[] {
  return rendered.tools.map(mcpTool);
}

function mcpTool(tool: RenderedTool): Tool {
  const { name, description, parameters } = tool.schemaFor('mcp', {});
  const form = outputForm(tool);
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

/** Only what was declared: the protocol has its own, cautious, defaults. */
function annotationsOf({ readOnly, destructive, idempotent, openWorld }: ToolHints): ToolAnnotations {
  return {
    ...(readOnly === undefined ? {} : { readOnlyHint: readOnly }),
    ...(destructive === undefined ? {} : { destructiveHint: destructive }),
    ...(idempotent === undefined ? {} : { idempotentHint: idempotent }),
    ...(openWorld === undefined ? {} : { openWorldHint: openWorld }),
  };
}
