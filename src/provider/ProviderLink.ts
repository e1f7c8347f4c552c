import { type Fields, isObject } from '../common/guards.js';
import { ThrottleError } from '../error/ThrottleError.js';
import type { ToolwrightError } from '../error/ToolwrightError.js';
import type { ModelPart } from '../interface/ModelAdapter.js';
import { createRequestError, createStreamError } from './createRequestError.js';

/**
 * The requests of one adapter to its provider. Every failure is thrown as an error of Toolwright without the key, or as
 * the reason of the request's signal if that is aborted (docs/contract.md, 16).
 */
export class ProviderLink {
  readonly #name: string;
  readonly #key: unknown;

  /** @param key the key in use, which is removed from errors */
  constructor(name: string, key: unknown) {
    this.#name = name;
    this.#key = key;
  }

  /** @throws ThrottleError, PromptEvaluationError, or the signal's reason */
  async send<T>(signal: AbortSignal, ask: () => PromiseLike<T>): Promise<T> {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (cause) {
      // By this reason, the loop distinguishes a passed deadline from an abort by the caller.
      if (signal.aborted) throw signal.reason;
      throw createRequestError(this.#name, cause, this.#key);
    }
  }

  /**
   * Reads an answer in parts.
   *
   * @param add takes one chunk, and returns the parts that it adds to the answer
   * @throws ThrottleError if the connection is lost, PromptEvaluationError, or the signal's reason
   */
  async *parts(
    signal: AbortSignal,
    sent: unknown,
    add: (chunk: unknown) => readonly ModelPart[],
  ): AsyncGenerator<ModelPart, void> {
    try {
      // A wrapper around a client may still answer in one piece.
      for await (const chunk of isStream(sent) ? sent : [sent]) yield* add(chunk);
    } catch (cause) {
      throw signal.aborted ? signal.reason : createStreamError(this.#name, cause, this.#key);
    }
    // Clients end an aborted stream as if it were complete.
    signal.throwIfAborted();
  }

  /** Returns the error for a response with status 200 that holds an error instead of an answer. */
  createFailure(said: Fields): ToolwrightError {
    const { code, message } = said;
    return createRequestError(this.#name, { error: said, code, message }, this.#key);
  }

  /** Returns the error for an answer that stopped before it was complete. */
  createBrokenOffError(): ThrottleError {
    const problem = `${this.#name} broke off its answer without saying why.`;
    return new ThrottleError(problem, { kind: 'connection', failure: 'cut_off' });
  }
}

function isStream(sent: unknown): sent is AsyncIterable<unknown> {
  return isObject(sent) && Symbol.asyncIterator in sent;
}
