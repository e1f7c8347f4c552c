import type { JsonSchema } from '../../common/types.js';
import { listNamedTypes } from '../standard/jsonTypes.js';

/** The keywords that apply to values of one type only. */
const keywordsByType = {
  string: 'minLength maxLength pattern format contentEncoding contentMediaType',
  number: 'minimum maximum exclusiveMinimum exclusiveMaximum multipleOf',
  array: 'items prefixItems minItems maxItems contains uniqueItems',
  object: 'properties required additionalProperties minProperties maxProperties',
};
/** The type of value that a keyword applies to; keywords without one apply to any. */
export const subjects: ReadonlyMap<string, string> = new Map(
  Object.entries(keywordsByType).flatMap(([type, keywords]) =>
    keywords.split(' ').map((keyword) => [keyword, type] as const),
  ),
);

/** Keywords for validators and tools; a model has no use for them. */
const MEANINGLESS = new Set(
  '$schema $id $anchor $comment $vocabulary $dynamicAnchor readOnly writeOnly unevaluatedProperties unevaluatedItems'.split(
    ' ',
  ),
);

/** Checks whether the keyword constrains values of one of the types; without types, values of any type. */
export function isMeaningful(keyword: string, value: unknown, types: readonly string[]): boolean {
  if (MEANINGLESS.has(keyword) || keyword.startsWith('x-')) return false;
  if (constrainsNothing(keyword, value)) return false;
  return types.length === 0 || types.some((type) => constrainsType(keyword, type));
}

/** Checks for a keyword that libraries write although it constrains nothing. */
function constrainsNothing(keyword: string, value: unknown): boolean {
  switch (keyword) {
    case 'minimum':
    case 'maximum':
      return Math.abs(Number(value)) === Number.MAX_SAFE_INTEGER;
    case 'propertyNames':
      return JSON.stringify(value) === '{"type":"string"}';
    case 'default':
      return value === null;
    default:
      return false;
  }
}

/** Checks for a pattern that no finite automaton can match: with a lookahead, a lookbehind or a back reference. */
export function looksAround(pattern: unknown): boolean {
  return /\(\?<?[=!]|\\[1-9]|\\k</.test(String(pattern));
}

/** Checks whether the keyword can refuse a value of the type. */
export function constrainsType(keyword: string, type: string): boolean {
  const subject = subjects.get(keyword);
  return subject === undefined || subject === type || (subject === 'number' && type === 'integer');
}

/** Adds the type if only other keywords imply it, since providers require it. */
export function addType(schema: JsonSchema): JsonSchema {
  if (['type', '$ref', 'anyOf', 'oneOf', 'allOf'].some((keyword) => keyword in schema)) return schema;
  const types = [...new Set(listNamedTypes(schema))];
  if (types.length > 0) return { type: types.length === 1 ? types[0] : types, ...schema };
  if ('properties' in schema || 'additionalProperties' in schema) return { type: 'object', ...schema };
  if ('items' in schema || 'prefixItems' in schema) return { type: 'array', ...schema };
  return schema;
}
