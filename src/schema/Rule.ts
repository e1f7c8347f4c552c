import type { JsonSchema } from '../common/types.js';
import type { TypeShape } from '../metadata/ClassShape.js';

/** What is known of a rule: the type it implies, what it says in JSON Schema, how it reads, and a direct test. */
export interface Rule {
  readonly type?: TypeShape | undefined;
  /** Never refuses what the rule takes; it may take more. */
  readonly schema?: JsonSchema | undefined;
  /** What of the rule JSON Schema cannot say, so that it is only checked; undefined when the schema says all of it. */
  readonly unsaid?: string | undefined;
  readonly expected: string;
  /** The regular expression behind the rule, if there is one. */
  readonly pattern?: RegExp | undefined;
  /** Left out where class-validator's own check is used. */
  readonly test?: ((value: unknown) => boolean) | undefined;
}

/** Makes the rule from the decorator's arguments. */
export type RuleRow = (constraints: readonly unknown[]) => Rule;

export const text: TypeShape = { kind: 'string' };

export function isText(value: unknown): value is string {
  return typeof value === 'string';
}
