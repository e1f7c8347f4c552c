import type { SchemaTarget } from '../../interface/ModelAdapter.js';

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

interface DialectModes {
  readonly plain: Dialect;
  /** Omitted if the provider has no such mode. */
  readonly strict?: Dialect;
}

const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

/** Draft 2020-12, with nothing to lower. */
const draft: Dialect = {
  keywords: 'all',
  formats: setOf(''),
  enums: setOf('string number boolean'),
  lookaround: true,
  minItems: Infinity,
  root: 'anything',
  optional: 'absent',
  types: 'list',
  recursion: 'anywhere',
  maps: true,
  untyped: true,
  limits: {},
};

/**
 * The dialect of each provider (docs/contract.md, 2; docs/schemas.md). Each target is one row.
 *
 * Where a provider's documentation and its client disagree, the row follows the stricter one: an unsupported keyword fails the
 * whole request with status 400, while an omitted keyword is still described to the model in words.
 */
export const dialects: Readonly<Record<SchemaTarget, DialectModes>> = {
  'json-schema': { plain: draft },
  mcp: { plain: { ...draft, root: 'object' } },
  openai: {
    plain: { ...draft, lookaround: false, root: 'object without union' },
    strict: {
      ...draft,
      keywords: setOf(
        'type title description enum const anyOf pattern format multipleOf minimum maximum exclusiveMinimum exclusiveMaximum items minItems maxItems',
      ),
      formats: setOf('date-time time date duration email hostname ipv4 ipv6 uuid'),
      lookaround: false,
      root: 'object without union',
      optional: 'null',
      maps: false,
      untyped: false,
      limits: {
        properties: 5_000,
        levels: 10,
        enumValues: 1_000,
        enumCharacters: 15_000,
        characters: 120_000,
      },
    },
  },
  anthropic: {
    plain: { ...draft, root: 'object without union' },
    strict: {
      ...draft,
      keywords: setOf('type title description enum const anyOf format items minItems'),
      formats: setOf('date-time time date duration email hostname uri ipv4 ipv6 uuid'),
      minItems: 1,
      root: 'object without union',
      types: 'anyOf',
      recursion: 'nowhere',
      maps: false,
      untyped: false,
      // Counted over all strict tools of a request; a single tool that exceeds them cannot be strict.
      limits: { optionalProperties: 24, unions: 16 },
    },
  },
  gemini: {
    plain: {
      ...draft,
      keywords: setOf(
        'type title description enum anyOf oneOf format minimum maximum items prefixItems minItems maxItems',
      ),
      formats: setOf('date-time date time'),
      enums: setOf('string number'),
      root: 'object without union',
      types: 'anyOf',
      recursion: 'in optional properties',
    },
  },
};
