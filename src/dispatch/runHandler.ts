import type { ContainedHandler } from '../interface/ContainerAdapter.js';
import type { RenderedTool } from '../prompt/RenderedTool.js';
import type { ToolContext } from '../tool/ToolContext.js';

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
