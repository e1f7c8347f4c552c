import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { listChildren, mapChildren } from './listChildren.js';
import { looksAround } from './keywords.js';
import { addDescription } from './describeSchema.js';
import type { LossySchema } from './writeObjectRoot.js';

/** Moves patterns with lookarounds or back references to descriptions; returns the same object if there are none. */
export function describePatterns(given: LossySchema): LossySchema {
  if (!hasUnsupportedPattern(given.schema)) return given;
  const losses: SchemaLoss[] = [...given.losses];
  const rewrite = (schema: JsonSchema, path: string): JsonSchema => {
    const { pattern, allOf, ...others } = schema;
    const parts = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [];
    // Described by the enclosing schema: the part itself would be empty, with a description that is never read.
    const moved = parts.filter(isUnsupportedPart);
    const left = parts.filter((part) => !isUnsupportedPart(part));
    const described = {
      ...(looksAround(pattern) ? { pattern } : {}),
      ...(moved.length === 0 ? {} : { allOf: moved }),
    };
    const kept = {
      ...others,
      ...(pattern === undefined || 'pattern' in described ? {} : { pattern }),
      ...(left.length === 0 ? {} : { allOf: left }),
    };
    for (const [keyword, value] of Object.entries(described))
      losses.push({ path, keyword, value, became: 'description' });
    return addDescription(
      mapChildren(kept, (child, step) => rewrite(child, path + step)),
      described,
    );
  };
  return { schema: rewrite(given.schema, ''), losses };
}

function hasUnsupportedPattern(schema: JsonSchema): boolean {
  return looksAround(schema['pattern']) || listChildren(schema).some((child) => hasUnsupportedPattern(child.schema));
}

/** Checks for a part of an `allOf` that holds only such a pattern. */
function isUnsupportedPart(part: JsonSchema): boolean {
  return looksAround(part['pattern']) && Object.keys(part).length === 1;
}
