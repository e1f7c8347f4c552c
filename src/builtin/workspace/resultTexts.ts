import { ToolRefusal } from '../../error/toolErrors.js';
import type { GrepMatch } from '../../interface/Filesystem.js';
import type { Constructor } from '../../common/types.js';

/** Maximum number of entries or paths in one result. */
const MOST_NAMES = 10_000;

/** Maximum number of characters of all lines in one result. */
const MOST_CHARACTERS = 500_000;

/**
 * Checks that the names fit into a result.
 *
 * @throws ToolRefusal for more names than fit
 */
export function requireFew(subject: string, what: string, count: number, remedy: string): void {
  if (count <= MOST_NAMES) return;
  throw new ToolRefusal(
    `${subject} has ${count.toLocaleString('en-US')} ${what}, and at most ${MOST_NAMES.toLocaleString('en-US')} are listed. ${remedy}`,
  );
}

/** Returns the first matches with lines that fit into a result: at least one. */
export function requireShort(found: readonly GrepMatch[]): readonly GrepMatch[] {
  let room = MOST_CHARACTERS;
  const first = found.findIndex(({ text }) => (room -= text.length) < 0);
  return first === -1 ? found : found.slice(0, Math.max(first, 1));
}

/** Maximum number of readable lines: a request with more results was too broad. */
const MOST_LINES = 1_000;

/** Writes a name on one line. A name that could be taken for several lines is quoted. */
export function joinToOneLine(name: string): string {
  return /[\0-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** Joins lines. For very many, joins the first ones and the number of the others. */
export function listLines(lines: readonly string[]): string {
  const more = lines.length - MOST_LINES;
  return [
    ...lines.slice(0, MOST_LINES),
    ...(more > 0 ? [`… and ${String(more)} more. Narrow what you ask for.`] : []),
  ].join('\n');
}

/** The fields of a result, without its methods. */
type FieldsOf<T> = { readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: T[K] };

/** Creates an instance with these fields. The compiler checks that none is missing. */
export function createResult<T extends object>(type: Constructor<T>, fields: FieldsOf<T>): T {
  return Object.assign(new type(), fields);
}
