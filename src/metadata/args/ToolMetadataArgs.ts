import type { ClassOrThunk, JsonSchema } from '../../common/types.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { ToolCaller, UnknownCallPolicy } from '../../value/ToolCall.js';
import type { ToolHints } from '../../value/ToolHints.js';
import type { ToolContext } from '../../tool/ToolContext.js';
import type { ToolExample, ToolReturn } from '../../tool/ToolHandler.js';
import type { ResultReference } from './TypeReference.js';
import type { ApprovalRule } from '../../interface/Approver.js';
import type { CompletionChecker } from '../../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../../interface/ToolPolicy.js';

/** The declaration of a tool's arguments: a class, a thunk of one, or another library's schema with a JSON Schema. */
export type ToolParams<P> = ClassOrThunk<P> | StandardSchema<unknown, P>;

/**
 * The names and descriptions that tools may have. `portable`: names of `a-z 0-9 _ -` and descriptions of 200 ASCII
 * characters, which every provider accepts. `wide`: also names with capitals, and descriptions of 1,024 characters of
 * any script.
 */
export type ToolTexts = 'portable' | 'wide';

/** How the names that the model uses are derived from the names of properties. */
export type WireNames = 'as-is' | 'snake_case';

/** Limits of the calls of a tool, or of every tool below a section, in a prompt or in an application. The closest limit wins. */
export interface ExecutionLimits {
  /**
   * Milliseconds that one call may take.
   *
   * @defaultValue the closest limit around it, at last `limits.callMs` of the application
   * @example timeoutMs: 5_000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Characters of a value that the model reads. Events hold the whole value.
   *
   * @defaultValue the closest limit around it, at last `limits.resultChars` of the application
   * @example resultLimit: 20_000
   */
  readonly resultLimit?: number | undefined;
}

/** When to repeat a failed call, each time in a new transaction and with the same idempotency key. */
export interface ToolRetry {
  /**
   * Total number of attempts, including the first: 2-10.
   *
   * @example attempts: 3
   */
  readonly attempts: number;
  /**
   * Milliseconds before the second attempt, at most 60,000. Doubled before each further attempt.
   *
   * @defaultValue `0`
   * @example backoffMs: 200
   */
  readonly backoffMs?: number | undefined;
  /**
   * Decides whether a thrown error, or the `TimeoutError` of `timeoutMs`, may be temporary. Not called for refusals,
   * wrong results and mistakes of the developer, which are never repeated, nor for conflicts, which always are.
   *
   * @defaultValue every error may be temporary
   * @example on: (error) => error instanceof StockError
   */
  readonly on?: ((error: unknown) => boolean) | undefined;
}

/** Options of a tool (docs/contract.md, 1). `P` is the type of the handler's params; `R` refers to the type of the result. */
export interface ToolOptions<P = unknown, R extends ResultReference | undefined = ResultReference | undefined>
  extends GuardrailOptions<P>, ExecutionLimits {
  /**
   * 1-64 of `a-z 0-9 _ -`, with `toolTexts: 'wide'` also `A-Z`.
   *
   * @defaultValue the name of the method or class in snake_case
   * @example name: 'get_order'
   */
  readonly name?: string | undefined;
  /**
   * 1-200 ASCII characters; with `toolTexts: 'wide'`, 1-1,024 of any script.
   *
   * @example description: 'Fetch one order by its number.'
   */
  readonly description: string;
  /**
   * The class of its params, or a schema of another library.
   *
   * @defaultValue the class in the signature of the handler
   * @example params: OrderParams
   */
  readonly params?: ToolParams<P> | undefined;
  /**
   * The type of the result, which is then checked and described.
   *
   * @example result: Order
   */
  readonly result?: R | undefined;
  /**
   * A JSON Schema of the result, if no class describes it. Cannot be combined with `result`.
   *
   * @example returnSchema: { type: 'object', properties: { total: { type: 'number' } } }
   */
  readonly returnSchema?: (R extends ResultReference ? never : JsonSchema) | undefined;
  /**
   * Calls with their results, shown in the text of the section.
   *
   * @example examples: [{ description: 'A paid order', input: { orderId: '#W1' }, output: { total: 12 } }]
   */
  readonly examples?: readonly ToolExample[] | undefined;
  /**
   * Allows overrides of the texts of the tool.
   *
   * @defaultValue `true`
   * @example acceptsOverrides: false
   */
  readonly acceptsOverrides?: boolean | undefined;
  /**
   * The effects of the tool: whether it only reads, may be repeated, or acts outside.
   *
   * @defaultValue nothing is assumed about its effects
   * @example hints: { readOnly: true }
   */
  readonly hints?: ToolHints | undefined;
  /**
   * Repeats a call after temporary failures. Only for tools with hints that allow it (docs/failures.md).
   *
   * @defaultValue failed calls are not repeated, but conflicts are
   * @example retry: { attempts: 3, backoffMs: 200 }
   */
  readonly retry?: ToolRetry | undefined;
  /**
   * How to treat a call of this tool that began in a process which has ended. Has no effect on a tool with hints that
   * allow repeating (docs/conversations.md).
   *
   * @defaultValue `onUnknown` of the run
   * @example onUnknown: 'ask'
   */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * Runs in a rehearsal instead of a handler that may act outside. Answers like the handler, and acts only on session
   * and resources. `this` is the section.
   *
   * @example preview: ({ orderId }) => ({ orderId, total: 0 })
   */
  preview?(params: P, context: ToolContext): ToolReturn<unknown>;
  /**
   * The allowed callers. `direct` is the model itself, `program` is a program that the model writes.
   *
   * @defaultValue `['direct', 'program']`
   * @example callers: ['program']
   */
  readonly callers?: readonly ToolCaller[] | undefined;
}

/** The kind of declaration that `@Tool` was applied to. */
export type ToolPlace = 'method' | 'class' | 'static member' | 'accessor' | 'field' | 'constructor' | 'parameter';

/** `@Tool` or `defineTool`, as declared. */
export interface ToolMetadataArgs {
  readonly place: ToolPlace;
  /** Undefined for a class tool. */
  readonly member: string | symbol | undefined;
  readonly options: ToolOptions;
}

/** The handler of a tool that was defined without a class. Null for a tool that is only advertised. */
export type DefinedHandler = ((params: never, context: ToolContext) => ToolReturn<unknown>) | null;

/**
 * Guardrails for calls and answers: on a tool, on a section for everything below it, or on a prompt for everything
 * (docs/contract.md, 10). `P` is the type of the handler's params.
 */
export interface GuardrailOptions<P = never> {
  /**
   * Policies, checked in order: first the tool's, then its sections' from the inside out, then the prompt's. The first
   * denial wins.
   *
   * @example policies: [new RateLimitPolicy({ maxCalls: 10, perSeconds: 60 })]
   */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /**
   * Requires approval of the call by the application's approver. One rule of the tool, its sections or its prompt is
   * enough.
   *
   * @defaultValue `false`
   * @example requiresApproval: true
   */
  readonly requiresApproval?: ApprovalRule<P> | undefined;
  /**
   * Providers that add feedback to the text of a call that the model reads.
   *
   * @example feedback: [new DeadlineFeedback({ trigger: { everySeconds: 60 } })]
   */
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  /**
   * Checkers of the final answer, which may refuse it while the tool or section is offered.
   *
   * @example completion: [new PlanCompleteChecker()]
   */
  readonly completion?: readonly CompletionChecker[] | undefined;
}
