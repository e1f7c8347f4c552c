import type { ErrorCode } from '../error/remedies.js';
import type { ToolCaller } from '../value/ToolCall.js';
import type { ToolMetadata } from './ToolMetadata.js';

/** A tool that an extension adds, with the object that its handler runs on. */
export interface ExtensionTool {
  readonly metadata: ToolMetadata;
  readonly owner: object;
}

/** The additions of an extension to one rendering. */
export interface PromptAddition {
  /** Text rendered below the sections; may be empty. */
  readonly text: string;
  /** Offered to the model after the tools of the sections. */
  readonly tools: readonly ExtensionTool[];
  /** The names of tools of the sections that are no longer offered to the model; programs and handlers may still call them. */
  readonly hidden: ReadonlySet<string>;
}

/** A tool, as passed to an extension's check at creation. */
export interface NamedTool {
  /** The name on the wire. */
  readonly name: string;
  readonly callers: readonly ToolCaller[];
}

/** The reason why an extension cannot support a tool. */
export interface ToolObjection {
  readonly code: ErrorCode;
  readonly toolName: string;
  readonly problem: string;
}

/** Port to additions to a prompt besides its sections, such as `programs()` of the folder `code`. */
export interface PromptExtension {
  /** Shown in messages. */
  readonly name: string;
  /** The names of the tools that it may add; no tool of the prompt may have one of them. */
  readonly toolNames: readonly string[];
  /**
   * Called when the application is created; each objection becomes a finding at the place of its tool.
   *
   * @param tools of all sections, each name once
   */
  readonly check?: ((tools: readonly NamedTool[]) => readonly ToolObjection[]) | undefined;
  /**
   * Called at each rendering.
   *
   * @param tools the tools of the open sections, with any callers
   */
  extend(tools: readonly ToolMetadata[]): PromptAddition;
}
