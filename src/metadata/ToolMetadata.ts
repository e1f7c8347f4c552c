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

/** A tool, declared in any way: method, class, `defineTool` (decision 5). Frozen. */
export interface ToolMetadata {
  readonly name: string;
  readonly description: string;
  /** The name of a remote tool on its server; programs find the tool by that name as well. Left out for all others. */
  readonly remoteName?: string | undefined;
  readonly sectionPath: string;
  /** `OrdersSection.getOrder`: for messages. */
  readonly place: string;
  /** The class whose instance holds the handler. */
  readonly owner: Constructor;
  /** The method that is the handler; undefined for a tool made by `defineTool`. */
  readonly member: string | symbol | undefined;
  /** Null if the tool is only advertised. */
  readonly invoke: ToolInvoker | null;
  /** What a rehearsal runs in place of the handler; null if none was declared. */
  readonly preview: ToolInvoker | null;
  /** Null for a tool without params, and for one whose params a schema of another library describes. */
  readonly params: ClassShape | null;
  readonly parse: Parser;
  /** Like `parse`, but never converts, even if the application allows it: for calls of programs, which have typed values. */
  readonly parseExactly: Parser;
  /** How names on the wire are derived, those of results included. */
  readonly fieldNames: WireNames;
  /** Schema of the arguments, draft 2020-12. */
  readonly schema: JsonSchema;
  /** The type of the result; if a JSON Schema declares it, as far as it can be derived from that. */
  readonly result: TypeShape | null;
  /** What happens to a result that is not of its type. */
  readonly resultMismatch: ResultMismatch;
  /** The JSON Schema that declares the result in place of a class. */
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
  /** Characters of its value that the model reads; the application's limit when undefined. */
  readonly resultLimit: number | undefined;
  readonly guardrails: Guardrails;
  readonly completion: Completion;
}

/** The guardrails for the calls of a tool: its own, then its sections', outwards to its prompt's. Frozen. */
export interface Guardrails {
  readonly policies: readonly ToolPolicy[];
  /** Any of them can require an approval; empty if none does. */
  readonly approvals: readonly Exclude<ApprovalRule<never>, false>[];
  readonly feedback: readonly FeedbackProvider[];
}

/** The completion checkers declared in one place. Frozen. */
export type Completion = readonly CompletionChecker[];
