import type { ToolOptions } from '../metadata/args/ToolMetadataArgs.js';
import type { ToolInvoker } from '../metadata/ToolMetadata.js';

/** Creates the function that runs the preview of a tool on its section; null for a tool without one. */
export function previewer(options: ToolOptions): ToolInvoker | null {
  if (options.preview === undefined) return null;
  return (owner, params, context) => options.preview?.call(owner as ToolOptions, params, context);
}
