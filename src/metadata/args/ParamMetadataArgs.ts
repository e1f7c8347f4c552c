import type { EnumReference, TypeReference } from './TypeReference.js';

/** A format that texts are checked against. */
export type StringFormat = 'date-time' | 'date' | 'email' | 'uri' | 'uuid' | 'ipv4' | 'ipv6';

/**
 * Rules and description of one property or parameter (docs/contract.md, 2). `@Param` infers the type parameters and
 * compares them with its property.
 */
export interface ParamOptions<
  E extends EnumReference = EnumReference,
  D = unknown,
  O extends boolean = boolean,
  R extends TypeReference = TypeReference,
> {
  /** The description that the model reads. */
  readonly description?: string | undefined;
  /** The name that the model uses; the name of the property by default. */
  readonly name?: string | undefined;
  /**
   * The type, if the compiler does not emit a usable one: a class, a thunk, `[X]`, `{ record: X }`, `{ oneOf: [...] }`.
   */
  readonly type?: R | undefined;
  /** The allowed values: a list, an enum, or a thunk of one. */
  readonly enum?: E | undefined;
  /** Type of the values of a record with text keys. */
  readonly record?: TypeReference | undefined;
  /** Types, of which a value has exactly one. */
  readonly oneOf?: readonly R[] | undefined;
  /** Allows the value to be left out. Implied by an initialiser or `default`. */
  readonly optional?: O | undefined;
  /** Accepts `null`, as a value distinct from a missing one. */
  readonly nullable?: boolean | undefined;
  /** The value used if it is left out. */
  readonly default?: D | undefined;
  /** Accepts only whole numbers. */
  readonly integer?: boolean | undefined;
  /** Minimum number. */
  readonly min?: number | undefined;
  /** Maximum number. */
  readonly max?: number | undefined;
  /** Minimum number of characters. */
  readonly minLength?: number | undefined;
  /** Maximum number of characters. */
  readonly maxLength?: number | undefined;
  /** Regular expression that texts must match, in linear time. */
  readonly pattern?: RegExp | string | undefined;
  /** The format of a text, such as `email` or `date-time`. */
  readonly format?: StringFormat | undefined;
  /** Minimum number of items of a list. */
  readonly minItems?: number | undefined;
  /** Maximum number of items of a list. */
  readonly maxItems?: number | undefined;
  /** Shows the value only to the handler. Events, logs, transcripts and messages do not contain it. */
  readonly secret?: boolean | undefined;
  /** Excludes the property from every schema: it is neither read from arguments nor written to results. */
  readonly internal?: boolean | undefined;
}

/** `@Param` on a property, as declared. */
export interface PropertyMetadataArgs {
  readonly property: string;
  readonly options: ParamOptions;
  /** True if the form for parameters was used, or a value that is neither a description nor options. */
  readonly misused: boolean;
}

/** `@Param` on a handler's parameter, as declared. */
export interface ParameterMetadataArgs {
  readonly member: string | symbol | undefined;
  readonly index: number;
  /** Undefined if the form for properties was used. */
  readonly name: string | undefined;
  readonly options: ParamOptions;
  /** True if the value after the name is neither a description nor options. */
  readonly misused: boolean;
}

/** `@Ctx` on a handler's parameter. */
export interface ContextMetadataArgs {
  readonly member: string | symbol | undefined;
  readonly index: number;
}
