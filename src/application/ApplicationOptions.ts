import type { Constructor } from '../common/types.js';
import type { RedactHook } from '../dispatch/redact/SecretRedaction.js';
import type { EventBus } from '../event/EventBus.js';
import type { Approver } from '../interface/Approver.js';
import type { Clock, IdSource, Logger, TokenEstimator } from '../interface/ports.js';
import type { ContainerAdapter } from '../interface/ContainerAdapter.js';
import type { Interceptor } from '../interface/Interceptor.js';
import type { OverridesStore } from '../interface/OverridesStore.js';
import type { ResourceBinding } from '../interface/ResourceBinding.js';
import type { ModelPrice } from '../limit/computeCost.js';
import type { ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';
import type { RepairMode } from '../value/ToolCall.js';

/** Limits of every run. */
export interface Limits {
  /** Milliseconds that the calls of one turn may take together; ten minutes by default. */
  readonly turnMs?: number | undefined;
  /** Characters of a tool's value that the model reads; 100,000 by default. Events hold the whole value. */
  readonly resultChars?: number | undefined;
  /** Total bytes of the parts of one result or message (images, files, audio); 20 MiB by default. */
  readonly partBytes?: number | undefined;
  /** Milliseconds that one call may take, for tools without a shorter `timeoutMs`; unlimited by default. */
  readonly callMs?: number | undefined;
  /** Milliseconds that a policy may take for one decision; 30,000 by default. A slower policy denies the call. */
  readonly policyMs?: number | undefined;
}

/** Options of `createApplication`. Only `prompts` is required. */
export interface ApplicationOptions {
  /** The classes with `@Prompt`. */
  readonly prompts: readonly Constructor[];
  /** Builds the section and tool classes. By default, each class is created once with `new`. */
  readonly container?: ContainerAdapter | undefined;
  /** Resources that tool calls use, and that are rolled back with them. Created with `bind`. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /**
   * How the names that the model uses are derived. `snake_case` turns `orderId` into `order_id`; `as-is` is the
   * default.
   */
  readonly fieldNames?: WireNames | undefined;
  /** Allows lossless conversions of arguments: numeric strings, `"true"`, a scalar for a one-item array. Off by default. */
  readonly coerce?: boolean | undefined;
  /**
   * How to treat arguments that a model wrote almost correctly: with a code fence, a trailing comma, JSON in a string,
   * a single value instead of a list, or numbers and booleans as strings. `off`, the default, refuses them. `on`
   * repairs them, and tells the model and the event. `report` refuses them, and shows the model the corrected arguments
   * (docs/failures.md).
   */
  readonly repair?: RepairMode | undefined;
  /** Limits of turns, calls and texts. */
  readonly limits?: Limits | undefined;
  /**
   * Hides the messages of unexpected errors, such as errors of a database driver, from the model, MCP clients and
   * programs. With true, they read a text with an id of the error. A function returns the text, or undefined for the
   * default text. The log has the same id and the error. `ToolRefusal`, `ToolValidationError` and Nest's
   * `HttpException` are not masked. Off by default.
   *
   * @example
   * maskErrors: (error) => (error instanceof OutOfStock ? error.message : undefined),
   */
  readonly maskErrors?: boolean | ((error: unknown) => string | undefined) | undefined;
  /** The names and descriptions that tools may have; `portable` by default. */
  readonly toolTexts?: ToolTexts | undefined;
  /** The store of texts that renderings show instead of the declared ones. Read at each rendering. */
  readonly overrides?: OverridesStore | undefined;
  /**
   * Estimates the cost of opening summarised sections; `approximateTokens` by default. `gptTokens()` of
   * `@toolwright/openai/tokens` counts exactly.
   */
  readonly tokenEstimator?: TokenEstimator | undefined;
  /** Decides about calls of tools that require an approval. Without an approver, those calls are denied. */
  readonly approver?: Approver | undefined;
  /** Interceptors that wrap runs, requests and handlers. The first one is outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Returns numbers from 0 up to 1, which vary the waiting time between attempts; `Math.random` by default. */
  readonly random?: (() => number) | undefined;
  /** Gives the time of events and deadlines. Replace it in tests. */
  readonly clock?: Clock | undefined;
  /** Creates the ids of events, runs and calls. Replace it in tests. */
  readonly ids?: IdSource | undefined;
  /** The logger. By default, warnings and errors are written to the console. */
  readonly logger?: Logger | undefined;
  /** The prices of models for `response.cost`, by the names of their adapters, such as `openai:gpt-5`. */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /** The bus that publishes events; a bus of this process by default. */
  readonly eventBus?: EventBus | undefined;
  /**
   * Removes secrets, such as keys and tokens, from a text. Applied to every text in events, logs and transcripts. The
   * model and the handlers get the texts unchanged.
   */
  readonly redact?: RedactHook | undefined;
  /**
   * Secrets of at least 32 characters that sign data which leaves the process and comes back, such as questions and
   * pending calls. The first one signs, and all verify: to rotate, put a new one in front. Every process of a
   * deployment needs the same secrets.
   */
  readonly keys?: readonly string[] | undefined;
}

/** The option names of `createApplication`. */
