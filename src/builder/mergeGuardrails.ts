import { copyOwnOptions } from '../common/objects.js';
import type { Guardrails } from '../metadata/ToolMetadata.js';
import type { GuardrailOptions, ExecutionLimits, ToolTexts, WireNames } from '../metadata/args/ToolMetadataArgs.js';

export const noGuardrails: Guardrails = Object.freeze({
  policies: Object.freeze([]),
  approvals: Object.freeze([]),
  feedback: Object.freeze([]),
});

/** Combines the guardrails of one declaration with the outer ones. Its own come first. */
export function mergeGuardrails(outer: Guardrails, options: GuardrailOptions): Guardrails {
  const { policies = [], requiresApproval = false, feedback = [] } = copyOwnOptions(options);
  if (policies.length === 0 && requiresApproval === false && feedback.length === 0) return outer;
  return Object.freeze({
    // A policy that is declared several times is kept once: it must not count a call twice.
    policies: Object.freeze([...new Set([...policies, ...outer.policies])]),
    approvals: requiresApproval === false ? outer.approvals : Object.freeze([requiresApproval, ...outer.approvals]),
    // The same holds for a feedback provider.
    feedback: Object.freeze([...new Set([...feedback, ...outer.feedback])]),
  });
}

/** The values that tools inherit from the declarations around them. */
export interface Inherited {
  readonly guardrails: Guardrails;
  readonly limits: ExecutionLimits;
  readonly texts: ToolTexts;
  readonly fieldNames: WireNames;
  readonly searchable: boolean;
}

/** Combines the guardrails and limits of one declaration with the outer ones. Its own limits win. */
export function inheritGuardrails(
  outer: Pick<Inherited, 'guardrails' | 'limits'>,
  options: GuardrailOptions & ExecutionLimits,
): Pick<Inherited, 'guardrails' | 'limits'> {
  const { timeoutMs = outer.limits.timeoutMs, resultLimit = outer.limits.resultLimit } = options;
  return { guardrails: mergeGuardrails(outer.guardrails, options), limits: { timeoutMs, resultLimit } };
}
