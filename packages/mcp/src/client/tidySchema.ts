import type { JsonSchema } from 'toolwright';
import { isSchema } from 'toolwright/internal';
import { MAX_NOTE_CHARS } from '../limits.js';
import { modernizeSchema } from './modernizeSchema.js';
import { sanitizeText } from './sanitizeText.js';

/** Keywords that map names of the server's choice to schemas. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const DATA = new Set(['const', 'enum', 'default', 'required', 'dependentRequired']);
/** Keywords that a model does not use, or that give a schema an id, which may clash with another one. */
const DROPPED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$comment',
  '$vocabulary',
  'examples',
  'markdownDescription',
  'x-mcp-header',
]);
const WORDS = new Set(['description', 'title']);

/** Returns a copy of a schema for models and checks, without keywords that they do not use, and with sanitised texts. */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(modernizeSchema(schema)).flatMap(([keyword, value]): [string, unknown][] => {
    if (DROPPED.has(keyword)) return [];
    if (DATA.has(keyword)) return [[keyword, value]];
    if (MAPS.has(keyword) && isSchema(value))
      return [[keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tidyValue(inner)]))]];
    if (!WORDS.has(keyword)) return [[keyword, tidyValue(value)]];
    return typeof value === 'string' ? [[keyword, sanitizeText(value, MAX_NOTE_CHARS)]] : [];
  });
  return Object.fromEntries(entries);
}

function tidyValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tidyValue);
  return isSchema(value) ? tidySchema(value) : value;
}
