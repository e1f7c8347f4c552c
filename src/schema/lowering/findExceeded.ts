import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { listTypes } from '../standard/jsonTypes.js';
import { isSchema } from '../standard/schemaTree.js';
import { listChildren } from './listChildren.js';
import type { SchemaLimits } from './dialects.js';
import { References } from './References.js';

const LARGE_ENUM = 250;

/** Lists the limits that a schema exceeds, each with the counted value. */
export function findExceeded(schema: JsonSchema, limits: SchemaLimits): readonly SchemaLoss[] {
  const names = Object.keys(limits) as readonly (keyof SchemaLimits)[];
  if (names.length === 0) return [];
  const counted = measureSchema(schema);
  return names
    .filter((name) => counted[name] > (limits[name] ?? Infinity))
    .map((name) => ({ path: '', keyword: name, value: counted[name], became: 'plain' }));
}

/** Counts everything that providers limit. */
export function measureSchema(root: JsonSchema): Readonly<Record<keyof SchemaLimits, number>> {
  const counts = {
    properties: 0,
    levels: countLevels(root, new References(root)),
    enumValues: 0,
    enumCharacters: 0,
    characters: 0,
    optionalProperties: 0,
    unions: 0,
  };
  const visit = (schema: JsonSchema): void => {
    const { properties, required, enum: values, anyOf, $defs, const: only, type } = schema;
    if (isSchema(properties)) {
      const names = Object.keys(properties);
      counts.properties += names.length;
      counts.optionalProperties += names.length - (Array.isArray(required) ? required.length : 0);
      counts.characters += countCharacters(names);
    }
    if (Array.isArray(values)) {
      const length = countCharacters(values);
      counts.enumValues += values.length;
      counts.characters += length;
      if (values.length > LARGE_ENUM) counts.enumCharacters = Math.max(counts.enumCharacters, length);
    }
    if (only !== undefined) counts.characters += countCharacters([only]);
    if (isSchema($defs)) counts.characters += countCharacters(Object.keys($defs));
    if (anyOf !== undefined || (Array.isArray(type) && type.length > 1)) counts.unions++;
    for (const child of listChildren(schema)) visit(child.schema);
  };
  visit(root);
  return counts;
}

function countCharacters(texts: readonly unknown[]): number {
  return texts.reduce<number>((sum, text) => sum + String(text).length, 0);
}

/** Measures the nesting depth of objects and lists; follows a schema that refers to itself once. */
function countLevels(root: JsonSchema, references: References): number {
  const known = new Map<JsonSchema, number>();
  const visit = (schema: JsonSchema): number => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, 0);
    const target = schema['$ref'] === undefined ? undefined : references.target(schema['$ref']);
    let below = target === undefined ? 0 : visit(target);
    for (const child of listChildren(schema)) {
      // A definition counts where it is referred to.
      if (child.keyword !== '$defs') below = Math.max(below, visit(child.schema));
    }
    const own = listTypes(schema).some((type) => type === 'object' || type === 'array') ? 1 : 0;
    known.set(schema, own + below);
    return own + below;
  };
  return visit(root);
}
