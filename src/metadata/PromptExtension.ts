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
  /** Tools offered to the model after the tools of the sections. */
  readonly tools: readonly ExtensionTool[];
  /** Names of tools of the sections that the model is no longer offered. Programs and handlers may still call them. */
  readonly hidden: ReadonlySet<string>;
}

/** A tool, as passed to the check of an extension at creation. */
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

/** Port for additions to a prompt besides its sections, such as `programs()` of `@toolwright/programs`. */
export interface PromptExtension {
  /** Name for messages. */
  readonly name: string;
  /** Names of the tools that it may add. No tool of the prompt may have one of them. */
  readonly toolNames: readonly string[];
  /**
   * Called when the application is created. Each objection becomes a finding at the place of its tool.
   *
   * @param tools the tools of all sections, each name once
   */
  readonly check?: ((tools: readonly NamedTool[]) => readonly ToolObjection[]) | undefined;
  /**
   * Returns the additions. Called at each rendering.
   *
   * @param tools the tools of the open sections, with any callers
   */
  extend(tools: readonly ToolMetadata[]): PromptAddition;
}
