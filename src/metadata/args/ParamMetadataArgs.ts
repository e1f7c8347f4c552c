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
  readonly enum?: E | undefined;
  /** Type of the values of a string-keyed record. */
  readonly record?: TypeReference | undefined;
  readonly oneOf?: readonly R[] | undefined;
  /** True if it may be left out; implied by an initialiser or `default`. */
  readonly optional?: O | undefined;
  /** True if `null` is accepted, as a value distinct from absence. */
  readonly nullable?: boolean | undefined;
  /** The value used if it is left out. */
  readonly default?: D | undefined;
  readonly integer?: boolean | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: RegExp | string | undefined;
  readonly format?: StringFormat | undefined;
  readonly minItems?: number | undefined;
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
