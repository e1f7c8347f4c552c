import type { JsonSchema } from 'toolwright';
import { quote } from 'toolwright/internal/light';
import { listInnerSchemas, isSchema, findReferenced, walkValue } from 'toolwright/internal';
import {
  MAX_SCHEMAS_AT_ONCE,
  MAX_SCHEMA_CHARS,
  MAX_SCHEMA_LEVELS,
  MAX_SCHEMA_REFERENCES,
  MAX_SCHEMA_VALUES,
} from '../limits.js';

const IN_PLACE = ['not', 'if', 'then', 'else'];

/**
 * Returns the reason why a schema of a server is refused: it is too large, refers to other documents, or refers to itself for the
 * same value, which would never end. Nothing is fetched or compiled. Schemas may be recursive through a property or an item.
 *
 * @returns undefined for an accepted schema
 */
export function findSchemaProblem(schema: unknown): string | undefined {
  if (!isSchema(schema)) return 'is not an object';
  return findSizeProblem(schema) ?? findReferenceProblem(schema) ?? new InPlace(schema).problem();
}

/** Counts the objects, lists and values of a schema, up to the most that a schema may have. */
export function valuesOf(schema: unknown): number {
  let values = 0;
  walkValue(schema, {}, () => ++values > MAX_SCHEMA_VALUES);
  return values;
}

/** Checks the size of a schema without recursion, because its depth is not known yet. */
function findSizeProblem(schema: JsonSchema): string | undefined {
  let characters = 0;
  let prototypes = 0;
  const end = walkValue(schema, { values: MAX_SCHEMA_VALUES, depth: MAX_SCHEMA_LEVELS }, (value, key = '') => {
    characters += key.length + (typeof value === 'string' ? value.length : 0);
    if (key === '__proto__') prototypes++;
    return prototypes > 0 || characters > MAX_SCHEMA_CHARS;
  });
  if (prototypes > 0) return 'has a key __proto__';
  if (end === 'values') return `holds more than ${String(MAX_SCHEMA_VALUES)} values`;
  if (end === 'depth') return `is deeper than ${String(MAX_SCHEMA_LEVELS)} levels`;
  return end && `holds more than ${String(MAX_SCHEMA_CHARS)} characters`;
}

function findReferenceProblem(root: JsonSchema): string | undefined {
  const open: JsonSchema[] = [root];
  let references = 0;
  for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
    const { $ref, $dynamicRef, $recursiveRef, $async } = schema;
    if ($dynamicRef !== undefined || $recursiveRef !== undefined) return 'refers to what is only known when it is used';
    // Such a schema returns a promise when compiled, which is always truthy.
    if ($async !== undefined) return 'is asynchronous';
    if ($ref !== undefined) {
      if (++references > MAX_SCHEMA_REFERENCES)
        return `refers to other schemas more than ${String(MAX_SCHEMA_REFERENCES)} times`;
      if (typeof $ref !== 'string' || findReferenced(root, $ref) === undefined)
        return `refers to ${quote($ref)}, which is not in it; nothing is fetched`;
    }
    open.push(...listInnerSchemas(schema));
  }
  return undefined;
}

/** Follows the subschemas that apply to the same value: references and combinations, but not properties or items. */
class InPlace {
  readonly #root: JsonSchema;
  /** The number of schemas below each schema; null while a schema is being followed. */
  readonly #counts = new Map<JsonSchema, number | null>();

  constructor(root: JsonSchema) {
    this.#root = root;
  }

  problem(): string | undefined {
    const open: JsonSchema[] = [this.#root];
    for (let schema = open.pop(); schema !== undefined; schema = open.pop()) {
      const count = this.#countSchemas(schema);
      if (count === null) return 'refers to itself in a circle';
      if (count > MAX_SCHEMAS_AT_ONCE)
        return `holds one value against more than ${String(MAX_SCHEMAS_AT_ONCE)} schemas`;
      open.push(...listInnerSchemas(schema));
    }
    return undefined;
  }

  /** Counts the schemas that apply to one value. Returns null for a cycle. */
  #countSchemas(schema: JsonSchema): number | null {
    const known = this.#counts.get(schema);
    if (known !== undefined) return known;
    this.#counts.set(schema, null);
    let sum = 1;
    for (const inner of this.#listInner(schema)) {
      const count = this.#countSchemas(inner);
      if (count === null) return null;
      sum = Math.min(sum + count, MAX_SCHEMAS_AT_ONCE + 1);
    }
    this.#counts.set(schema, sum);
    return sum;
  }

  #listInner(schema: JsonSchema): readonly JsonSchema[] {
    const { $ref, allOf, anyOf, oneOf, dependentSchemas, dependencies } = schema;
    const target = typeof $ref === 'string' ? findReferenced(this.#root, $ref) : undefined;
    return [
      target,
      ...[allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as readonly unknown[]) : [])),
      ...IN_PLACE.map((keyword) => schema[keyword]),
      ...[dependentSchemas, dependencies].flatMap((named) => (isSchema(named) ? Object.values(named) : [])),
    ].filter(isSchema);
  }
}
