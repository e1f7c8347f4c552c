import type { RenderedTool } from '../prompt/RenderedTool.js';

/** What a rehearsal runs of a tool: its handler, if it does nothing outside, or its preview; undefined for none. */
export function rehearsable({ hints, metadata }: RenderedTool): 'handler' | 'preview' | undefined {
  if (hints.readOnly === true || hints.openWorld === false) return 'handler';
  return metadata.preview === null ? undefined : 'preview';
}
