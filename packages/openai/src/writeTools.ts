import type { OpenAI } from 'openai';
import type { ToolSchema } from 'toolwright/adapters';
import { refuseTools } from 'toolwright/internal';

type ResponseTool = OpenAI.Responses.FunctionTool | OpenAI.Responses.ToolSearchTool;

/**
 * Writes the tools of a Responses request, after checking the provider's limits (docs/contract.md, 2). If a tool is deferred, adds
 * the provider's search tool, with which the model finds it.
 *
 * @param adapter the name that the error shows
 * @param isDeferred returns true for tools that are found by searching
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeResponseTools(
  adapter: string,
  schemas: readonly ToolSchema[],
  isDeferred: (tool: ToolSchema) => boolean,
): ResponseTool[] {
  refuseTools(adapter, schemas, toolLimits);
  const tools = schemas.map((schema): OpenAI.Responses.FunctionTool => {
    return isDeferred(schema) ? { ...writeFunctionTool(schema), defer_loading: true } : writeFunctionTool(schema);
  });
  return tools.some((tool) => tool.defer_loading === true) ? [...tools, { type: 'tool_search' }] : tools;
}

/** Writes one tool. `strict` is always set, since this API defaults to true. */
export function writeFunctionTool({
  name,
  description,
  parameters,
  strict,
}: ToolSchema): OpenAI.Responses.FunctionTool {
  return { type: 'function', name, description, parameters: { ...parameters }, strict };
}

/** The provider's limits for functions, in both of its APIs. */
export const toolLimits = { count: 128, description: 1_024 } as const;

type ChatTool = OpenAI.Chat.Completions.ChatCompletionFunctionTool;

/**
 * Writes the tools of a request, after checking the provider's limits (docs/contract.md, 2).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeChatTools(adapter: string, schemas: readonly ToolSchema[]): ChatTool[] {
  refuseTools(adapter, schemas, toolLimits);
  return schemas.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    function: { name, description, parameters, strict },
  }));
}
