import { util } from '../../common/builtins.js';
import type { JsonSchema } from '../../common/types.js';
import { isSchema } from '../standard/schemaTree.js';
import type { References } from './References.js';

/** Keywords that say something about a schema, and nothing about values. */
export const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * Folds the parts of an `allOf` into the schema that holds it; parts that contradict it, or that are no objects of keywords,
 * stay where they were.
 */
export function mergeAllOf(schema: JsonSchema, references: References): JsonSchema {
  if (!Array.isArray(schema['allOf'])) return schema;
  const { allOf, ...own } = schema;
  const parts = allOf as readonly unknown[];
  const [only] = parts;
  // A lone reference with words around it is no intersection; it stays one, since it may be recursive.
  if (parts.length === 1 && isSchema(only) && Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword)))
    return mergeAllOf({ ...only, ...own }, references);
  let merged: JsonSchema = own;
  const left: unknown[] = [];
  for (const part of parts) {
    const joined = part === true ? merged : merge(merged, resolved(part, references));
    if (joined === undefined) left.push(part);
    else merged = joined;
  }
  return left.length === 0 ? merged : { ...merged, allOf: left };
}

/** What a part says; undefined when that cannot be written in its place. */
function resolved(part: unknown, references: References): JsonSchema | undefined {
  if (!isSchema(part)) return undefined;
  const { $ref, ...beside } = part;
  if ($ref === undefined) return mergeAllOf(part, references);
  const target = references.inlined($ref);
  return target === undefined ? undefined : merge(beside, mergeAllOf(target, references));
}

/** One schema for what both say; undefined when they contradict each other. */
function merge(one: JsonSchema, other: JsonSchema | undefined): JsonSchema | undefined {
  if (other === undefined) return undefined;
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    if (known === undefined) merged[keyword] = value;
    else if (!ANNOTATIONS.has(keyword) && !util().isDeepStrictEqual(known, value)) {
      const both = joint(keyword, known, value);
      if (both === undefined) return undefined;
      merged[keyword] = both;
    }
  }
  return merged;
}

/** What two values of a keyword demand together; undefined where no single value says that. */
function joint(keyword: string, one: unknown, other: unknown): unknown {
  switch (keyword) {
    case 'minimum':
    case 'minLength':
    case 'minItems':
      return Math.max(Number(one), Number(other));
    case 'maximum':
    case 'maxLength':
    case 'maxItems':
      return Math.min(Number(one), Number(other));
    case 'required':
      return [...new Set([...(one as readonly string[]), ...(other as readonly string[])])];
    case 'properties':
      return mergedProperties(one as JsonSchema, other as JsonSchema);
    case 'additionalProperties':
      // Taken literally, two closed objects with different properties would leave none, which is never meant.
      return one === false || other === false ? false : undefined;
    default:
      return undefined;
  }
}

function mergedProperties(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  // A Map, because a property may be named like one of Object's own.
  const merged = new Map(Object.entries(one));
  for (const [name, property] of Object.entries(other)) {
    if (merged.has(name) && !util().isDeepStrictEqual(merged.get(name), property)) return undefined;
    merged.set(name, property);
  }
  return Object.fromEntries(merged);
}
