import { brand, hasBrand } from '../common/brand.js';
import { PromptEvaluationError } from './PromptError.js';

/** Why a provider did not answer now. */
export type ThrottleKind = 'rate_limit' | 'overloaded' | 'quota_exhausted' | 'connection' | 'unknown';

/** What an adapter knows of it. */
export interface ThrottleDetails {
  readonly kind: ThrottleKind;
  /** Seconds that the provider asks to wait, as in its header `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** False when repeating the request cannot help, or would not be safe; true when left out. */
  readonly retrySafe?: boolean | undefined;
  readonly remedy?: string | undefined;
  readonly cause?: unknown;
}

/** A provider that would answer later; the loop waits and asks again a few times (docs/contract.md, 16). */
export class ThrottleError extends PromptEvaluationError {
  readonly kind: ThrottleKind;
  readonly retryAfter: number | undefined;
  readonly retrySafe: boolean;

  constructor(problem: string, { kind, retryAfter, retrySafe = true, remedy, cause }: ThrottleDetails) {
    super(problem, { phase: 'request', code: 'E705', remedy, cause });
    this.kind = kind;
    this.retryAfter = retryAfter;
    this.retrySafe = retrySafe;
  }

  static override is(this: void, value: unknown): value is ThrottleError {
    return hasBrand(value, 'ThrottleError');
  }
}
brand(ThrottleError, 'ThrottleError');
