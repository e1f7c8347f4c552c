import type { Constructor, JsonSchema } from '../common/types.js';
import type { ParamIssue } from '../error/toolErrors.js';

/** A type in the intermediate form. Schema, parser and placeholders are derived from it. */
export type TypeShape =
  | { readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'any' | 'null' }
  | { readonly kind: 'enum'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: 'array'; readonly items: TypeShape }
  | { readonly kind: 'record'; readonly values: TypeShape }
  | { readonly kind: 'tuple'; readonly items: readonly TypeShape[] }
  | { readonly kind: 'oneOf'; readonly options: readonly TypeShape[] }
  | { readonly kind: 'object'; readonly shape: ClassShape }
  | DiscriminatedShape;

/** One of several classes, distinguished by the value of a key. */
export interface DiscriminatedShape {
  readonly kind: 'discriminated';
  /** The key, as the model sends it. */
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly shape: ClassShape }[];
  /** True if instances hold the key as well. */
  readonly keep: boolean;
}

/** One rule beyond the type: its test, its message, and its JSON Schema. */
export interface Check {
  /** Name of the rule, from class-validator or Toolwright. */
  readonly name: string;
  /** True if the rule applies to the items of an array. */
  readonly each: boolean;
  readonly test: (value: unknown, owner: object) => boolean;
  /** Describes the fault of a refused value in a sentence. */
  readonly message: (value: unknown, owner: object) => string;
  readonly schema: JsonSchema | undefined;
  /** A description of the rule without a value, or undefined. */
  readonly hint: string | undefined;
  /** The regular expression of the rule, if it has one. */
  readonly pattern: RegExp | undefined;
  /** True for a pattern that RE2 matches. Each match counts against the budget of its check. */
  readonly isBudgeted?: boolean | undefined;
  /** True for a rule that runs foreign code, which may take any time. */
  readonly foreign?: boolean | undefined;
  /** Set for a rule with its own condition, `validateIf`. Returns false if the rule does not apply. */
  readonly applies?: ((owner: object) => boolean) | undefined;
}

/** One property of a params class. */
export interface FieldShape {
  readonly property: string;
  /** The name that the model uses. */
  readonly wireName: string;
  readonly type: TypeShape;
  readonly optional: boolean;
  readonly nullable: boolean;
  readonly description: string | undefined;
  /** True if only the handler gets the value. */
  readonly secret: boolean;
  /** The default that is published and applied. Undefined if the class has no default, or a different one for each instance. */
  readonly default: { readonly value: unknown } | undefined;
  /** The default passed as an option, which no initialiser of the class applies. */
  readonly explicitDefault: { readonly value: unknown } | undefined;
  readonly checks: readonly Check[];
  /** Set if class-transformer has to convert the value: `@Transform`. */
  readonly conversion: string | undefined;
  /** Set if only class-validator can evaluate the rules: groups, `@ValidateIf`. */
  readonly condition: string | undefined;
  /** The name under which class-transformer looks for the value. */
  readonly libraryName: string;
}

/** The properties of a class. The schema, the placeholders and the parser are derived from them (decision 6). */
export interface ClassShape {
  readonly type: Constructor;
  readonly name: string;
  readonly fields: readonly FieldShape[];
  readonly byWireName: ReadonlyMap<string, FieldShape>;
  /** The reason why class-transformer or class-validator themselves are needed, or undefined. */
  readonly fullPath: string | undefined;
}

/** The result of parsing: the instance, or all issues. */
export type ParseOutcome<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly ParamIssue[] };

/** Parses unknown input into an instance. */
export type Parser<T = unknown> = (value: unknown) => ParseOutcome<T>;
