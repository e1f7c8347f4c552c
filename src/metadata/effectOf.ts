import type { ToolHints } from './args/ToolMetadataArgs.js';
import type { CallEffect } from '../value/ToolOutcome.js';

/** Decides what a tool's calls may do outside of the session and the resources that join them, from its hints. */
export function effectOf({ readOnly, openWorld, idempotent }: ToolHints): CallEffect {
  if (readOnly === true || openWorld === false) return 'none';
  return idempotent === true ? 'keyed' : 'unknown';
}
