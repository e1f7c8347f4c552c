import type { ToolHints } from 'toolwright';
import type { SchemaTarget, ToolSchema } from 'toolwright/adapters';
import type { TOOL_FORMATS } from './options.js';

/** The name of a provider or protocol, in the format of which tools are written. */
export type ToolFormat = (typeof TOOL_FORMATS)[number];

/** A lowered tool with its hints. */
interface Written extends ToolSchema {
  readonly hints: ToolHints;
}

interface Form {
  readonly target: SchemaTarget;
  readonly write: (tools: readonly Written[]) => unknown;
}

const formatEach = (target: SchemaTarget, write: (tool: Written) => unknown): Form => ({
  target,
  write: (tools) => tools.map(write),
});

/** Writes tools as each provider or protocol gets them in a request. */
export const formats: Readonly<Record<ToolFormat, Form>> = {
  'json-schema': formatEach('json-schema', ({ name, description, parameters }) => ({ name, description, parameters })),
  openai: formatEach('openai', ({ name, description, parameters, strict }) => ({
    type: 'function',
    function: { name, description, parameters, strict },
  })),
  'openai-responses': formatEach('openai', ({ name, description, parameters, strict }) => ({
    type: 'function',
    name,
    description,
    parameters,
    strict,
  })),
  anthropic: formatEach('anthropic', ({ name, description, parameters, strict }) => ({
    name,
    description,
    input_schema: parameters,
    ...(strict ? { strict } : {}),
  })),
  gemini: {
    target: 'gemini',
    write: (tools) => ({
      functionDeclarations: tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    }),
  },
  mcp: formatEach('mcp', ({ name, description, parameters, hints }) => ({
    name,
    description,
    inputSchema: parameters,
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: hints.openWorld,
    },
  })),
  'ai-sdk': {
    target: 'json-schema',
    write: (tools) =>
      Object.fromEntries(
        tools.map(({ name, description, parameters }) => [name, { description, inputSchema: parameters }]),
      ),
  },
};
