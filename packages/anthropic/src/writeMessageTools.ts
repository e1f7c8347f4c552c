import type { Anthropic } from '@anthropic-ai/sdk';
import type { ModelRequest } from 'toolwright';
import type { SchemaOptions, ToolSchema } from 'toolwright/adapters';
import { quote } from 'toolwright/internal/light';
import { measureSchema, refuseDeferred, refuseTools } from 'toolwright/internal';

export type MessageTool = Anthropic.Messages.Tool | Anthropic.Messages.ToolSearchToolBm25_20251119;
type CustomTool = Anthropic.Messages.Tool;

/** The provider's search tool, with which the model finds deferred tools. */
const SEARCH = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const;

/** The tools of a request: the same input yields the same bytes. */
export interface OfferedTools {
  schemas(options?: SchemaOptions): readonly ToolSchema[];
  readonly examples?: ModelRequest['toolExamples'];
}

/** Options of the tools of a request. */
export interface ToolModes {
  readonly strict: boolean;
  /** Returns true for tools that the model is shown later. */
  readonly isDeferred: (tool: ToolSchema) => boolean;
  /** True if messages offer deferred tools; otherwise the model finds them by searching, which would also open closed sections. */
  readonly toolChanges?: boolean | undefined;
  readonly inputExamples?: boolean | undefined;
}

const LEGAL_PROPERTY = /^[a-zA-Z0-9_.-]{1,64}$/;

/** Limits for all strict tools of a request together. */
const STRICT_LIMITS = { tools: 20, optionalProperties: 24, unions: 16 } as const;

/** The provider does not document limits, but each description is part of every request. */
const LIMITS = { count: Infinity, description: Infinity, problems: findPropertyProblems } as const;

/**
 * Writes the tools of a request, after checking the provider's limits (docs/contract.md, 2). In strict mode, a tool that would
 * exceed the provider's limits for compilation is sent without strict mode.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeMessageTools(
  adapter: string,
  offered: OfferedTools,
  { strict, isDeferred, toolChanges = false, inputExamples = false }: ToolModes,
): readonly MessageTool[] {
  const schemas = strict ? limitStrictTools(offered) : offered.schemas();
  refuseTools(adapter, schemas, LIMITS);
  refuseDeferred(adapter, schemas.filter(isDeferred));
  const tools = schemas.map((schema): CustomTool => {
    const { name, description, parameters, strict: isStrict } = schema;
    const examples = inputExamples ? (offered.examples?.(name) ?? []) : [];
    return {
      name,
      description,
      input_schema: parameters as CustomTool['input_schema'],
      ...(isStrict ? { strict: true } : {}),
      ...(isDeferred(schema) ? { defer_loading: true } : {}),
      ...(examples.length === 0 ? {} : { input_examples: [...examples] }),
    };
  });
  return !toolChanges && tools.some((tool) => tool.defer_loading === true) ? [{ ...SEARCH }, ...tools] : tools;
}

/** Keeps tools strict, in their order, as long as the limits allow. */
function limitStrictTools(offered: OfferedTools): readonly ToolSchema[] {
  const plain = offered.schemas();
  const used = { tools: 0, optionalProperties: 0, unions: 0 };
  return offered.schemas({ strict: true }).map((schema, index) => {
    if (!schema.strict) return schema;
    const { optionalProperties, unions } = measureSchema(schema.parameters);
    const sum = {
      tools: used.tools + 1,
      optionalProperties: used.optionalProperties + optionalProperties,
      unions: used.unions + unions,
    };
    const fits = Object.entries(STRICT_LIMITS).every(([what, limit]) => sum[what as keyof typeof sum] <= limit);
    if (!fits) return plain[index] ?? schema;
    Object.assign(used, sum);
    return schema;
  });
}

/** Finds names of parameters that make the provider refuse the whole request. */
function findPropertyProblems({ name, parameters }: ToolSchema): readonly string[] {
  return Object.keys(parameters['properties'] ?? {})
    .filter((property) => !LEGAL_PROPERTY.test(property))
    .map(
      (property) =>
        `the parameter ${quote(property, 100)} of ${quote(name)} is not made of 1 to 64 of a-z, A-Z, 0-9, _, . and -`,
    );
}
