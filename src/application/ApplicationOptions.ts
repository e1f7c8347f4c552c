import type { Constructor } from '../common/types.js';
import type { RedactHook } from '../dispatch/redact/SecretRedaction.js';
import type { OptionNames } from '../error/optionNames.js';
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
  /** Milliseconds that the calls of one turn may take together; ten minutes when left out. */
  readonly turnMs?: number | undefined;
  /** Characters of a tool's value that the model reads; 100,000 when left out. Events hold the whole value. */
  readonly resultChars?: number | undefined;
  /** Bytes that the parts of one result, or of one message, have together: images, files, audio; 20 MiB when left out. */
  readonly partBytes?: number | undefined;
  /** Milliseconds that one call may take, for tools without a nearer `timeoutMs`; unlimited when left out. */
  readonly callMs?: number | undefined;
  /** Milliseconds that a policy may take for one decision; 30,000 when left out. One that takes longer denies. */
  readonly policyMs?: number | undefined;
}

/** Options of `createApplication`; only `prompts` is required. */
export interface ApplicationOptions {
  /** The classes with `@Prompt`. */
  readonly prompts: readonly Constructor[];
  /** Builds the section and tool classes; a plain `new` once per class when left out. */
  readonly container?: ContainerAdapter | undefined;
  /** Resources that tool calls use, and that are rolled back with them; made with `bind`. */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /** `snake_case` derives the names that the model uses: `orderId` → `order_id`; `as-is` when left out. */
  readonly fieldNames?: WireNames | undefined;
  /** Allows lossless conversions of arguments: numeric strings, `"true"`, a scalar for a one-item array. Off by default. */
  readonly coerce?: boolean | undefined;
  /**
   * What happens to arguments that a model wrote almost right: a code fence, a trailing comma, JSON in a string, a single value in
   * place of a list, numbers and booleans as strings. `off`, the default, refuses them; `on` reads them as they were meant, and says
   * so to the model and in the event; `report` refuses them, and shows the model the right ones (docs/failures.md).
   */
  readonly repair?: RepairMode | undefined;
  /** Bounds of turns, calls and texts. */
  readonly limits?: Limits | undefined;
  /**
   * Keeps the messages of unexpected errors, such as those of a database driver, from the model, MCP clients and programs: true puts a
   * text with the id of the error in their place, and a function returns the text, or undefined for the one of true. The log has the same
   * id and the error. `ToolRefusal`, `ToolValidationError` and Nest's `HttpException` are not masked. Off by default.
   *
   * @example
   * maskErrors: (error) => (error instanceof OutOfStock ? error.message : undefined),
   */
  readonly maskErrors?: boolean | ((error: unknown) => string | undefined) | undefined;
  /** The names and descriptions that tools may have; `portable` when left out. */
  readonly toolTexts?: ToolTexts | undefined;
  /** The store of texts that renderings show in place of the declared ones. Read at each rendering. */
  readonly overrides?: OverridesStore | undefined;
  /**
   * Estimates what opening summarised sections costs; `approximateTokens` when left out. `gptTokens()` of `@toolwright/openai/tokens`
   * counts exactly.
   */
  readonly tokenEstimator?: TokenEstimator | undefined;
  /** Asked about calls of tools that require an approval; without one, those calls are denied. */
  readonly approver?: Approver | undefined;
  /** Wrap runs, requests and handlers; the first is outermost. */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /** Returns numbers from 0 up to 1, by which waiting between attempts varies; `Math.random` when left out. */
  readonly random?: (() => number) | undefined;
  /** The time of events and deadlines; replaced in tests. */
  readonly clock?: Clock | undefined;
  /** Makes the ids of events, runs and calls; replaced in tests. */
  readonly ids?: IdSource | undefined;
  /** Warnings and errors are written to the console when left out. */
  readonly logger?: Logger | undefined;
  /** The prices of models, by the names of their adapters, such as `openai:gpt-5`: for `response.cost`. */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /** Where events go; a bus of this process by default. */
  readonly eventBus?: EventBus | undefined;
  /**
   * Removes from a text what must not be kept, such as keys and tokens. Applied to every text in events, logs and
   * transcripts; the model and the handlers get the texts unchanged.
   */
  readonly redact?: RedactHook | undefined;
  /**
   * Secrets of at least 32 characters that sign what leaves the process and comes back, such as questions and pending calls. The first one
   * signs, and all verify: to rotate, put a new one in front. Every process of a deployment needs the same.
   */
  readonly keys?: readonly string[] | undefined;
}

/** The options of `createApplication`. */
export const applicationOptionNames: OptionNames<ApplicationOptions> = {
  prompts: 1,
  container: 1,
  resources: 1,
  fieldNames: 1,
  coerce: 1,
  repair: 1,
  limits: 1,
  maskErrors: 1,
  toolTexts: 1,
  overrides: 1,
  tokenEstimator: 1,
  approver: 1,
  interceptors: 1,
  random: 1,
  clock: 1,
  ids: 1,
  logger: 1,
  prices: 1,
  eventBus: 1,
  redact: 1,
  keys: 1,
};

/** The limits of an application. */
export const limitNames: OptionNames<Limits> = { turnMs: 1, resultChars: 1, partBytes: 1, policyMs: 1, callMs: 1 };
