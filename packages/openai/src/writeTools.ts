import type { OpenAI } from 'openai';
import type { ToolSchema } from 'toolwright/adapters';
import { refuseTools } from 'toolwright/internal';

type ResponseTool = OpenAI.Responses.FunctionTool | OpenAI.Responses.ToolSearchTool;

/** The tools of a request that have to do with a search. */
export interface SearchedTools {
  /** Returns true for tools that the provider's search finds; none when left out. */
  readonly isDeferred?: ((tool: ToolSchema) => boolean) | undefined;
  /** The name of the tool that is declared as the provider's own search; none when left out. */
  readonly search?: string | undefined;
}

/**
 * Writes the tools of a Responses request, after checking the provider's limits (docs/contract.md, 2). If a tool is deferred, adds
 * the provider's search tool, with which the model finds it.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every exceeded limit
 */
export function writeResponseTools(
  adapter: string,
  schemas: readonly ToolSchema[],
  { isDeferred = () => false, search }: SearchedTools = {},
): ResponseTool[] {
  refuseTools(adapter, schemas, toolLimits);
  const tools = schemas.map((schema): ResponseTool => {
    if (schema.name === search) return writeSearchTool(schema);
    return isDeferred(schema) ? { ...writeFunctionTool(schema), defer_loading: true } : writeFunctionTool(schema);
  });
  return schemas.some(isDeferred) ? [...tools, { type: 'tool_search' }] : tools;
}

/** Declares a tool as the provider's own search, whose calls are sent to the client. */
function writeSearchTool({ description, parameters }: ToolSchema): OpenAI.Responses.ToolSearchTool {
  return { type: 'tool_search', execution: 'client', description, parameters: { ...parameters } };
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
