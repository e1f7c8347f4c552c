import { Tool, type ToolOptions } from 'toolwright';

/** `@Tool` as JavaScript applies it: no compiler looks at the handler. */
export function UntypedTool(options: string | ToolOptions): MethodDecorator {
  return Tool(options);
}
