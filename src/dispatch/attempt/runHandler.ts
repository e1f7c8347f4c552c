import type { ContainedHandler } from '../../interface/ContainerAdapter.js';
import type { RenderedTool } from '../../prompt/RenderedTool.js';
import type { ToolContext } from '../../tool/ToolContext.js';
import { findUnfinished, type UnfinishedPart } from '../../schema/repair/findUnfinished.js';
import { ToolResult } from '../../value/ToolResult.js';

export function runHandler(tool: RenderedTool, params: unknown, context: ToolContext): unknown {
  const { metadata, owner, container, paramsType } = tool;
  const { invoke, owner: type, member } = metadata;
  if (container?.run === undefined) return invoke?.(owner, params, context);
  const handler: ContainedHandler = {
    type,
    member,
    paramsType,
    instance: owner,
    invoke: (instance, given) => invoke?.(instance, given, context),
  };
  return container.run(handler, params, context);
}

/** Thrown when a handler returns something that is not a complete value, or contains it: a promise, a stream, a Response. */
class UnfinishedValueError extends TypeError {
  constructor({ kind, path }: UnfinishedPart) {
    const article = /^[aei]/.test(kind) ? 'an' : 'a';
    const place = path === '' ? '' : ` at ${path}`;
    super(`it returned ${article} ${kind}${place}; a tool gives one complete value${HINTS[kind] ?? ''}`);
    this.name = 'TypeError';
  }
}

const HINTS: Readonly<Record<string, string>> = {
  promise: ': await it, or all of a list with await Promise.all(list)',
  iterator: ': return a list, as by [...rows]',
};

/** Converts the return value of a handler into a result: a plain value becomes `ToolResult.ok(value)`. */
export function toResult(returned: unknown): ToolResult {
  return returned instanceof ToolResult ? returned : ToolResult.ok(returned);
}

/** Checks that a value is complete, since nothing could wait for its parts. @throws UnfinishedValueError */
export function refuseUnfinished(value: unknown): void {
  const part = findUnfinished(value);
  if (part !== undefined) throw new UnfinishedValueError(part);
}
