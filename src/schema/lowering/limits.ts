import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { isSchema } from '../standard/schemaTree.js';
import { children, typesOf } from './children.js';
import type { SchemaLimits } from './Dialect.js';
import { References } from './References.js';

const LARGE_ENUM = 250;

/** The limits that a schema exceeds, each with what was counted. */
export function exceeded(schema: JsonSchema, limits: SchemaLimits): readonly SchemaLoss[] {
  const names = Object.keys(limits) as readonly (keyof SchemaLimits)[];
  if (names.length === 0) return [];
  const counted = measure(schema);
  return names
    .filter((name) => counted[name] > (limits[name] ?? Infinity))
    .map((name) => ({ path: '', keyword: name, value: counted[name], became: 'plain' }));
}

/** Counts everything that providers limit. */
function measure(root: JsonSchema): Readonly<Record<keyof SchemaLimits, number>> {
  const counts = {
    properties: 0,
    levels: levelsOf(root, new References(root)),
    enumValues: 0,
    enumCharacters: 0,
    characters: 0,
    optionalProperties: 0,
    unions: 0,
  };
  const visit = (schema: JsonSchema): void => {
    const { properties, required, enum: values = [], anyOf, $defs, const: only } = schema;
    const names = isSchema(properties) ? Object.keys(properties) : [];
    const entries = values as readonly unknown[];
    counts.properties += names.length;
    counts.optionalProperties += names.length - (Array.isArray(required) ? required.length : 0);
    counts.enumValues += entries.length;
    if (entries.length > LARGE_ENUM) counts.enumCharacters = Math.max(counts.enumCharacters, characters(entries));
    counts.characters += characters([...names, ...entries, ...Object.keys(Object($defs) as object), only ?? '']);
    if (anyOf !== undefined || typesOf(schema).length > 1) counts.unions++;
    for (const child of children(schema)) visit(child.schema);
  };
  visit(root);
  return counts;
}

function characters(texts: readonly unknown[]): number {
  return texts.reduce<number>((sum, text) => sum + String(text).length, 0);
}

/** How many objects and lists stand inside each other; what refers to itself is followed once. */
function levelsOf(root: JsonSchema, references: References): number {
  const known = new Map<JsonSchema, number>();
  const visit = (schema: JsonSchema): number => {
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, 0);
    const target = schema['$ref'] === undefined ? undefined : references.target(schema['$ref']);
    const inside = children(schema).filter(({ keyword }) => keyword !== '$defs' && keyword !== 'definitions');
    const levels = [...(target === undefined ? [] : [target]), ...inside.map((child) => child.schema)].map(visit);
    const below = levels.reduce((deepest, level) => Math.max(deepest, level), 0);
    const own = typesOf(schema).some((type) => type === 'object' || type === 'array') ? 1 : 0;
    known.set(schema, own + below);
    return own + below;
  };
  return visit(root);
}
