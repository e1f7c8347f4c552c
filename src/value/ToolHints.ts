import { copyOwnOptions } from '../common/objects.js';
import type { CallEffect } from './ToolOutcome.js';

/** Hints about the effects of a tool, as in MCP's annotations. Nothing is assumed for hints that are left out. */
export interface ToolHints {
  /** Changes nothing: may run concurrently with other read-only calls, and its writes are refused. */
  readonly readOnly?: boolean | undefined;
  readonly destructive?: boolean | undefined;
  /** Calling it twice with the same arguments has the same effect as calling it once. */
  readonly idempotent?: boolean | undefined;
  /** Touches things outside this system. */
  readonly openWorld?: boolean | undefined;
}

/** Decides what a tool's calls may do outside of the session and the resources that join them, from its hints. */
export function getEffect(hints: ToolHints): CallEffect {
  const { readOnly, openWorld, idempotent } = copyOwnOptions(hints);
  if (readOnly === true || openWorld === false) return 'none';
  return idempotent === true ? 'keyed' : 'unknown';
}
