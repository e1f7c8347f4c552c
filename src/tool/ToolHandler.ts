import type { Awaitable } from '../common/types.js';
import type { ToolResult } from '../value/ToolResult.js';
import type { ToolContext } from './ToolContext.js';

/** What a handler may give back: a result, or a plain value that becomes an ok result with an empty message. */
export type ToolReturn<R> = Awaitable<ToolResult<R> | R>;

/** A function behind a tool. */
export type ToolHandler<P, R> = (params: P, context: ToolContext) => ToolReturn<R>;

/** A result value that words itself for the model. */
export interface ToolRenderableResult {
  render(): string;
}

/** Shows the model one call of a tool; both sides are checked at creation. */
export interface ToolExample<P = unknown, R = unknown> {
  /** 1-200 ASCII characters. */
  readonly description: string;
  /** An instance of the params class, or a plain object that parses into it; null for a tool without params. */
  readonly input: P | null;
  /** A value of the declared result; null for a tool without one. */
  readonly output: R | null;
}
