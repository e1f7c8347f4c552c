import { brand } from '../common/brand.js';
import { PromptEvaluationError } from './PromptError.js';
import type { ProviderFailure } from './ProviderFailure.js';

/** The reason why a provider did not answer. */
export type ThrottleKind = 'rate_limit' | 'overloaded' | 'quota_exhausted' | 'connection' | 'unknown';

/** Details of a throttled request, provided by an adapter. */
export interface ThrottleDetails {
  /** `unknown` by default, and for any other value. */
  readonly kind?: ThrottleKind | undefined;
  /** Seconds to wait, as the provider asks in its header `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** False if repeating the request cannot help, or would not be safe; true by default. */
  readonly retrySafe?: boolean | undefined;
  /** By default, the one that follows from `kind`. */
  readonly failure?: ProviderFailure | undefined;
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** A record, so that the compiler asks for every kind. */
const FAILURES: Readonly<Record<ThrottleKind, ProviderFailure>> = {
  rate_limit: 'throttled',
  overloaded: 'down',
  quota_exhausted: 'quota',
  connection: 'down',
  unknown: 'throttled',
};

/** A temporary failure of a provider. The loop waits and tries again a few times (docs/contract.md, 16). */
export class ThrottleError extends PromptEvaluationError {
  readonly kind: ThrottleKind;
  readonly retryAfter: number | undefined;
  readonly retrySafe: boolean;

  constructor(problem: string, details: ThrottleDetails = {}) {
    const { kind: given = 'unknown', retryAfter, retrySafe = true, remedy, cause } = details;
    // Adapters without types may pass a kind of their own: the request is repeated and handed over as for any other throttling.
    const kind = Object.hasOwn(FAILURES, given) ? given : 'unknown';
    const { failure = FAILURES[kind] } = details;
    super(problem, { phase: 'request', code: 'E705', failure, remedy, cause });
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.retrySafe = retrySafe;
  }
}
brand(ThrottleError, 'ThrottleError');
