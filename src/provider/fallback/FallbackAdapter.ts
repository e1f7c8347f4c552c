import { DEFAULT_CIRCUIT_FAILURES, DEFAULT_CIRCUIT_OPEN_MS, DEFAULT_FALLBACK_RETRIES } from '../../common/limits.js';
import { createFallbackError, type FailedRequest } from '../../error/createFallbackError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ProviderFailure } from '../../error/ProviderFailure.js';
import type { ModelAdapter, ModelRequest, ModelResponse, ModelRoute } from '../../interface/ModelAdapter.js';
import { Circuit, type CircuitOptions } from './Circuit.js';

/** Options of `fallback`. */
export interface FallbackOptions {
  /**
   * The failures after which the next adapter gets the request; by default, all but `content_policy`: another provider would get content
   * that the first one refused.
   */
  readonly on?: readonly ProviderFailure[] | undefined;
  /** How often a throttled request is repeated before the next adapter gets it; 2 by default. The last adapter gets five attempts. */
  readonly retries?: number | undefined;
  /** When an adapter is left out for a while. */
  readonly circuit?: CircuitOptions | undefined;
}

const DEFAULT_FAILURES: readonly ProviderFailure[] = ['throttled', 'quota', 'auth', 'cut_off', 'down', 'too_long'];

/** Several adapters as one: a request that one of them does not answer goes to the next. */
export class FallbackAdapter implements ModelAdapter, ModelRoute {
  readonly name: string;
  readonly adapters: readonly ModelAdapter[];
  readonly retries: number;
  readonly #circuits: readonly Circuit[];
  readonly #on: ReadonlySet<ProviderFailure | undefined>;

  /** @param adapters with different names, at least one */
  constructor(adapters: readonly ModelAdapter[], options: FallbackOptions) {
    const { on = DEFAULT_FAILURES, retries = DEFAULT_FALLBACK_RETRIES, circuit = {} } = options;
    const { failures = DEFAULT_CIRCUIT_FAILURES, openMs = DEFAULT_CIRCUIT_OPEN_MS } = circuit;
    this.name = `fallback(${adapters.map(({ name }) => name).join(', ')})`;
    this.adapters = Object.freeze([...adapters]);
    this.retries = retries;
    this.#circuits = adapters.map((adapter) => new Circuit(adapter, { failures, openMs }));
    this.#on = new Set(on);
  }

  get route(): ModelRoute {
    return this;
  }

  choose(current: string | undefined): ModelAdapter {
    const [first] = this.adapters as [ModelAdapter];
    const last = this.#circuits.find(({ adapter }) => adapter.name === current);
    if (last?.isAvailable === true) return last.adapter;
    return (this.#circuits.find(({ isAvailable }) => isAvailable) ?? last)?.adapter ?? first;
  }

  next(tried: ReadonlySet<string>): ModelAdapter | undefined {
    return this.#circuits.find(({ adapter, isAvailable }) => isAvailable && !tried.has(adapter.name))?.adapter;
  }

  ask<T>(adapter: ModelAdapter, send: () => Promise<T>): Promise<T> {
    const circuit = this.#circuits.find((each) => each.adapter === adapter);
    return circuit === undefined ? send() : circuit.run(send);
  }

  readFailure(error: unknown): ProviderFailure | undefined {
    const failure = error instanceof PromptEvaluationError ? error.failure : undefined;
    return this.#on.has(failure) ? failure : undefined;
  }

  readRefusal({ finishReason }: ModelResponse): ProviderFailure | undefined {
    const isRefusal = finishReason === 'refusal' || finishReason === 'content_filter';
    return isRefusal && this.#on.has('content_policy') ? 'content_policy' : undefined;
  }

  listOpen(tried: ReadonlySet<string>): readonly FailedRequest[] {
    return this.#circuits.flatMap(({ adapter, isAvailable, opening }) =>
      isAvailable || opening === undefined || tried.has(adapter.name) ? [] : [opening],
    );
  }

  /**
   * Sends one request outside of a run. A run asks its adapters itself, since it records which of them it goes on with.
   *
   * @throws PromptEvaluationError E756 if no adapter answers; errors after which no other adapter is asked, unchanged
   */
  async complete(request: ModelRequest): Promise<ModelResponse> {
    const failed: FailedRequest[] = [];
    const tried = new Set<string>();
    let next: ModelAdapter | undefined = this.choose(undefined);
    while (next !== undefined) {
      const adapter: ModelAdapter = next;
      tried.add(adapter.name);
      try {
        return await this.ask(adapter, () => adapter.complete(request));
      } catch (error) {
        const failure = this.readFailure(error);
        if (failure === undefined) throw error;
        failed.push({ adapter: adapter.name, failure, error });
      }
      next = this.next(tried);
    }
    throw createFallbackError([...failed, ...this.listOpen(tried)]);
  }
}
