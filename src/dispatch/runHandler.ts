import type { ContainedHandler } from '../interface/ContainerAdapter.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { ToolContext } from '../tool/ToolContext.js';
import { ToolResult } from '../value/ToolResult.js';

/** Calls the handler of a tool, or has its container run it. */
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

/** The handler returned something that is not a value: a stream, an async iterable, a Response. */
class StreamingValueError extends TypeError {
  constructor(what: string) {
    super(`it returned ${what}; a tool gives one complete value`);
    this.name = 'TypeError';
  }
}

/**
 * Turns the return value of a handler into a result: a plain value is the same as `ToolResult.ok` of it.
 *
 * @throws StreamingValueError
 */
export function toResult(returned: unknown): ToolResult {
  const result = ToolResult.is(returned) ? returned : ToolResult.ok(returned);
  const { value } = result;
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) refuseStreams(value);
  return result;
}

function refuseStreams(value: object): void {
  const probe = value as {
    [Symbol.asyncIterator]?: unknown;
    getReader?: unknown;
    arrayBuffer?: unknown;
    body?: unknown;
  };
  if (typeof probe[Symbol.asyncIterator] === 'function') throw new StreamingValueError('an async iterable');
  if (typeof probe.getReader === 'function') throw new StreamingValueError('a stream');
  if (typeof probe.arrayBuffer === 'function' && 'body' in value) throw new StreamingValueError('a Response');
}
