import { util } from '../../common/builtins.js';
import type { JsonSchema } from '../../common/types.js';
import { isSchema } from '../standard/schemaTree.js';
import type { References } from './References.js';

/** Keywords that describe a schema and do not constrain values. */
export const ANNOTATIONS: ReadonlySet<string> = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/**
 * Merges the parts of an `allOf` into the schema that holds it; leaves parts that cannot be merged, or are not objects, in the
 * `allOf`.
 */
export function mergeAllOf(schema: JsonSchema, references: References): JsonSchema {
  if (!Array.isArray(schema['allOf'])) return schema;
  const { allOf, ...own } = schema;
  const parts = allOf as readonly unknown[];
  const [only] = parts;
  // A single reference beside annotations is not an intersection; it stays a reference, since it may be recursive.
  if (parts.length === 1 && isSchema(only) && Object.keys(own).every((keyword) => ANNOTATIONS.has(keyword)))
    return mergeAllOf({ ...only, ...own }, references);
  let merged: JsonSchema = own;
  const left: unknown[] = [];
  for (const part of parts) {
    const joined = part === true ? merged : mergeSchemas(merged, resolvePart(part, references));
    if (joined === undefined) left.push(part);
    else merged = joined;
  }
  return left.length === 0 ? merged : { ...merged, allOf: left };
}

/** Inlines the reference of a part; returns undefined if the part cannot be merged. */
function resolvePart(part: unknown, references: References): JsonSchema | undefined {
  if (!isSchema(part)) return undefined;
  const { $ref, ...beside } = part;
  if ($ref === undefined) return mergeAllOf(part, references);
  const target = references.inlineTarget($ref);
  return target === undefined ? undefined : mergeSchemas(beside, mergeAllOf(target, references));
}

/** Merges two schemas into one; returns undefined if a keyword of both cannot be combined. */
function mergeSchemas(one: JsonSchema, other: JsonSchema | undefined): JsonSchema | undefined {
  if (other === undefined) return undefined;
  const merged: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const known = merged[keyword];
    if (known === undefined) merged[keyword] = value;
    else if (!ANNOTATIONS.has(keyword) && !util().isDeepStrictEqual(known, value)) {
      const both = joinKeyword(keyword, known, value);
      if (both === undefined) return undefined;
      merged[keyword] = both;
    }
  }
  return merged;
}

/** Combines two values of a keyword into one that demands both; returns undefined if there is no such value. */
function joinKeyword(keyword: string, one: unknown, other: unknown): unknown {
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
      return mergeProperties(one as JsonSchema, other as JsonSchema);
    case 'additionalProperties':
      // Taken literally, two closed objects with different properties would allow none, which is never meant.
      return one === false || other === false ? false : undefined;
    default:
      return undefined;
  }
}

function mergeProperties(one: JsonSchema, other: JsonSchema): JsonSchema | undefined {
  // A Map, because a property may be named like one of Object.prototype.
  const merged = new Map(Object.entries(one));
  for (const [name, property] of Object.entries(other)) {
    if (merged.has(name) && !util().isDeepStrictEqual(merged.get(name), property)) return undefined;
    merged.set(name, property);
  }
  return Object.fromEntries(merged);
}
