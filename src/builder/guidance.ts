import type { Guidance } from '../metadata/Guidance.js';
import type { GuidanceOptions } from '../metadata/args/GuidanceOptions.js';

/** Nothing watches. */
export const noGuidance: Guidance = Object.freeze({
  policies: Object.freeze([]),
  approvals: Object.freeze([]),
  feedback: Object.freeze([]),
});

/** What is declared in one place, before what surrounds it. */
export function guidanceWithin(outer: Guidance, options: GuidanceOptions): Guidance {
  const { policies = [], requiresApproval = false, feedback = [] } = options;
  if (policies.length === 0 && requiresApproval === false && feedback.length === 0) return outer;
  return Object.freeze({
    // One that stands in several places is one: it must not count a call twice.
    policies: Object.freeze([...new Set([...policies, ...outer.policies])]),
    approvals: requiresApproval === false ? outer.approvals : Object.freeze([requiresApproval, ...outer.approvals]),
    // Once, even where it is declared twice: it would count every call twice.
    feedback: Object.freeze([...new Set([...feedback, ...outer.feedback])]),
  });
}
