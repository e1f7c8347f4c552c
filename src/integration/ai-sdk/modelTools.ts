import type { ModelRequest, SchemaTarget, ToolSchema } from '../../interface/ModelAdapter.js';
import { refuseTools, type ToolLimits } from '../../provider/refuseTools.js';
import type { AiFunctionTool, AiJson, AiProviderOptions } from './AiLanguageModel.js';

/** Options of the tools of a request. */
export interface ToolModes {
  readonly target: SchemaTarget;
  readonly strict: boolean;
  /** True to send the inputs of their examples. */
  readonly inputExamples: boolean;
  readonly limits: ToolLimits;
  /** Returns the provider options of a tool. */
  readonly optionsOf: (tool: ToolSchema) => AiProviderOptions | undefined;
}

/**
 * Writes the tools of a request, after checking the provider's limits (docs/contract.md, 2).
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
