import type { JsonSchema } from '../../common/types.js';
import { isSchema } from './schemaTree.js';

/** Writes one of our own schemas (draft 2020-12) as draft 07. */
export function draft07(schema: JsonSchema): JsonSchema {
  const { $ref, $defs, prefixItems, ...rest } = schema;
  const words = Object.fromEntries(Object.entries(rest).map(([keyword, value]) => [keyword, inner(keyword, value)]));
  if (Array.isArray(prefixItems)) {
    // There, a list of schemas stands in `items`, and what follows the list in `additionalItems`.
    words['additionalItems'] = words['items'];
    words['items'] = (prefixItems as readonly JsonSchema[]).map(draft07);
  }
  if (isSchema($defs)) words['definitions'] = named($defs);
  if (typeof $ref !== 'string') return words;
  const reference = { $ref: $ref.replace(/^#\/\$defs\//, '#/definitions/') };
  // Draft 07 ignores all that stands beside a reference.
  return Object.keys(words).length === 0 ? reference : { allOf: [reference], ...words };
}

function inner(keyword: string, value: unknown): unknown {
  if (keyword === 'properties' && isSchema(value)) return named(value);
  if (keyword === 'default' || keyword === 'enum' || keyword === 'const') return value;
  if (Array.isArray(value)) return value.map((entry: unknown) => (isSchema(entry) ? draft07(entry) : entry));
  return isSchema(value) ? draft07(value) : value;
}

function named(schemas: JsonSchema): JsonSchema {
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inner('', schema)]));
}
