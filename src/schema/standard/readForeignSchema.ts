import { host } from '../../common/builtins.js';
import { quote } from '../../common/text.js';
import type { JsonSchema } from '../../common/types.js';
import { findPart } from '../../common/walkValue.js';
import type { Fault } from '../../error/Finding.js';
import type { StandardSchema } from '../../interface/StandardSchema.js';
import type { Parser } from '../../metadata/ClassShape.js';
import { isPlain } from '../pattern/findNestedRepetition.js';
import { holdsData } from './schemaTree.js';
import { isComplete } from './standardSchemas.js';
import { writeAdvertisedSchema } from './writeAdvertisedSchema.js';
import { validatesAsync, createForeignParser } from './createForeignParser.js';

/** Params of another library: the JSON Schema for the model, and the parser of its arguments. */
export interface ForeignParams {
  readonly schema: JsonSchema;
  readonly parse: Parser;
}

/** Reads a schema of another library as the params of a tool; returns a fault if it cannot be used (E209 to E212, E224). */
export function readForeignSchema(foreign: StandardSchema): ForeignParams | Fault {
  const standard = foreign['~standard'];
  const advertised = writeAdvertisedSchema(standard);
  if ('code' in advertised) return advertised;
  if (validatesAsync(foreign))
    return { code: 'E212', problem: `the ${quote(standard.vendor)} schema in params answers with a promise` };
  const pattern = isComplete(foreign) ? undefined : findEndlessPattern(advertised.schema);
  if (pattern !== undefined)
    return {
      code: 'E224',
      problem: `the ${quote(standard.vendor)} schema in params has the pattern ${quote(pattern)}, which this runtime cannot end`,
    };
  return { schema: advertised.schema, parse: createForeignParser(foreign, advertised.schema) };
}

/**
 * Finds a pattern of another library that may block the process, because the runtime cannot end it: Bun ends loops in time, but not
 * every regular expression. Returns undefined on other runtimes, and for patterns that any engine matches in linear time.
 *
 * The name of the runtime decides, since an attempt to end a pattern that cannot be ended would block the process itself.
 */
function findEndlessPattern(schema: JsonSchema): string | undefined {
  if (host.versions['bun'] === undefined) return undefined;
  return findPart(schema, (part, keys) =>
    typeof part === 'string' && keys.at(-1) === 'pattern' && !keys.some(holdsData) && !isHarmless(part)
      ? part
      : undefined,
  );
}

function isHarmless(source: string): boolean {
  try {
    return isPlain(new RegExp(source));
  } catch {
    return false;
  }
}
