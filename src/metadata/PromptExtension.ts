import type { ErrorCode } from '../error/codes.js';
import type { ToolCaller } from '../value/ToolCaller.js';
import type { ToolMetadata } from './ToolMetadata.js';

/** A tool that an extension brings, with the object that its handler runs on. */
export interface ExtensionTool {
  readonly metadata: ToolMetadata;
  readonly owner: object;
}

/** What an extension makes of one rendering. */
export interface PromptAddition {
  /** Stands below the sections; empty for none. */
  readonly text: string;
  /** Offered to the model after the tools of the sections. */
  readonly tools: readonly ExtensionTool[];
  /** The names of tools of the sections that the model is not offered any more; programs and handlers may still call them. */
  readonly hidden: ReadonlySet<string>;
}

/** A tool as an extension judges it before anything is rendered. */
export interface NamedTool {
  /** The name on the wire. */
  readonly name: string;
  readonly callers: readonly ToolCaller[];
}

/** Why an extension cannot do with a tool. */
export interface ToolObjection {
  readonly code: ErrorCode;
  readonly toolName: string;
  readonly problem: string;
}

/** Port to what adds to a prompt beside its sections, such as `programs()` (architecture: `code` is one). */
export interface PromptExtension {
  /** Shown in messages. */
  readonly name: string;
  /** The names of the tools that it may bring; no tool of the prompt may have one of them. */
  readonly toolNames: readonly string[];
  /**
   * Asked when the application is created; each objection becomes a finding at the place of its tool.
   *
   * @param tools of all sections, each name once
   */
  readonly check?: ((tools: readonly NamedTool[]) => readonly ToolObjection[]) | undefined;
  /**
   * Asked at each rendering.
   *
   * @param tools the tools of the sections that are open, whoever may call them
   */
  extend(tools: readonly ToolMetadata[]): PromptAddition;
}
