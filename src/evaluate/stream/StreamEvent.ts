import type { RunStep } from '../../interface/RunStep.js';
import type { PromptResponse } from '../RunOptions.js';

/**
 * An event of `app.stream`: a step of the run, or as the last one the response that `app.evaluate` would have returned. `T` is
 * the type of its parsed answer.
 */
export type StreamEvent<T = unknown> = RunStep | { readonly kind: 'done'; readonly response: PromptResponse<T> };
