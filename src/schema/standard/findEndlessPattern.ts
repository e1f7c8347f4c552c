import { host } from '../../common/builtins.js';
import type { JsonSchema } from '../../common/types.js';
import { findPart } from '../../common/walkValue.js';
import { isPlain } from '../pattern/findNestedRepetition.js';

/** Keywords whose values are data, in which `pattern` is a key like any other. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);

/**
 * Finds a pattern of another library that may block the process, because the runtime cannot end it: Bun ends loops in time, but not
 * every regular expression. Returns undefined on other runtimes, and for patterns that any engine matches in linear time.
 *
 * The name of the runtime decides, since an attempt to end a pattern that cannot be ended would block the process itself.
 */
export function findEndlessPattern(schema: JsonSchema): string | undefined {
  if (host.versions['bun'] === undefined) return undefined;
  return findPart(schema, (part, keys) =>
    typeof part === 'string' && keys.at(-1) === 'pattern' && !keys.some((key) => DATA.has(key)) && !isHarmless(part)
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
