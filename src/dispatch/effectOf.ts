import type { ToolHints } from '../metadata/args/ToolMetadataArgs.js';

/**
 * What repeating a call may do outside of the session and the resources that join its transaction: `none`, nothing; `keyed`,
 * nothing more under the same idempotency key; `unknown`, anything.
 */
export type RepeatEffect = 'none' | 'keyed' | 'unknown';

/** Decides the effect of a tool's calls, from its hints (docs/contract.md, 18). */
export function effectOf({ readOnly, openWorld, idempotent }: ToolHints): RepeatEffect {
  if (readOnly === true || openWorld === false) return 'none';
  return idempotent === true ? 'keyed' : 'unknown';
}
