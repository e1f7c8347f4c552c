import type { SchemaTarget } from 'toolwright/adapters';
import { describeValue, joinBounded } from 'toolwright/internal/light';
import type { ToolMetadata } from 'toolwright/types';
import { lowerSchema, ProgramError } from 'toolwright/internal';

/** The formats of tools of providers and protocols. */
export type ToolFormat = 'openai' | 'openai-responses' | 'mistral' | 'anthropic' | 'gemini' | 'mcp' | 'ai-sdk' | 'raw';

interface Form {
  readonly target: SchemaTarget;
  readonly write: (name: string, description: string, schema: object) => object;
}

const writeChatTool: Form['write'] = (name, description, parameters) => ({
  type: 'function',
  function: { name, description, parameters },
});

const forms: Readonly<Record<ToolFormat, Form>> = {
  openai: { target: 'openai', write: writeChatTool },
  'openai-responses': {
    target: 'openai',
    write: (name, description, parameters) => ({ type: 'function', name, description, parameters }),
  },
  mistral: { target: 'openai', write: writeChatTool },
  anthropic: {
    target: 'anthropic',
    write: (name, description, schema) => ({ name, description, input_schema: schema }),
  },
  gemini: { target: 'gemini', write: (name, description, parameters) => ({ name, description, parameters }) },
  mcp: { target: 'mcp', write: (name, description, schema) => ({ name, description, inputSchema: schema }) },
  'ai-sdk': {
    target: 'json-schema',
    write: (name, description, schema) => ({ type: 'function', name, description, inputSchema: schema }),
  },
  raw: { target: 'json-schema', write: (name, description, parameters) => ({ name, description, parameters }) },
};

/**
 * Converts a tool to the format of a provider's request or a protocol's list.
 *
 * @throws ProgramError E672 for an unknown format
 */
export function toolSchema({ name, description, schema }: ToolMetadata, format: ToolFormat): object {
  const form = Object.hasOwn(forms, format) ? forms[format] : undefined;
  if (form === undefined) {
    const known = joinBounded(Object.keys(forms));
    throw new ProgramError(`format is ${describeValue(format)}; one of ${known} is expected`, {
      code: 'E672',
      place: 'toolSchema',
    });
  }
  return form.write(name, description, lowerSchema(schema, form.target).schema);
}
