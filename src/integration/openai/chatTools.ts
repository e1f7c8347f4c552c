import type { OpenAI } from 'openai';
import { listed, quote } from '../../common/text.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ToolSchema } from '../../interface/ModelAdapter.js';

type ChatTool = OpenAI.Chat.Completions.ChatCompletionFunctionTool;

const MOST_TOOLS = 128;
const LONGEST_NAME = 64;
const LONGEST_DESCRIPTION = 1_024;

/**
 * Writes the tools of a request, after a look at the provider's limits (runtime contract, 2): it would answer 400 for the
 * whole request, and name a position in place of the tool.
 *
 * @param adapter the name that the error shows
 * @throws PromptEvaluationError with phase `request`, naming every limit that is exceeded
 */
export function chatTools(adapter: string, schemas: readonly ToolSchema[]): ChatTool[] {
  const problems = [
    ...(schemas.length > MOST_TOOLS
      ? [`${String(schemas.length)} tools are offered, and at most ${String(MOST_TOOLS)} are possible`]
      : []),
    ...schemas.flatMap(toolProblems),
  ];
  if (problems.length > 0) {
    throw new PromptEvaluationError(`${adapter} would refuse the request: ${listed(problems, 5)}.`, {
      phase: 'request',
      remedy: 'Summarise or disable sections to offer fewer tools; shorten names and descriptions.',
    });
  }
  return schemas.map(({ name, description, parameters, strict }) => ({
    type: 'function',
    function: { name, description, parameters, strict },
  }));
}

function toolProblems({ name, description }: ToolSchema): readonly string[] {
  const length = description.length;
  return [
    ...(name.length > LONGEST_NAME
      ? [
          `the tool name ${quote(name, 100)} has ${String(name.length)} characters, at most ${String(LONGEST_NAME)} are possible`,
        ]
      : []),
    ...(/^[a-zA-Z0-9_-]+$/.test(name)
      ? []
      : [`the tool name ${quote(name)} is not made of a-z, A-Z, 0-9, _ and - only`]),
    ...(length > LONGEST_DESCRIPTION
      ? [
          `the description of ${quote(name)} has ${String(length)} characters, at most ${String(LONGEST_DESCRIPTION)} are possible`,
        ]
      : []),
  ];
}
