/** How large a schema may be; what a provider does not limit is left out. */
export interface SchemaLimits {
  /** Properties of all objects together. */
  readonly properties?: number;
  /** Objects and lists inside each other, the arguments being the first. */
  readonly levels?: number;
  /** Values of all enums together. */
  readonly enumValues?: number;
  /** Characters of the texts of one enum that has more than 250 values. */
  readonly enumCharacters?: number;
  /** Characters of all names of properties and definitions, and of all values of enums. */
  readonly characters?: number;
  /** Properties that may be left out. */
  readonly optionalProperties?: number;
  /** Schemas with several types or alternatives. */
  readonly unions?: number;
}

/** What a provider can be told in one of its modes. What it cannot be told goes into descriptions, and into the report. */
export interface Dialect {
  /** Keywords that are said as they are, beside those that make up the structure. `all`: nothing is rewritten. */
  readonly keywords: ReadonlySet<string> | 'all';
  /** Formats of texts. */
  readonly formats: ReadonlySet<string>;
  /** Types of values that an enum may hold, beside null. */
  readonly enums: ReadonlySet<string>;
  /** Whether patterns may look ahead, behind, or back at a group. */
  readonly lookaround: boolean;
  /** The largest `minItems`. */
  readonly minItems: number;
  /** What the arguments as a whole have to be: an object, or an object that is no union either. */
  readonly root: 'anything' | 'object' | 'object without union';
  /** How a property that may be left out is said: it is not required, or it is required and may be null. */
  readonly optional: 'absent' | 'null';
  /** How several types are said: `type: ['string', 'null']`, or `anyOf` with one type each. */
  readonly types: 'list' | 'anyOf';
  /** Where a schema may refer to one that it is part of. */
  readonly recursion: 'anywhere' | 'in optional properties' | 'nowhere';
  /** Whether objects may have properties of any name; otherwise every object is closed. */
  readonly maps: boolean;
  /** Whether a schema may leave the type open. */
  readonly untyped: boolean;
  /** Beyond these the mode cannot be used. */
  readonly limits: SchemaLimits;
}

/** The modes of a target. */
export interface DialectModes {
  readonly plain: Dialect;
  /** Left out where the provider has no such mode. */
  readonly strict?: Dialect;
}
