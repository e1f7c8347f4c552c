import type { CircuitBreakerPolicy } from 'cockatiel';
import { LatePackage } from '../../common/LatePackage.js';
import { messageOf } from '../../common/text.js';
import type { FailedRequest } from '../../error/createFallbackError.js';
import { PromptEvaluationError } from '../../error/PromptError.js';
import type { ProviderFailure } from '../../error/ProviderFailure.js';
import { ThrottleError } from '../../error/ThrottleError.js';
import type { ModelAdapter } from '../../interface/ModelAdapter.js';

const cockatiel = new LatePackage('cockatiel', () => import('cockatiel'));

/** When a circuit opens, and for how long. */
export interface CircuitOptions {
  /** The number of failed requests in a row that open it, each with its repetitions; 3 by default. */
  readonly failures?: number | undefined;
  /** How long it stays open, in milliseconds; 30,000 by default. Then one request tests the provider. */
  readonly openMs?: number | undefined;
}

type CircuitLimits = { readonly [K in keyof CircuitOptions]-?: number };

/**
 * Counts the failed requests to one adapter. After a few in a row it is open, and the adapter gets no requests for a while: runs do not
 * wait for a provider that is known to be down.
 */
export class Circuit {
  readonly adapter: ModelAdapter;
  readonly #options: CircuitLimits;
  #policy: CircuitBreakerPolicy | undefined;
  /** Milliseconds since 1970; 0 before it has opened. */
  #openedAt = 0;
  #last: FailedRequest | undefined;

  constructor(adapter: ModelAdapter, options: CircuitLimits) {
    this.adapter = adapter;
    this.#options = options;
  }

  /** True if the adapter may get a request: the circuit is closed, or it has been open for long enough to be tested. */
  get isAvailable(): boolean {
    if (this.#policy === undefined) return true;
    const { state } = this.#policy;
    const { Closed, Open } = cockatiel.get().CircuitState;
    return state === Closed || (state === Open && Date.now() - this.#openedAt >= this.#options.openMs);
  }

  /** Why it gets no request; undefined if nothing has opened it. */
  get opening(): FailedRequest | undefined {
    return this.#last && { ...this.#last, error: createOpenError(this.#last) };
  }

  /** @throws PromptEvaluationError E757 while it is open; errors of `send`, unchanged */
  async run<T>(send: () => Promise<T>): Promise<T> {
    const policy = (this.#policy ??= await this.#create());
    try {
      return await policy.execute(send);
    } catch (error) {
      if (this.#last === undefined || !cockatiel.get().isBrokenCircuitError(error)) throw error;
      throw createOpenError(this.#last);
    }
  }

  async #create(): Promise<CircuitBreakerPolicy> {
    // In a bundle, this is the copy that it contains.
    await cockatiel.load();
    const { circuitBreaker, ConsecutiveBreaker, handleWhen } = cockatiel.get();
    const { failures, openMs } = this.#options;
    const policy = circuitBreaker(
      handleWhen((error) => readProviderFault(error) !== undefined),
      { halfOpenAfter: openMs, breaker: new ConsecutiveBreaker(failures) },
    );
    policy.onBreak((reason) => {
      this.#openedAt = Date.now();
      const error = 'error' in reason ? reason.error : undefined;
      this.#last = { adapter: this.adapter.name, failure: readProviderFault(error) ?? 'down', error };
    });
    // Two requests may have waited for the package.
    return (this.#policy ??= policy);
  }
}

function createOpenError({ adapter, error, failure }: FailedRequest): PromptEvaluationError {
  const problem = `${adapter} was not asked: its circuit is open after ${messageOf(error)}`;
  return new PromptEvaluationError(problem, { phase: 'request', code: 'E757', failure, cause: error });
}

/** Returns how a provider failed; undefined if it answered, or refused only this request: others may succeed. */
function readProviderFault(error: unknown): ProviderFailure | undefined {
  if (!(error instanceof PromptEvaluationError)) return undefined;
  const { failure } = error;
  const isItsFault = error instanceof ThrottleError || failure === 'auth' || failure === 'down';
  return isItsFault ? failure : undefined;
}
