import type { Constructor, JsonSchema } from '../common/types.js';
import type { ToolCaller, UnknownCallPolicy } from '../value/ToolCall.js';
import type { ToolContext } from '../tool/ToolContext.js';
import type { ToolExample } from '../tool/ToolHandler.js';
import type { ClassShape, Parser, TypeShape } from './ClassShape.js';
import type { ResultMismatch } from './args/TypeReference.js';
import type { ToolRetry, ToolTexts, WireNames } from './args/ToolMetadataArgs.js';
import type { ToolHints } from '../value/ToolHints.js';
import type { ApprovalRule } from '../interface/Approver.js';
import type { CompletionChecker } from '../interface/CompletionChecker.js';
import type { FeedbackProvider } from '../interface/FeedbackProvider.js';
import type { ToolPolicy } from '../interface/ToolPolicy.js';

/** Calls a handler with its arguments in the declared order. `owner` is the instance that holds the method. */
export type ToolInvoker = (owner: object, params: unknown, context: ToolContext) => unknown;

/** A tool, declared as a method, as a class or by `defineTool` (decision 5). Frozen. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  /** The name of a remote tool on its server. Programs find the tool by that name as well. Undefined for all other tools. */
  readonly remoteName?: string | undefined;
  readonly sectionPath: string;
  /** Place for messages, e.g. `OrdersSection.getOrder`. */
  readonly place: string;
  /** The class of the instance that holds the handler. */
  readonly owner: Constructor;
  /** The method that is the handler; undefined for a tool created by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** Null for a tool without a handler, which is only advertised. */
  readonly invoke: ToolInvoker | null;
  /** The function that a rehearsal runs instead of the handler, or null. */
  readonly preview: ToolInvoker | null;
  /** Null for a tool without params, and for params described by a schema of another library. */
  readonly params: ClassShape | null;
  readonly parse: Parser;
  /** Parses like `parse`, but never converts, even if the application allows it. For calls of programs, which have typed values. */
  readonly parseExactly: Parser;
  /** How names on the wire are derived, including names in results. */
  readonly fieldNames: WireNames;
  /** Schema of the arguments, draft 2020-12. */
  readonly schema: JsonSchema;
  /** The type of the result. If a JSON Schema declares it, as much as can be derived from the schema. */
  readonly result: TypeShape | null;
  /** How to treat a result that does not match its type. */
  readonly resultMismatch: ResultMismatch;
  /** The JSON Schema that declares the result instead of a class. */
  readonly returnSchema: JsonSchema | null;
  readonly resultContainer: 'object' | 'array';
  readonly examples: readonly ToolExample[];
  readonly acceptsOverrides: boolean;
  readonly hints: ToolHints;
  readonly retry: ToolRetry | null;
  /** Undefined if the run decides. */
  readonly onUnknown: UnknownCallPolicy | undefined;
  readonly callers: readonly ToolCaller[];
  /** The descriptions that it may have, also in overrides. */
  readonly texts: ToolTexts;
  readonly timeoutMs: number | undefined;
  /** Characters of its value that the model reads. If undefined, the application's limit applies. */
  readonly resultLimit: number | undefined;
  readonly guardrails: Guardrails;
  readonly completion: Completion;
}

/** The guardrails for the calls of a tool: the tool's own, then its sections' from the inside out, then its prompt's. Frozen. */
export interface Guardrails {
  readonly policies: readonly ToolPolicy[];
  /** Approval rules. Any of them can require an approval. */
  readonly approvals: readonly Exclude<ApprovalRule<never>, false>[];
  readonly feedback: readonly FeedbackProvider[];
}

/** The completion checkers declared in one place. Frozen. */
export type Completion = readonly CompletionChecker[];
