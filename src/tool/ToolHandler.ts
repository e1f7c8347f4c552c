import type { Awaitable } from '../common/types.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { ToolContext } from './ToolContext.js';

/** The return type of a handler: a result, or a plain value, which becomes an ok result with an empty message. */
export type ToolReturn<R> = Awaitable<ToolResult<R> | R>;

/** The function that a tool calls. */
export type ToolHandler<P, R> = (params: P, context: ToolContext) => ToolReturn<R>;

/** A result value that formats itself for the model. */
export interface ToolRenderableResult {
  render(): string;
}

/** An example call of a tool, shown to the model. Input and output are checked at creation. */
export interface ToolExample<P = unknown, R = unknown> {
  /** 1-200 ASCII characters. */
  readonly description: string;
  /** An instance of the params class, or a plain object that parses into it; null for a tool without params. */
  readonly input: P | null;
  /** A value of the declared result; null for a tool without a result. */
  readonly output: R | null;
}
