import type { EnumReference, TypeReference } from './TypeReference.js';

/** A format that strings are checked against. */
export type StringFormat = 'date-time' | 'date' | 'email' | 'uri' | 'uuid' | 'ipv4' | 'ipv6';

/**
 * Rules and description of one property or parameter (docs/contract.md, 2). The type parameters are inferred by `@Param`, which
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
  /** The name that the model uses; the property's own by default. */
  readonly name?: string | undefined;
  /** The type, if the compiler emits no usable one: a class, a thunk, `[X]`, `{ record: X }`, `{ oneOf: [...] }`. */
  readonly type?: R | undefined;
  /** The values that it may have: a list, an enum, or a thunk of one. */
  readonly enum?: E | undefined;
  /** Type of the values of a string-keyed record. */
  readonly record?: TypeReference | undefined;
  /** The types of which a value has exactly one. */
  readonly oneOf?: readonly R[] | undefined;
  /** True if it may be left out; implied by an initialiser or `default`. */
  readonly optional?: O | undefined;
  /** True if `null` is accepted, as a value distinct from absence. */
  readonly nullable?: boolean | undefined;
  /** The value used if it is left out. */
  readonly default?: D | undefined;
  /** True for whole numbers only. */
  readonly integer?: boolean | undefined;
  /** The least number. */
  readonly min?: number | undefined;
  /** The greatest number. */
  readonly max?: number | undefined;
  /** The fewest characters. */
  readonly minLength?: number | undefined;
  /** The most characters. */
  readonly maxLength?: number | undefined;
  /** Matches texts that are accepted, in linear time. */
  readonly pattern?: RegExp | string | undefined;
  /** The form of a text, such as `email` or `date-time`. */
  readonly format?: StringFormat | undefined;
  /** The fewest items of a list. */
  readonly minItems?: number | undefined;
  /** The most items of a list. */
  readonly maxItems?: number | undefined;
  /** True if only the handler gets the value: no event, log or transcript shows it, and no message repeats it. */
  readonly secret?: boolean | undefined;
  /** True for a property of the class that is in no schema: it is neither read from arguments nor written to results. */
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
