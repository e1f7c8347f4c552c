import { isRecord } from '../../common/guards.js';
import { getOwnValue } from '../../common/objects.js';
import type { JsonSchema } from '../../common/types.js';

// MAPS hold schemas under names that the author chose, DATA holds plain values; any other keyword holds a schema, a list of
// schemas, or a scalar.
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);
const DATA = new Set(['const', 'enum', 'default', 'examples']);

/** Checks for a keyword that holds plain data, without schemas in it. */
export function holdsData(keyword: string): boolean {
  return DATA.has(keyword);
}

/** Checks for a schema that is an object; `true` and `false` are schemas too, but have no keywords. */
export function isSchema(value: unknown): value is JsonSchema {
  return isRecord(value);
}

/** Lists the schemas directly below a schema. */
export function listInnerSchemas(schema: JsonSchema): readonly JsonSchema[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (holdsData(keyword)) return [];
    if (MAPS.has(keyword) && isSchema(value)) return Object.values(value).filter(isSchema);
    return (Array.isArray(value) ? (value as readonly unknown[]) : [value]).filter(isSchema);
  });
}

/** Finds the target of a reference within a schema; returns undefined if it is outside of the schema or does not exist. */
export function findReferenced(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#') return root;
  if (!reference.startsWith('#/')) return undefined;
  let place: unknown = root;
  for (const part of reference.slice(2).split('/')) {
    place = getOwnValue(place, decodeStep(part).replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return isSchema(place) ? place : undefined;
}

/** Decodes a step of a pointer, which is percent-encoded in a reference; keeps a step with a stray percent sign unchanged. */
function decodeStep(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/**
 * Lists schemas with all that may apply in their places: the targets of references, and the members of unions and intersections.
 * Lists each once: in recursive unions they would double with each level of a path.
 */
export function listAlternatives(root: JsonSchema, schemas: readonly unknown[]): readonly JsonSchema[] {
  const found = new Set<JsonSchema>();
  const open: JsonSchema[] = schemas.filter(isSchema).reverse();
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    // A schema may refer back to itself.
    if (found.has(next)) continue;
    found.add(next);
    const { $ref, anyOf, oneOf, allOf } = next;
    const target = typeof $ref === 'string' ? findReferenced(root, $ref) : undefined;
    if (target !== undefined) open.push(target);
    for (const members of [anyOf, oneOf, allOf]) {
      if (Array.isArray(members)) open.push(...(members as readonly unknown[]).filter(isSchema));
    }
  }
  return [...found];
}

/** Lists the schemas for one property, given the schemas that may apply to its object. */
export function listPropertySchemas(
  root: JsonSchema,
  schemas: readonly JsonSchema[],
  name: string,
): { readonly declared: boolean; readonly schemas: readonly JsonSchema[] } {
  const named = schemas.flatMap(({ properties }) =>
    isSchema(properties) && Object.hasOwn(properties, name) ? [properties[name]] : [],
  );
  const others = schemas.map(({ additionalProperties }) => additionalProperties);
  return { declared: named.length > 0, schemas: listAlternatives(root, named.length > 0 ? named : others) };
}

/** Lists the schemas for one item, given the schemas that may apply to its array. */
export function listItemSchemas(
  root: JsonSchema,
  schemas: readonly JsonSchema[],
  index: number,
): readonly JsonSchema[] {
  const item = schemas.map(({ prefixItems, items }) =>
    Array.isArray(prefixItems) && index in prefixItems ? (prefixItems[index] as unknown) : items,
  );
  return listAlternatives(root, item);
}
