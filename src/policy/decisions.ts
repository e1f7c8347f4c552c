import type { PolicyDecision } from '../interface/ToolPolicy.js';

/** Allows the call. */
export const allow: PolicyDecision = Object.freeze({ allowed: true });

/**
 * Denies the call.
 *
 * @param reason for the model: say what it can do about it
 */
export function deny(reason: string): PolicyDecision {
  return Object.freeze({ allowed: false, reason });
}
