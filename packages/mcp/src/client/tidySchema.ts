import type { JsonSchema } from 'toolwright';
import { isSchema } from 'toolwright/internal';
import { MAX_NOTE_CHARS } from '../limits.js';
import { sanitizeText } from './sanitizeText.js';

/** Keywords that hold schemas by names that the server chose, and keywords that hold data. */
const MAPS = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
const DATA = new Set(['const', 'enum', 'default', 'required', 'dependentRequired']);
/** Keywords that mean nothing to a model, or that name a schema as another could be named. */
const DROPPED = new Set([
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$comment',
  '$vocabulary',
  'examples',
  'markdownDescription',
]);
const WORDS = new Set(['description', 'title']);

/** Returns the schema for models and for checks: without keywords that are not for them, and with sanitised texts. */
export function tidySchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
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
