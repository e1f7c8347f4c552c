import { ToolwrightError } from 'toolwright';
import { ConformanceFault } from '../ConformanceFault';
import type { Outcome } from '../format';

/** The origin of an error, in the terms of the format. */
export type Stage = 'construct' | 'render' | 'dispatch' | 'open';

/** Fields of errors by the names that cases give them. */
const fields: Readonly<Record<string, string>> = {
  code: 'code',
  kind: 'kind',
  sectionPath: 'section_path',
  placeholder: 'placeholder',
  phase: 'phase',
  paramsType: 'params_type',
  sectionKeys: 'section_keys',
  reason: 'reason',
  requestedOverrides: 'requested_overrides',
  dimension: 'dimension',
};

/** An error that was caught, in the form of the cases; its text is left out, since the wording is ours. */
export function errorOutcome(thrown: unknown, stage?: Stage): Outcome {
  // A fault of the case or of the runner is no outcome of the framework.
  if (thrown instanceof ConformanceFault) throw thrown;
  const own = (typeof thrown === 'object' && thrown !== null ? thrown : {}) as Readonly<Record<string, unknown>>;
  const held = Object.entries(fields).flatMap(([property, name]) =>
    own[property] === undefined ? [] : [[name, own[property]] as const],
  );
  return {
    class: className(thrown),
    ...(stage === undefined ? {} : { stage }),
    ...(Object.fromEntries(held) as Outcome),
  };
}

function className(thrown: unknown): string {
  if (thrown instanceof ToolwrightError) return thrown.name;
  return thrown instanceof Error ? thrown.constructor.name : typeof thrown;
}
