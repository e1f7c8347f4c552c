import type { Constructor, JsonSchema } from '../common/types.js';
import type { ToolCaller } from '../value/ToolCaller.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolExample } from '../tool/ToolHandler.js';
import type { ClassShape, Parser, TypeShape } from './ClassShape.js';
import type { ToolHints } from './args/ToolMetadataArgs.js';
import type { Completion, Guardrails } from './Guardrails.js';

/** Calls a handler in the order in which it wants its arguments. `owner` is the instance that holds the method. */
export type ToolInvoker = (owner: object, params: unknown, context: ToolContext) => unknown;

/** A tool, whatever way it was declared: method, class, `defineTool` (docs/decisions/0005). Frozen. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  /** What a tool that runs elsewhere is called there; programs find it by that name as well. Left out for all others. */
  readonly remoteName?: string | undefined;
  readonly sectionPath: string;
  /** `OrdersSection.getOrder`: for messages. */
  readonly place: string;
  /** The class whose instance holds the handler. */
  readonly owner: Constructor;
  /** The method that is the handler; undefined for a tool made by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** Null when the tool only advertises. */
  readonly invoke: ToolInvoker | null;
  /** Null for a tool without params, and for one whose params a schema of another library describes. */
  readonly params: ClassShape | null;
  readonly parse: Parser;
  /** The same without any conversion, whatever the application allows: for calls of programs, which know their types. */
  readonly parseExactly: Parser;
  /** Schema of the arguments, draft 2020-12. */
  readonly schema: JsonSchema;
  /** The type of the result; what could be read of it where a JSON Schema declares it. */
  readonly result: TypeShape | null;
  /** The JSON Schema that declares the result in place of a class. */
  readonly returnSchema: JsonSchema | null;
  readonly resultContainer: 'object' | 'array';
  readonly examples: readonly ToolExample[];
  readonly acceptsOverrides: boolean;
  readonly hints: ToolHints;
  readonly callers: readonly ToolCaller[];
  readonly timeoutMs: number | undefined;
  /** Characters of its value that the model reads; the application's limit when undefined. */
  readonly resultLimit: number | undefined;
  readonly guardrails: Guardrails;
  readonly completion: Completion;
}
