import { setTimeout as sleep } from 'node:timers/promises';
import type { InterceptedRun, Interceptor } from 'toolwright/policies';
import { type OptionNames, requireOptionNames } from 'toolwright/internal';

/** A limiter that processes share, such as rate-limiter-flexible over PostgreSQL or Redis. */
export interface SharedLimiter {
  /** Takes one request of a key. Rejects with `msBeforeNext` if none is left now. */
  consume(key: string): Promise<unknown>;
}

/** Options of `limitRequests`. */
export interface LimitRequestsOptions {
  /** Returns the key by which requests are counted, such as the provider account; the name of the adapter when left out. */
  readonly keyOf?: ((run: InterceptedRun) => string) | undefined;
}

const optionNames: OptionNames<LimitRequestsOptions> = { keyOf: 1 };
/** The share by which waits vary, so that processes do not ask again at the same moment. */
const SPREAD = 0.2;

/**
 * Returns an interceptor that keeps the requests of all processes to a provider within a limit. A request waits until the limit allows
 * it, or until its run ends. If the limiter cannot be reached, requests are not limited, because the provider has its own limits.
 *
 * @throws PromptError E413 for an unknown option
 * @example
 * const limiter = new RateLimiterPostgres({ storeClient: pool, points: 500, duration: 60, keyPrefix: 'models' });
 * const app = await createApplication({ prompts, interceptors: [limitRequests(limiter)] });
 */
export function limitRequests(limiter: SharedLimiter, options: LimitRequestsOptions = {}): Interceptor {
  requireOptionNames('limitRequests', options, optionNames);
  const keyOf = options.keyOf ?? ((run: InterceptedRun): string => run.adapter);
  return {
    async aroundModel({ run, request }, next) {
      const key = keyOf(run);
      for (let wait = await waitOf(limiter, key); wait > 0; wait = await waitOf(limiter, key))
        await sleep(wait * (1 + SPREAD * Math.random()), undefined, { signal: request.signal });
      return next();
    },
  };
}

/** Takes a request. Returns 0 on success, or else the milliseconds until the next attempt. */
async function waitOf(limiter: SharedLimiter, key: string): Promise<number> {
  try {
    await limiter.consume(key);
    return 0;
  } catch (refusal) {
    const { msBeforeNext } = (refusal ?? {}) as { readonly msBeforeNext?: unknown };
    return typeof msBeforeNext === 'number' ? Math.max(1, msBeforeNext) : 0;
  }
}
