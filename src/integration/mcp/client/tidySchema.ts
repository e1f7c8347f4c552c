import type { JsonSchema } from '../../../common/types.js';
import { isPattern } from '../../../schema/pattern/isPattern.js';
import { MAX_PATTERN_CHARS } from '../../../schema/pattern/linearPattern.js';
import { isSchema } from '../../../schema/standard/schemaTree.js';
import { sanitizedText } from './untrustedText.js';

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
const LONGEST = 1_000;

/** Returns the new value of a keyword that holds neither data nor a map; undefined to leave it out. */
type Visit = (keyword: string, value: unknown) => unknown;

/** Returns the schema for models: without keywords that are not for them, and with sanitised texts. */
export function tidySchema(schema: JsonSchema): JsonSchema {
  return visited(schema, (keyword, value) => {
    if (DROPPED.has(keyword)) return undefined;
    if (!WORDS.has(keyword)) return value;
    return typeof value === 'string' ? sanitizedText(value, LONGEST) : undefined;
  });
}

const formats = new Set(
  [
    'date time date-time iso-time iso-date-time duration uri uri-reference uri-template url email hostname ipv4 ipv6',
    'uuid json-pointer json-pointer-uri-fragment relative-json-pointer byte int32 int64 float double password binary',
  ].flatMap((line) => line.split(' ')),
);

/** Returns the schema for the validator, which warns of unknown formats, and fails at patterns that it cannot compile. */
export function checkedSchema(schema: JsonSchema): JsonSchema {
  return visited(schema, (keyword, value) => {
    if (keyword === 'format') return formats.has(String(value)) ? value : undefined;
    return keyword === 'pattern' && !isShortPattern(value) ? undefined : value;
  });
}

/** No server needs a longer one, and V8 reads it for a while. */
function isShortPattern(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_PATTERN_CHARS && isPattern(value);
}

function visited(schema: JsonSchema, visit: Visit): JsonSchema {
  const entries = Object.entries(schema).flatMap(([keyword, value]): [string, unknown][] => {
    if (DATA.has(keyword)) return [[keyword, value]];
    if (MAPS.has(keyword) && isSchema(value))
      return [
        [keyword, Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, deeper(inner, visit)]))],
      ];
    const kept = visit(keyword, value);
    return kept === undefined ? [] : [[keyword, deeper(kept, visit)]];
  });
  return Object.fromEntries(entries);
}

function deeper(value: unknown, visit: Visit): unknown {
  if (Array.isArray(value)) return value.map((entry) => deeper(entry, visit));
  return isSchema(value) ? visited(value, visit) : value;
}
