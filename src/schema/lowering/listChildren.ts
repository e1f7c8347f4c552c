import { isObject } from '../../common/guards.js';
import { mapEntries } from '../../common/objects.js';
import type { JsonSchema } from '../../common/types.js';
import { isSchema } from '../standard/schemaTree.js';

/** Keywords that hold one schema, a list of schemas, or schemas by name. Objects under any other keyword are plain values. */
const SINGLE = ['items', 'additionalProperties', 'contains', 'propertyNames', 'not', 'if', 'then', 'else'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'];
const HOLDS = new Map<string, 'one' | 'several'>([
  ...SINGLE.map((keyword) => [keyword, 'one'] as const),
  ...[...LISTS, ...MAPS].map((keyword) => [keyword, 'several'] as const),
]);

export interface ChildSchema {
  readonly keyword: string;
  readonly schema: JsonSchema;
}

/** Lists the schemas directly inside a schema, without `true` and `false`. */
export function listChildren(schema: JsonSchema): readonly ChildSchema[] {
  const found: ChildSchema[] = [];
  for (const keyword of Object.keys(schema)) {
    const holds = HOLDS.get(keyword);
    const value = schema[keyword];
    if (holds === undefined || !isObject(value)) continue;
    for (const child of holds === 'one' ? [value] : (Object.values(value) as readonly unknown[])) {
      if (isSchema(child)) found.push({ keyword, schema: child });
    }
  }
  return found;
}

/** Replaces every schema directly inside a schema; `change` receives each with its step of a JSON Pointer. */
export function mapChildren(schema: JsonSchema, change: (child: JsonSchema, step: string) => JsonSchema): JsonSchema {
  const changed = (child: unknown, step: string): unknown => (isSchema(child) ? change(child, step) : child);
  return mapEntries(schema, (keyword, value) => {
    const step = encodePointerStep(keyword);
    if (SINGLE.includes(keyword)) return changed(value, step);
    if (LISTS.includes(keyword) && Array.isArray(value))
      return value.map((child, index) => changed(child, `${step}${encodePointerStep(index)}`));
    if (!MAPS.includes(keyword) || !isSchema(value)) return value;
    return mapEntries(value, (name, child) => changed(child, `${step}${encodePointerStep(name)}`));
  });
}

export function encodePointerStep(name: string | number): string {
  return `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
