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
  /**
   * Milliseconds that the calls of one turn may take together.
   *
   * @defaultValue `600_000`, ten minutes
   * @example turnMs: 120_000
   */
  readonly turnMs?: number | undefined;
  /**
   * Characters of a tool's value that the model reads. Events hold the whole value.
   *
   * @defaultValue `100_000`
   * @example resultChars: 20_000
   */
  readonly resultChars?: number | undefined;
  /**
   * Total bytes of the parts of one result or message (images, files, audio).
   *
   * @defaultValue `20_971_520`, 20 MiB
   * @example partBytes: 5_000_000
   */
  readonly partBytes?: number | undefined;
  /**
   * Milliseconds that one call may take, for tools without a closer `timeoutMs`.
   *
   * @defaultValue unlimited
   * @example callMs: 30_000
   */
  readonly callMs?: number | undefined;
  /**
   * Milliseconds that a policy may take for one decision. A slower policy denies the call.
   *
   * @defaultValue `30_000`
   * @example policyMs: 5_000
   */
  readonly policyMs?: number | undefined;
}

/** Options of `createApplication`. Only `prompts` is required. */
export interface ApplicationOptions {
  /**
   * The classes with `@Prompt`.
   *
   * @example prompts: [SupportDesk]
   */
  readonly prompts: readonly Constructor[];
  /**
   * Builds the section and tool classes.
   *
   * @defaultValue creates each class once with `new`
   * @example container: fromTypedi(Container)
   */
  readonly container?: ContainerAdapter | undefined;
  /**
   * Resources that tool calls use, and that are rolled back with them. Created with `bind`.
   *
   * @example resources: [bind(Orders, { value: orders })]
   */
  readonly resources?: readonly ResourceBinding[] | undefined;
  /**
   * How the names that the model uses are derived. `snake_case` turns `orderId` into `order_id`.
   *
   * @defaultValue `'as-is'`
   * @example fieldNames: 'snake_case'
   */
  readonly fieldNames?: WireNames | undefined;
  /**
   * Allows lossless conversions of arguments: numeric strings, `"true"`, a scalar for a one-item array.
   *
   * @defaultValue `false`
   * @example coerce: true
   */
  readonly coerce?: boolean | undefined;
  /**
   * How to treat arguments that a model wrote almost correctly: with a code fence, a trailing comma, JSON in a string,
   * a single value instead of a list, or numbers and booleans as strings. `off` refuses them. `on` repairs them, and
   * tells the model and the event. `report` refuses them, and shows the model the corrected arguments
   * (docs/failures.md).
   *
   * @defaultValue `'off'`
   * @example repair: 'on'
   */
  readonly repair?: RepairMode | undefined;
  /**
   * Limits of turns, calls and texts.
   *
   * @defaultValue the defaults of `Limits`
   * @example limits: { callMs: 30_000, resultChars: 20_000 }
   */
  readonly limits?: Limits | undefined;
  /**
   * Hides the messages of unexpected errors, such as errors of a database driver, from the model, MCP clients and
   * programs. With true, they read a text with an id of the error. A function returns the text, or undefined for the
   * default text. The log has the same id and the error. `ToolRefusal`, `ToolValidationError` and Nest's
   * `HttpException` are not masked.
   *
   * @defaultValue `false`
   * @example maskErrors: (error) => (error instanceof StockError ? error.message : undefined)
   */
  readonly maskErrors?: boolean | ((error: unknown) => string | undefined) | undefined;
  /**
   * The names and descriptions that tools may have. Every provider accepts `portable` ones. `wide` also allows
   * names with capitals, and descriptions of 1,024 characters of any script.
   *
   * @defaultValue `'portable'`
   * @example toolTexts: 'wide'
   */
  readonly toolTexts?: ToolTexts | undefined;
  /**
   * The store of texts that renderings show instead of the declared ones. Read at each rendering.
   *
   * @example overrides: new FileOverridesStore('./overrides')
   */
  readonly overrides?: OverridesStore | undefined;
  /**
   * Estimates the cost of opening summarised sections. `gptTokens()` of `@toolwright/openai/tokens` counts exactly.
   *
   * @defaultValue `approximateTokens`
   * @example tokenEstimator: gptTokens()
   */
  readonly tokenEstimator?: TokenEstimator | undefined;
  /**
   * Decides about calls of tools that require an approval.
   *
   * @defaultValue those calls are denied
   * @example approver: { approve: () => ({ kind: 'later' }) }
   */
  readonly approver?: Approver | undefined;
  /**
   * Interceptors that wrap runs, requests and handlers. The first one is outermost.
   *
   * @example interceptors: [openTelemetry()]
   */
  readonly interceptors?: readonly Interceptor[] | undefined;
  /**
   * Returns numbers from 0 up to 1, which vary the waiting time between attempts.
   *
   * @defaultValue `Math.random`
   * @example random: () => 0.5
   */
  readonly random?: (() => number) | undefined;
  /**
   * Gives the time of events and deadlines. Replace it in tests.
   *
   * @defaultValue `systemClock`
   * @example clock: new FakeClock()
   */
  readonly clock?: Clock | undefined;
  /**
   * Creates the ids of events, runs and calls. Replace it in tests.
   *
   * @defaultValue random UUIDs
   * @example ids: () => nextId()
   */
  readonly ids?: IdSource | undefined;
  /**
   * The logger.
   *
   * @defaultValue writes warnings and errors to the console
   * @example logger: console
   */
  readonly logger?: Logger | undefined;
  /**
   * The prices of models for `response.cost`, by the names of their adapters, such as `openai:gpt-5`.
   *
   * @example prices: { 'openai:gpt-5': { input: 1.25, output: 10 } }
   */
  readonly prices?: Readonly<Record<string, ModelPrice>> | undefined;
  /**
   * The bus that publishes events.
   *
   * @defaultValue a bus of this process
   * @example eventBus: new InProcessEventBus()
   */
  readonly eventBus?: EventBus | undefined;
  /**
   * Removes secrets, such as keys and tokens, from a text. Applied to every text in events, logs and transcripts. The
   * model and the handlers get the texts unchanged.
   *
   * @example redact: (text) => text.replace(/sk-\w+/g, '[key]')
   */
  readonly redact?: RedactHook | undefined;
  /**
   * Secrets of at least 32 characters that sign data which leaves the process and comes back, such as questions and
   * pending calls. The first one signs, and all verify: to rotate, put a new one in front. Every process of a
   * deployment needs the same secrets.
   *
   * @example keys: [secrets.current, secrets.previous]
   */
  readonly keys?: readonly string[] | undefined;
}
