import type { EnumReference, TypeReference } from './TypeReference.js';

/** A format that strings are checked against. */
export type StringFormat = 'date-time' | 'date' | 'email' | 'uri' | 'uuid' | 'ipv4' | 'ipv6';

/** Rules and words for one property or parameter (docs/contract.md, 2). */
export interface ParamOptions {
  /** What the model reads about it. */
  readonly description?: string | undefined;
  /** The name that the model uses; the property's own when left out. */
  readonly name?: string | undefined;
  /** Where the compiler emits no usable type: a class, a thunk, `[X]`, `{ record: X }`, `{ oneOf: [...] }`. */
  readonly type?: TypeReference | undefined;
  readonly enum?: EnumReference | undefined;
  /** Type of the values of a string-keyed record. */
  readonly record?: TypeReference | undefined;
  readonly oneOf?: readonly TypeReference[] | undefined;
  /** May be left out. An initialiser or `default` says the same. */
  readonly optional?: boolean | undefined;
  /** `null` is a value, not absence. */
  readonly nullable?: boolean | undefined;
  /** The value when left out. */
  readonly default?: unknown;
  readonly integer?: boolean | undefined;
  readonly min?: number | undefined;
  readonly max?: number | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly pattern?: RegExp | string | undefined;
  readonly format?: StringFormat | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  /** Only the handler gets the value: no event, log or transcript shows it, and no message repeats it. */
  readonly secret?: boolean | undefined;
}

/** `@Param` on a property, as it was written. */
export interface PropertyMetadataArgs {
  readonly property: string;
  readonly options: ParamOptions;
  /** Set when a parameter's form was used on a property, or something that is neither a description nor options. */
  readonly misused: boolean;
}

/** `@Param` on a handler's parameter, as it was written. */
export interface ParameterMetadataArgs {
  readonly member: string | symbol | undefined;
  readonly index: number;
  /** Undefined when a property's form was used on a parameter. */
  readonly name: string | undefined;
  readonly options: ParamOptions;
  /** Set when something stands beside the name that is neither a description nor options. */
  readonly misused: boolean;
}

/** `@Ctx` on a handler's parameter. */
export interface ContextMetadataArgs {
  readonly member: string | symbol | undefined;
  readonly index: number;
}
