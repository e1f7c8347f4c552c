import { copyOwnOptions } from '../common/objects.js';
import type { SideEffect } from './ToolOutcome.js';

/** Hints about the effects of a tool, as in MCP's annotations. Nothing is assumed for omitted hints. */
export interface ToolHints {
  /**
   * The tool changes nothing. It may run concurrently with other read-only calls, and its writes are refused.
   *
   * @example readOnly: true
   */
  readonly readOnly?: boolean | undefined;
  /**
   * A call may remove something that was there, such as a record or a file. False promises that no call does.
   *
   * @example destructive: true
   */
  readonly destructive?: boolean | undefined;
  /**
   * Calling the tool twice with the same arguments has the same effect as calling it once.
   *
   * @example idempotent: true
   */
  readonly idempotent?: boolean | undefined;
  /**
   * The tool acts outside this system.
   *
   * @example openWorld: false
   */
  readonly openWorld?: boolean | undefined;
}

/** Derives from its hints which effects a tool may have outside the session and the resources that join its calls. */
export function getEffect(hints: ToolHints): SideEffect {
  const { readOnly, openWorld, idempotent } = copyOwnOptions(hints);
  if (readOnly === true || openWorld === false) return 'none';
  return idempotent === true ? 'keyed' : 'unknown';
}
