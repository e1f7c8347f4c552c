import type { OpenAI } from 'openai';
import type { ContentPart } from 'toolwright';
import type { RefusedContent } from 'toolwright/internal';
import { addressOf, fileName } from './contentSource.js';
import { responseProblem } from './mediaProblems.js';

type InputContent = OpenAI.Responses.ResponseInputContent;

/**
 * Writes the content of a message, or of a tool's result, for a Responses request: text alone as text, parts as a list.
 *
 * @throws PromptEvaluationError with phase `request` for content that the API does not take
 */
export function responseContent(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: RefusedContent,
): string | InputContent[] {
  if (parts === undefined || parts.length === 0) return text;
  const first: InputContent[] = text === '' ? [] : [{ type: 'input_text', text }];
  return [...first, ...parts.map((part) => inputPart(part, refuse))];
}

function inputPart(part: ContentPart, refuse: RefusedContent): InputContent {
  const problem = part.kind === 'text' ? undefined : responseProblem(part);
  if (problem !== undefined) throw refuse(problem);
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', image_url: addressOf(part), detail: 'auto' };
    case 'file':
      return part.url === undefined
        ? { type: 'input_file', filename: fileName(part), file_data: addressOf(part) }
        : { type: 'input_file', file_url: part.url };
    case 'audio':
      throw refuse('with audio');
  }
}
