import { ownOptions } from '../common/ownOptions.js';
import type { ToolHints } from '../value/ToolHints.js';
import type { CallEffect } from '../value/ToolOutcome.js';

/** Decides what a tool's calls may do outside of the session and the resources that join them, from its hints. */
export function effectOf(hints: ToolHints): CallEffect {
  const { readOnly, openWorld, idempotent } = ownOptions(hints);
  if (readOnly === true || openWorld === false) return 'none';
  return idempotent === true ? 'keyed' : 'unknown';
}
