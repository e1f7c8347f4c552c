import type { JsonSchema } from 'toolwright';
import { quote } from 'toolwright/internal/light';
import { listInnerSchemas, isSchema, findReferenced } from 'toolwright/internal';

/** The most objects, lists and values in one schema. */
const MOST_VALUES = 10_000;
const MOST_CHARACTERS = 200_000;
const MOST_DEPTH = 64;
const MOST_REFERENCES = 500;
/** The most schemas that apply to one value, not counting the schemas of its parts. */
const MOST_AT_ONCE = 2_000;

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
  const open: unknown[] = [schema];
  let values = 0;
  while (open.length > 0 && values <= MOST_VALUES) {
    const value = open.pop();
    values++;
    if (typeof value !== 'object' || value === null) continue;
    const inner: readonly unknown[] = Object.values(value);
    open.push(...inner.slice(0, MOST_VALUES));
  }
  return values;
}

/** Checks the size of a schema without recursion, because its depth is not known yet. */
function findSizeProblem(schema: JsonSchema): string | undefined {
  const open: { readonly value: unknown; readonly depth: number }[] = [{ value: schema, depth: 0 }];
  let values = 0;
  let characters = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { value, depth } = next;
    if (++values > MOST_VALUES) return `holds more than ${String(MOST_VALUES)} values`;
    if (depth > MOST_DEPTH) return `is deeper than ${String(MOST_DEPTH)} levels`;
    if (typeof value === 'string') characters += value.length;
    if (typeof value === 'object' && value !== null) {
      if (Object.hasOwn(value, '__proto__')) return 'has a key __proto__';
      for (const [key, inner] of Object.entries(value)) {
        characters += key.length;
        open.push({ value: inner, depth: depth + 1 });
      }
    }
    if (characters > MOST_CHARACTERS) return `holds more than ${String(MOST_CHARACTERS)} characters`;
  }
  return undefined;
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
      if (++references > MOST_REFERENCES) return `refers to other schemas more than ${String(MOST_REFERENCES)} times`;
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
      if (count > MOST_AT_ONCE) return `holds one value against more than ${String(MOST_AT_ONCE)} schemas`;
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
      sum = Math.min(sum + count, MOST_AT_ONCE + 1);
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
