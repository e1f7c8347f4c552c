import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';

/**
 * Reads an answer that comes in parts, one at a time: the next is asked for when the last one has been told.
 *
 * @param adapter the name that the error shows
 * @param tell hears of each text
 * @throws PromptEvaluationError E702 when it ends without the whole answer, and what `parts` and `tell` throw
 */
export async function readParts(
  adapter: string,
  parts: AsyncIterable<ModelPart>,
  tell: (text: string) => Promise<void>,
): Promise<ModelResponse> {
  for await (const part of parts) {
    if (part.kind === 'response') return part.response;
    if (part.text !== '') await tell(part.text);
  }
  throw new PromptEvaluationError(`The stream of ${adapter} ended without its answer.`, {
    phase: 'response',
    code: 'E702',
    remedy: 'The last part that an adapter streams holds the whole response.',
  });
}
