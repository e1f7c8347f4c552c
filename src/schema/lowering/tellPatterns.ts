import type { JsonSchema } from '../../common/types.js';
import type { SchemaLoss } from '../../interface/ModelAdapter.js';
import { children, mapChildren } from './children.js';
import { looksAround } from './keywords.js';
import { withWords } from './words.js';

/** Says in words the patterns that look around, and leaves all else as it is: the same object when there are none. */
export function tellPatterns(given: { readonly schema: JsonSchema; readonly losses: readonly SchemaLoss[] }): typeof given {
  if (!hasSuchPattern(given.schema)) return given;
  const losses: SchemaLoss[] = [...given.losses];
  const tell = (schema: JsonSchema, path: string): JsonSchema => {
    const inside = mapChildren(schema, (child, step) => tell(child, path + step));
    if (!looksAround(schema['pattern'])) return inside;
    const { pattern, ...others } = inside;
    losses.push({ path, keyword: 'pattern', value: pattern, became: 'description' });
    return withWords(others, { pattern });
  };
  return { schema: tell(given.schema, ''), losses };
}

function hasSuchPattern(schema: JsonSchema): boolean {
  return looksAround(schema['pattern']) || children(schema).some((child) => hasSuchPattern(child.schema));
}
