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

/** The declaration of a tool's arguments: a class, a thunk of one, or a schema of another library with a JSON Schema. */
export type ToolParams<P> = ClassOrThunk<P> | StandardSchema<unknown, P>;

/**
 * The names and descriptions that tools may have. `portable`: names of `a-z 0-9 _ -` and descriptions of 200 ASCII characters, which
 * every provider takes. `wide`: names with capitals too, and descriptions of 1,024 characters of any script.
 */
export type ToolTexts = 'portable' | 'wide';

/** How the names that the model uses are derived from those of properties. */
export type WireNames = 'as-is' | 'snake_case';

/** Limits of calls: of a tool, or of every tool below a section, in a prompt, in an application; the nearest counts. */
export interface ExecutionLimits {
  /** Milliseconds that one call may take; unlimited by default. */
  readonly timeoutMs?: number | undefined;
  /** Characters of a value that the model reads; events hold the whole value. */
  readonly resultLimit?: number | undefined;
}

/** When a call that failed is made again, each time in a transaction of its own and with the same idempotency key. */
export interface ToolRetry {
  /** Tries in all, the first included: 2-10. */
  readonly attempts: number;
  /** Milliseconds before the second try, at most 60,000; twice as long before each further one. 0 by default. */
  readonly backoffMs?: number | undefined;
  /**
   * Whether a thrown error, or the `TimeoutError` of `timeoutMs`, may pass by itself; true by default. Not asked about refusals,
   * wrong results and mistakes of the developer, which are never tried again, nor about conflicts, which always are.
   */
  readonly on?: ((error: unknown) => boolean) | undefined;
}

/** Options of a tool (docs/contract.md, 1). `P` is the type of the handler's params, `R` refers to the type of the result. */
export interface ToolOptions<P = unknown, R extends ResultReference | undefined = ResultReference | undefined>
  extends GuardrailOptions<P>, ExecutionLimits {
  /** 1-64 of `a-z 0-9 _ -`, with `toolTexts: 'wide'` of `A-Z` too; the method's name in snake_case by default. */
  readonly name?: string | undefined;
  /** 1-200 ASCII characters; with `toolTexts: 'wide'`, 1-1,024 of any script. */
  readonly description: string;
  /** The class of its params, or a schema of another library; taken from the signature when left out. */
  readonly params?: ToolParams<P> | undefined;
  /** The type of its result, which is then checked and described. */
  readonly result?: R | undefined;
  /** A JSON Schema of the result, if no class describes it; excludes `result`. */
  readonly returnSchema?: (R extends ResultReference ? never : JsonSchema) | undefined;
  /** Calls with their results, shown in the text of the section. */
  readonly examples?: readonly ToolExample[] | undefined;
  /** True by default. */
  readonly acceptsOverrides?: boolean | undefined;
  /** What it does to the world: reads only, destroys, may be repeated, acts outside. */
  readonly hints?: ToolHints | undefined;
  /** Tries again after failures that may pass; only for tools whose hints say that they may be repeated (docs/failures.md). */
  readonly retry?: ToolRetry | undefined;
  /**
   * What happens to a call of it that began in a process that ended, in place of the run's `onUnknown`. Of no effect for a tool whose
   * hints say that it may be repeated (docs/conversations.md).
   */
  readonly onUnknown?: UnknownCallPolicy | undefined;
  /**
   * What a rehearsal runs in place of a handler that may act outside: answers as the handler would, and acts nowhere but in session
   * and resources. `this` is the section.
   */
  preview?(params: P, context: ToolContext): ToolReturn<unknown>;
  /** The allowed callers: `direct`, the model itself; `program`, a program that the model writes; both by default. */
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

/** The handler of a tool that was defined without a class; null if the tool is only advertised. */
export type DefinedHandler = ((params: never, context: ToolContext) => ToolReturn<unknown>) | null;

/**
 * Guardrails for calls and answers: on a tool, on a section for everything below it, on a prompt for everything
 * (docs/contract.md, 10). `P` is the type of the handler's params.
 */
export interface GuardrailOptions<P = never> {
  /** Checked in order, a tool's own first, then its section's, outwards to the prompt's; the first denial counts. */
  readonly policies?: readonly ToolPolicy[] | undefined;
  /** Requires the application's approver to approve the call; one rule of the tool, its sections and its prompt suffices. */
  readonly requiresApproval?: ApprovalRule<P> | undefined;
  /** Add feedback to the text that the model reads of a call. */
  readonly feedback?: readonly FeedbackProvider[] | undefined;
  /** Check the final answer, and may refuse it, while the tool or section is offered. */
  readonly completion?: readonly CompletionChecker[] | undefined;
}
