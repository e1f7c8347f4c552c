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
export function measure(root: JsonSchema): Readonly<Record<keyof SchemaLimits, number>> {
  const counter = new Counter(root);
  const levels = counter.levelsOf(root);
  return { ...counter.counts, levels };
}

/** Goes through a schema once: what refers to itself is followed once, and a definition is counted where it stands. */
class Counter {
  readonly counts = {
    properties: 0,
    enumValues: 0,
    enumCharacters: 0,
    characters: 0,
    optionalProperties: 0,
    unions: 0,
  };
  readonly #levels = new Map<JsonSchema, number>();
  readonly #references: References;

  constructor(root: JsonSchema) {
    this.#references = new References(root);
  }

  /** How many objects and lists stand inside each other; what is below is counted on the way. */
  levelsOf(schema: JsonSchema): number {
    const known = this.#levels.get(schema);
    if (known !== undefined) return known;
    this.#levels.set(schema, 0);
    this.#count(schema);
    const target = schema['$ref'] === undefined ? undefined : this.#references.target(schema['$ref']);
    let below = target === undefined ? 0 : this.levelsOf(target);
    const definitions: JsonSchema[] = [];
    for (const child of children(schema)) {
      // A definition is as deep as where it is referred to; those that nothing refers to are counted all the same.
      if (child.keyword === '$defs') definitions.push(child.schema);
      else below = Math.max(below, this.levelsOf(child.schema));
    }
    for (const definition of definitions) this.levelsOf(definition);
    const own = typesOf(schema).some((type) => type === 'object' || type === 'array') ? 1 : 0;
    this.#levels.set(schema, own + below);
    return own + below;
  }

  #count({ properties, required, enum: values, anyOf, $defs, const: only, type }: JsonSchema): void {
    const { counts } = this;
    if (isSchema(properties)) {
      const names = Object.keys(properties);
      counts.properties += names.length;
      counts.optionalProperties += names.length - (Array.isArray(required) ? required.length : 0);
      counts.characters += characters(names);
    }
    if (Array.isArray(values)) {
      const length = characters(values);
      counts.enumValues += values.length;
      counts.characters += length;
      if (values.length > LARGE_ENUM) counts.enumCharacters = Math.max(counts.enumCharacters, length);
    }
    if (only !== undefined) counts.characters += characters([only]);
    if (isSchema($defs)) counts.characters += characters(Object.keys($defs));
    if (anyOf !== undefined || (Array.isArray(type) && type.length > 1)) counts.unions++;
  }
}

function characters(texts: readonly unknown[]): number {
  return texts.reduce<number>((sum, text) => sum + String(text).length, 0);
}
