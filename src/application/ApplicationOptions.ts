import type { Constructor } from '../common/types.js';
import type { RedactHook } from '../dispatch/Redaction.js';
import type { EventBus } from '../event/EventBus.js';
import type { Approver } from '../interface/Approver.js';
import type { Clock } from '../interface/Clock.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import type { IdSource } from '../interface/IdSource.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { Logger } from '../interface/Logger.js';
import type { OverridesStore } from '../interface/OverridesStore.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { TokenEstimator } from '../interface/TokenEstimator.js';

/** Bounds that hold for every run. */
export interface Limits {
  /** Milliseconds that the calls of one turn may take together; ten minutes when left out. */
  readonly turnMs?: number | undefined;
  /** Characters of a tool's value that the model reads; 100,000 when left out. Events hold the whole value. */
  readonly resultChars?: number | undefined;
  /** Milliseconds that a policy may take for one answer; 30 seconds when left out. One that takes longer denies. */
  readonly policyMs?: number | undefined;
}

/** What an application is made of; only `prompts` is needed. */
export interface ApplicationOptions {
  readonly prompts: readonly Constructor[];
  /** Builds the section and tool classes; a plain `new` once per class when left out. */
  readonly container?: ContainerAdapter | undefined;
  /** What is opened, and rolled back, with tool calls; made with `bind`. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** `snake_case` derives the names that the model uses: `orderId` → `order_id`. */
  readonly fieldNames?: 'as-is' | 'snake_case' | undefined;
  /** Takes lossless conversions in arguments: numeric strings, `"true"`, a scalar for a one-item array. Off by default. */
  readonly coerce?: boolean | undefined;
  readonly limits?: Limits | undefined;
  /** Where texts of prompts are kept that renderings show in place of the declared ones. Read at each rendering. */
  readonly overrides?: OverridesStore | undefined;
  /**
   * Estimates what opening summarised sections costs; `approximateTokens` when left out. `gptTokens()` of `toolwright/tokens`
   * counts exactly.
   */
  readonly tokenEstimator?: TokenEstimator | undefined;
  /** Asked about calls of tools that require an approval; without one, those calls are denied. */
  readonly approver?: Approver | undefined;
  /** Stand around runs, requests and handlers; the first is outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Numbers from 0 up to 1, by which waiting between attempts varies; `Math.random` when left out. */
  readonly random?: (() => number) | undefined;
  readonly clock?: Clock | undefined;
  readonly ids?: IdSource | undefined;
  /** Warnings and errors go to the console when left out. */
  readonly logger?: Logger | undefined;
  readonly eventBus?: EventBus | undefined;
  /**
   * Takes out of a text what must not be kept, such as keys and tokens. Applied to every text in events, logs and
   * transcripts; the model and the handlers see the texts as they are.
   */
  readonly redact?: RedactHook | undefined;
}
