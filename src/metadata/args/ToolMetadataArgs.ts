import type { ClassOrThunk, JsonSchema } from '../../common/types.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { ToolCaller } from '../../value/ToolCaller.js';
import type { ToolContext } from '../../tool/ToolContext.js';
import type { ToolExample, ToolReturn } from '../../tool/ToolHandler.js';
import type { GuardrailOptions } from './GuardrailOptions.js';
import type { TypeReference } from './TypeReference.js';

/** What a tool does to the world; MCP's annotations. Nothing is assumed of what is left out. */
export interface ToolHints {
  /** Changes nothing: may run beside other read-only calls, and its writes are refused. */
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** Calling it twice with the same arguments is calling it once. */
  readonly idempotent?: boolean | undefined;
  /** Touches things outside this system. */
  readonly openWorld?: boolean | undefined;
}

/** What describes the arguments of a tool: a class, a thunk of one, or a schema of another library with a JSON Schema. */
export type ToolParams<P> = ClassOrThunk<P> | StandardSchema<unknown, P>;

/** Everything about a tool but its handler (docs/contract.md, 1). `P` is what the handler gets, `R` names the result's type. */
export interface ToolOptions<
  P = unknown,
  R extends TypeReference | undefined = TypeReference | undefined,
> extends GuardrailOptions<P> {
  /** 1-64 of `a-z 0-9 _ -`; the method's name in snake_case when left out. */
  readonly name?: string | undefined;
  /** 1-200 ASCII characters. */
  readonly description: string;
  readonly params?: ToolParams<P> | undefined;
  readonly result?: R | undefined;
  /** A JSON Schema of the result, where no class describes it; not together with `result`. */
  readonly returnSchema?: (R extends TypeReference ? never : JsonSchema) | undefined;
  readonly examples?: readonly ToolExample[] | undefined;
  /** True by default. */
  readonly acceptsOverrides?: boolean | undefined;
  readonly hints?: ToolHints | undefined;
  /** Who may call it: `direct`, the model itself, `program`, a program that the model writes; both when left out. */
  readonly callers?: readonly ToolCaller[] | undefined;
  /** Milliseconds that one call may take; unlimited when left out. */
  readonly timeoutMs?: number | undefined;
  /** Characters of its value that the model reads, instead of the application's limit; events hold the whole value. */
  readonly resultLimit?: number | undefined;
}

/** Where `@Tool` was found. */
export type ToolPlace = 'method' | 'class' | 'static member' | 'accessor' | 'field' | 'constructor' | 'parameter';

/** `@Tool` or `defineTool`, as it was written. */
export interface ToolMetadataArgs {
  readonly place: ToolPlace;
  /** Undefined for a class tool. */
  readonly member: string | symbol | undefined;
  readonly options: ToolOptions;
}

/** The handler of a tool that was defined without a class; null advertises only. */
export type DefinedHandler = ((params: never, context: ToolContext) => ToolReturn<unknown>) | null;
