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
  /**
   * The description that the model reads.
   *
   * @example description: 'Number on the receipt'
   */
  readonly description?: string | undefined;
  /**
   * The name that the model uses.
   *
   * @defaultValue the name of the property
   * @example name: 'order_id'
   */
  readonly name?: string | undefined;
  /**
   * The type, if the compiler does not emit a usable one: a class, a thunk, `[X]`, `{ record: X }`, `{ oneOf: [...] }`.
   *
   * @defaultValue the type that the compiler emits
   * @example type: [Order]
   */
  readonly type?: R | undefined;
  /**
   * The allowed values: a list, an enum, or a thunk of one.
   *
   * @example enum: ['open', 'paid', 'cancelled']
   */
  readonly enum?: E | undefined;
  /**
   * Type of the values of a record with text keys.
   *
   * @example record: Number
   */
  readonly record?: TypeReference | undefined;
  /**
   * Types, of which a value has exactly one.
   *
   * @example oneOf: [Card, BankTransfer]
   */
  readonly oneOf?: readonly R[] | undefined;
  /**
   * Allows the value to be left out.
   *
   * @defaultValue `true` with an initialiser or `default`, otherwise `false`
   * @example optional: true
   */
  readonly optional?: O | undefined;
  /**
   * Accepts `null`, as a value distinct from a missing one.
   *
   * @defaultValue `false`
   * @example nullable: true
   */
  readonly nullable?: boolean | undefined;
  /**
   * The value used if it is left out.
   *
   * @defaultValue the initialiser of the property
   * @example default: 20
   */
  readonly default?: D | undefined;
  /**
   * Accepts only whole numbers.
   *
   * @defaultValue `false`
   * @example integer: true
   */
  readonly integer?: boolean | undefined;
  /**
   * Minimum number.
   *
   * @example min: 0
   */
  readonly min?: number | undefined;
  /**
   * Maximum number.
   *
   * @example max: 100
   */
  readonly max?: number | undefined;
  /**
   * Minimum number of characters.
   *
   * @example minLength: 1
   */
  readonly minLength?: number | undefined;
  /**
   * Maximum number of characters.
   *
   * @example maxLength: 200
   */
  readonly maxLength?: number | undefined;
  /**
   * Regular expression that texts must match, in linear time.
   *
   * @example pattern: /^#W\d{7}$/
   */
  readonly pattern?: RegExp | string | undefined;
  /**
   * The format of a text, such as `email` or `date-time`.
   *
   * @example format: 'email'
   */
  readonly format?: StringFormat | undefined;
  /**
   * Minimum number of items of a list.
   *
   * @example minItems: 1
   */
  readonly minItems?: number | undefined;
  /**
   * Maximum number of items of a list.
   *
   * @example maxItems: 50
   */
  readonly maxItems?: number | undefined;
  /**
   * Shows the value only to the handler. Events, logs, transcripts and messages do not contain it.
   *
   * @defaultValue `false`
   * @example secret: true
   */
  readonly secret?: boolean | undefined;
  /**
   * Excludes the property from every schema: it is neither read from arguments nor written to results.
   *
   * @defaultValue `false`
   * @example internal: true
   */
  readonly internal?: boolean | undefined;
}

/** `@Param` on a property, as declared. */
export interface PropertyMetadataArgs {
  readonly property: string;
  readonly options: ParamOptions;
  /** True if the form for parameters was used, or a value that is neither a description nor options. */
  readonly misused: boolean;
}

/** `@Ctx` on a handler's parameter. */
export interface ContextMetadataArgs {
  readonly member: string | symbol | undefined;
  readonly index: number;
}

/** `@Param` on a handler's parameter, as declared. */
export interface ParameterMetadataArgs extends ContextMetadataArgs {
  /** Undefined if the form for properties was used. */
  readonly name: string | undefined;
  readonly options: ParamOptions;
  /** True if the value after the name is neither a description nor options. */
  readonly misused: boolean;
}
