import type { JsonSchema } from '../../common/types.js';
import type { TypeShape } from '../../metadata/ClassShape.js';

/** A rule: the type that it implies, its JSON Schema, its description, and a direct test. */
export interface Rule {
  readonly type?: TypeShape | undefined;
  /** Accepts every value that the rule accepts, and possibly more. */
  readonly schema?: JsonSchema | undefined;
  /** The part of the rule that the schema does not express, so that it is only checked; undefined if there is none. */
  readonly unsaid?: string | undefined;
  readonly expected: string;
  /** The regular expression behind the rule, if there is one. */
  readonly pattern?: RegExp | undefined;
  /** Omitted if class-validator's own check is used. */
  readonly test?: ((value: unknown) => boolean) | undefined;
}

export type RuleRow = (constraints: readonly unknown[]) => Rule;

export const text: TypeShape = { kind: 'string' };

/** How a declared pattern is matched, or why it cannot be. */
export type PatternReading =
  | { readonly problem: string }
  | {
      readonly problem?: undefined;
      readonly test: (text: string) => boolean;
      /** The longest text, in characters, to match the pattern with. */
      readonly longest: number;
    };

/** Reads patterns; injected, so that reading declarations does not have to load an engine for regular expressions. */
export type PatternReader = (pattern: RegExp) => PatternReading;
