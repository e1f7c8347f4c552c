import type { Guardrails } from '../metadata/Guardrails.js';
import type { GuardrailOptions } from '../metadata/args/GuardrailOptions.js';

/** Nothing watches. */
export const noGuardrails: Guardrails = Object.freeze({
  policies: Object.freeze([]),
  approvals: Object.freeze([]),
  feedback: Object.freeze([]),
});

/** What is declared in one place, before what surrounds it. */
export function guardrailsWithin(outer: Guardrails, options: GuardrailOptions): Guardrails {
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
