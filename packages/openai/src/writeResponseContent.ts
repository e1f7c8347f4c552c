import type { OpenAI } from 'openai';
import type { ContentPart } from 'toolwright';
import type { ContentErrors } from './createContentErrors.js';
import { readAddress, readFileName, findResponseProblem } from './mediaParts.js';

type InputContent = OpenAI.Responses.ResponseInputContent;

/**
 * Writes the content of a message, or of a tool's result, for a Responses request: plain text as text, parts as a list.
 *
 * @throws PromptEvaluationError with phase `request` for content that the API does not take
 */
export function writeResponseContent(
  text: string,
  parts: readonly ContentPart[] | undefined,
  refuse: ContentErrors,
): string | InputContent[] {
  if (parts === undefined || parts.length === 0) return text;
  const first: InputContent[] = text === '' ? [] : [{ type: 'input_text', text }];
  return [...first, ...parts.map((part) => writeInputPart(part, refuse))];
}

function writeInputPart(part: ContentPart, refuse: ContentErrors): InputContent {
  const problem = part.kind === 'text' ? undefined : findResponseProblem(part);
  if (problem !== undefined) throw refuse(problem);
  switch (part.kind) {
    case 'text':
      return { type: 'input_text', text: part.text };
    case 'image':
      return { type: 'input_image', image_url: readAddress(part), detail: 'auto' };
    case 'file':
      return part.url === undefined
        ? { type: 'input_file', filename: readFileName(part), file_data: readAddress(part) }
        : { type: 'input_file', file_url: part.url };
    case 'audio':
      throw refuse('with audio');
  }
}
