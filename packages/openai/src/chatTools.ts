import type { OpenAI } from 'openai';
import type { ToolSchema } from 'toolwright/adapters';
import { refuseTools } from 'toolwright/internal';
import { toolLimits } from './toolLimits.js';

type ChatTool = OpenAI.Chat.Completions.ChatCompletionFunctionTool;

/**
 * Writes the tools of a request, after checking the provider's limits (docs/contract.md, 2).
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every limit that is exceeded
 */
export function chatTools(adapter: string, schemas: readonly ToolSchema[]): ChatTool[] {
  refuseTools(adapter, schemas, toolLimits);
  return schemas.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    function: { name, description, parameters, strict },
  }));
}
