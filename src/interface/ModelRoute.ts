import type { FailedRequest } from '../error/createFallbackError.js';
import type { ProviderFailure } from '../error/ProviderFailure.js';
import type { ModelAdapter, ModelResponse } from './ModelAdapter.js';

/** Decides which of several adapters gets the requests of a run. Made by `fallback`. */
export interface ModelRoute {
  /** All adapters, the preferred one first. */
  readonly adapters: readonly ModelAdapter[];
  /** How often a throttled request is repeated before another adapter gets it. */
  readonly retries: number;
  /**
   * Returns the adapter with which a run begins.
   *
   * @param current the name of the adapter that the conversation went to last, which is kept while its circuit is closed; undefined for
   * a new conversation
   */
  choose(current: string | undefined): ModelAdapter;
  /**
   * Returns the adapter that gets a request after others failed; undefined if none is left whose circuit is closed.
   *
   * @param tried the names of the adapters that failed
   */
  next(tried: ReadonlySet<string>): ModelAdapter | undefined;
  /**
   * Sends a request to an adapter, unless its circuit is open, and counts how it ends.
   *
   * @throws PromptEvaluationError E757 if the circuit is open; errors of `send`, unchanged
   */
  ask<T>(adapter: ModelAdapter, send: () => Promise<T>): Promise<T>;
  /** Returns why another adapter may get the request; undefined if the error ends the run. */
  readFailure(error: unknown): ProviderFailure | undefined;
  /** Returns why another adapter may get the request although there is an answer; undefined if the answer counts. */
  readRefusal(response: ModelResponse): ProviderFailure | undefined;
  /** Lists the adapters that were not tried because their circuits are open, with the failure that opened each. */
  listOpen(tried: ReadonlySet<string>): readonly FailedRequest[];
}
