import type { SchemaTarget } from '../../interface/ModelAdapter.js';
import type { Dialect, DialectModes } from './Dialect.js';

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
