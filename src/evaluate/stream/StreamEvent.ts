import type { RunStep } from '../../interface/RunStep.js';
import type { PromptResponse } from '../RunOptions.js';

/**
 * What `app.stream` yields: the steps of a run, and at the end the response that `app.evaluate` would have given. `T` is the form
 * of its answer.
 */
export type StreamEvent<T = unknown> = RunStep | { readonly kind: 'done'; readonly response: PromptResponse<T> };
