import { PromptEvaluationError } from 'toolwright';
import { formatMessage } from 'toolwright/internal/light';

interface FaultDetails {
  /** The store, its file, or a conversation. */
  readonly place: string;
  readonly remedy: string;
  readonly cause?: unknown;
}

/** Creates the error E709 for a log or record that cannot be read, written or used in this way. */
export function createStoreError(problem: string, { place, remedy, cause }: FaultDetails): PromptEvaluationError {
  return new PromptEvaluationError(formatMessage(problem, { code: 'E709', place, remedy }), {
    phase: 'tool',
    code: 'E709',
    place,
    remedy,
    cause,
  });
}
