import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ModelPart, ModelResponse } from '../../interface/ModelAdapter.js';

/**
 * Reads an answer in parts, one at a time: the next is requested when `emit` has resolved for the last one.
 *
 * @param adapter the name that the error shows
 * @param emit receives each text
 * @throws PromptEvaluationError E702 if it ends without the whole answer, and what `parts` and `emit` throw
 */
export async function readParts(
  adapter: string,
  parts: AsyncIterable<ModelPart>,
  emit: (text: string) => Promise<void>,
): Promise<ModelResponse> {
  for await (const part of parts) {
    if (part.kind === 'response') return part.response;
    if (part.text !== '') await emit(part.text);
  }
  throw new PromptEvaluationError(`The stream of ${adapter} ended without its answer.`, {
    phase: 'response',
    code: 'E702',
    remedy: 'The last part that an adapter streams holds the whole response.',
  });
}
