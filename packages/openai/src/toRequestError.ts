import { PromptEvaluationError } from 'toolwright';
import { isRecord } from 'toolwright/internal/light';

/**
 * Returns the error of a failed request. If the host does not know the item that adds tools, the error gets a remedy; any other
 * error is returned unchanged.
 *
 * @param adapter the name that the error shows
 * @param input the items of the request
 */
export function toRequestError(adapter: string, input: unknown, error: unknown): unknown {
  if (!(error instanceof PromptEvaluationError) || error.phase !== 'request') return error;
  const { cause } = error;
  const isBad = isRecord(cause) && (cause['status'] === 400 || cause['status'] === 422);
  if (!isBad || !isItemRefused(error.message, Array.isArray(input) ? input : [])) return error;
  return new PromptEvaluationError(
    `${adapter} may not take tools in the middle of a conversation (additional_tools): ${error.message}`,
    {
      phase: 'request',
      remedy: 'Create the adapter with additionalTools: false, and begin a new conversation.',
      cause,
    },
  );
}

/** Returns true if the host complains about such an item, by its name or by its position. */
function isItemRefused(message: string, input: readonly unknown[]): boolean {
  const isAdding = (item: unknown): boolean => isRecord(item) && item['type'] === 'additional_tools';
  if (!input.some(isAdding)) return false;
  const [, place] = /\binput[[.](\d+)/.exec(message) ?? [];
  return message.includes('additional_tools') || (place !== undefined && isAdding(input[Number(place)]));
}
