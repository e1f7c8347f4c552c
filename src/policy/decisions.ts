import type { PolicyDecision } from '../interface/ToolPolicy.js';

/** A policy has nothing against the call. */
export const allow: PolicyDecision = Object.freeze({ allowed: true });

/** The call does not run. @param reason what the model reads: say what it can do about it */
export function deny(reason: string): PolicyDecision {
  return Object.freeze({ allowed: false, reason });
}
