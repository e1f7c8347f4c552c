import { messageOf } from '../common/text.js';
import { PromptEvaluationError } from './PromptError.js';
import type { ProviderFailure } from './ProviderFailure.js';

/** A request that an adapter did not answer. */
export interface FailedRequest {
  /** The name of the adapter. */
  readonly adapter: string;
  readonly failure: ProviderFailure;
  readonly error: unknown;
}

/** Creates the error for a request that no adapter of `fallback` answered. Its message names each cause, and `cause` holds the errors. */
export function createFallbackError(failed: readonly FailedRequest[]): PromptEvaluationError {
  const causes = failed.map(({ adapter, failure, error }) => `${adapter} (${failure}): ${messageOf(error)}`);
  const problem = `No adapter of fallback answered. ${causes.join(' | ')}`;
  const errors = failed.map(({ error }) => error);
  return new PromptEvaluationError(problem, {
    phase: 'request',
    code: 'E756',
    failure: failed[0]?.failure,
    cause: new AggregateError(errors, 'Each adapter of fallback failed.'),
  });
}
