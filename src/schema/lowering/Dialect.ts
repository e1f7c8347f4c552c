/** Limits on the size of a schema; omitted where a provider has none. */
export interface SchemaLimits {
  /** Properties of all objects together. */
  readonly properties?: number;
  /** Levels of nested objects and lists; the arguments are the first. */
  readonly levels?: number;
  /** Values of all enums together. */
  readonly enumValues?: number;
  /** Characters of the values of one enum that has more than 250. */
  readonly enumCharacters?: number;
  /** Characters of all names of properties and definitions, and of all enum values. */
  readonly characters?: number;
  /** Properties that may be left out. */
  readonly optionalProperties?: number;
  /** Schemas with several types or alternatives. */
  readonly unions?: number;
}

/** The JSON Schema that a provider supports in one of its modes. Anything else goes into descriptions and is reported. */
export interface Dialect {
  /** Keywords that are kept unchanged, besides the structural ones. `all`: nothing is rewritten. */
  readonly keywords: ReadonlySet<string> | 'all';
  /** Supported values of `format`. */
  readonly formats: ReadonlySet<string>;
  /** Types of values that an enum may hold, besides null. */
  readonly enums: ReadonlySet<string>;
  /** True if patterns may contain lookaheads, lookbehinds, or back references. */
  readonly lookaround: boolean;
  /** The largest `minItems`. */
  readonly minItems: number;
  /** The required form of the arguments as a whole: anything, an object, or an object that is not a union. */
  readonly root: 'anything' | 'object' | 'object without union';
  /** The form of an optional property: not required (`absent`), or required and nullable (`null`). */
  readonly optional: 'absent' | 'null';
  /** The form of several types: `type: ['string', 'null']`, or `anyOf` with one type each. */
  readonly types: 'list' | 'anyOf';
  /** Places where a schema may refer to one that contains it. */
  readonly recursion: 'anywhere' | 'in optional properties' | 'nowhere';
  /** True if objects may have properties of any name; otherwise every object is closed. */
  readonly maps: boolean;
  /** True if a schema may leave the type open. */
  readonly untyped: boolean;
  /** Limits beyond which the mode cannot be used. */
  readonly limits: SchemaLimits;
}

/** The modes of a target. */
export interface DialectModes {
  readonly plain: Dialect;
  /** Omitted if the provider has no such mode. */
  readonly strict?: Dialect;
}
