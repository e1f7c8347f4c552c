import type { ModelRequest, SchemaTarget, ToolSchema } from '../../interface/ModelAdapter.js';
import { refuseTools, type ToolLimits } from '../../provider/refuseTools.js';
import type { AiFunctionTool, AiJson, AiProviderOptions } from './AiLanguageModel.js';

/** How the tools of a request are offered. */
export interface ToolModes {
  readonly target: SchemaTarget;
  readonly strict: boolean;
  /** Whether the inputs of their examples go along. */
  readonly inputExamples: boolean;
  readonly limits: ToolLimits;
  /** What the provider is told of single tools. */
  readonly optionsOf: (tool: ToolSchema) => AiProviderOptions | undefined;
}

/**
 * Writes the tools of a request, after a look at the provider's limits (docs/contract.md, 2).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every limit that is exceeded
 */
export function modelTools(
  adapter: string,
  request: Pick<ModelRequest, 'toolSchemas' | 'toolExamples'>,
  { target, strict, inputExamples, limits, optionsOf }: ToolModes,
): AiFunctionTool[] {
  const schemas = request.toolSchemas(target, { strict });
  refuseTools(adapter, schemas, limits);
  return schemas.map((schema) => {
    const { name, description, parameters, strict: isStrict } = schema;
    const providerOptions = optionsOf(schema);
    const examples = inputExamples ? (request.toolExamples?.(name) ?? []) : [];
    return {
      type: 'function',
      name,
      description,
      inputSchema: { ...parameters },
      ...(examples.length === 0
        ? {}
        : { inputExamples: examples.map((input) => ({ input: input as Record<string, AiJson> })) }),
      ...(isStrict ? { strict: true } : {}),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    };
  });
}
