import type { Constructor, JsonSchema } from '../common/types.js';
import type { ParamIssue } from '../error/toolErrors.js';

/** A type in the intermediate form, from which schema, parser and placeholders come. */
export type TypeShape =
  | { readonly kind: 'string' | 'number' | 'integer' | 'boolean' | 'date' | 'any' | 'null' }
  | { readonly kind: 'enum'; readonly values: readonly (string | number | boolean | null)[] }
  | { readonly kind: 'array'; readonly items: TypeShape }
  | { readonly kind: 'record'; readonly values: TypeShape }
  | { readonly kind: 'tuple'; readonly items: readonly TypeShape[] }
  | { readonly kind: 'oneOf'; readonly options: readonly TypeShape[] }
  | { readonly kind: 'object'; readonly shape: ClassShape }
  | DiscriminatedShape;

/** One of several classes, told apart by the value of a key. */
export interface DiscriminatedShape {
  readonly kind: 'discriminated';
  /** The key, as the model sends it. */
  readonly property: string;
  readonly subTypes: readonly { readonly name: string; readonly shape: ClassShape }[];
  /** Whether instances hold the key as well. */
  readonly keep: boolean;
}

/** One rule beyond the type: what it tests, how it reads, and what it says in JSON Schema. */
export interface Check {
  /** Names the rule: class-validator's name, or ours. */
  readonly name: string;
  /** `each` applies to the items of an array. */
  readonly each: boolean;
  readonly test: (value: unknown, owner: object) => boolean;
  /** What is wrong with a value that failed, as a sentence. */
  readonly message: (value: unknown, owner: object) => string;
  readonly schema: JsonSchema | undefined;
  /** The same without a value at hand; undefined for a rule of unknown wording. */
  readonly hint: string | undefined;
  /** The regular expression behind the rule, if there is one. */
  readonly pattern: RegExp | undefined;
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
  /** Only the handler gets the value. */
  readonly secret: boolean;
  /** Published and applied; absent when the class has none or gives another value each time. */
  readonly default: { readonly value: unknown } | undefined;
  /** The default given as an option, which no initialiser of the class applies. */
  readonly explicitDefault: { readonly value: unknown } | undefined;
  readonly checks: readonly Check[];
  /** Set when class-transformer has to convert the value: `@Transform`. */
  readonly conversion: string | undefined;
  /** Set when only class-validator can judge the rules: groups, `@ValidateIf`. */
  readonly condition: string | undefined;
  /** The name under which class-transformer looks for the value. */
  readonly libraryName: string;
}

/** One reading of a class; the schema, the placeholders and the parser come from it (docs/decisions/0006). */
export interface ClassShape {
  readonly type: Constructor;
  readonly name: string;
  readonly fields: readonly FieldShape[];
  readonly byWireName: ReadonlyMap<string, FieldShape>;
  /** Why class-transformer or class-validator themselves are needed; undefined when they are not. */
  readonly fullPath: string | undefined;
}

/** What parsing gives: the instance, or everything that is wrong. */
export type ParseOutcome<T = unknown> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly issues: readonly ParamIssue[] };

/** Parses unknown input into an instance. */
export type Parser<T = unknown> = (value: unknown) => ParseOutcome<T>;
