import { ToolRefusal } from '../../error/toolErrors.js';
import type { GrepMatch } from '../../interface/Filesystem.js';
import { MAX_RESULT_LINES_CHARS, MAX_RESULT_NAMES, MAX_RESULT_LINES } from '../limits.js';
import type { Constructor } from '../../common/types.js';
import type { ParamsData } from '../../prompt/ParamsBinding.js';

/** @throws ToolRefusal for more names than fit */
export function requireFew(subject: string, what: string, count: number, remedy: string): void {
  if (count <= MAX_RESULT_NAMES) return;
  throw new ToolRefusal(
    `${subject} has ${count.toLocaleString('en-US')} ${what}, and at most ${MAX_RESULT_NAMES.toLocaleString('en-US')} are listed. ${remedy}`,
  );
}

/** Returns the first matches with lines that fit into a result: at least one. */
export function requireShort(found: readonly GrepMatch[]): readonly GrepMatch[] {
  let room = MAX_RESULT_LINES_CHARS;
  const first = found.findIndex(({ text }) => (room -= text.length) < 0);
  return first === -1 ? found : found.slice(0, Math.max(first, 1));
}

/** Writes a name on one line. A name that could be taken for several lines is quoted. */
export function joinToOneLine(name: string): string {
  return /[\0-\x1f\x7f\u2028\u2029]/.test(name) ? JSON.stringify(name) : name;
}

/** Joins lines. For very many, joins the first ones and the number of the others. */
export function listLines(lines: readonly string[]): string {
  const more = lines.length - MAX_RESULT_LINES;
  return [
    ...lines.slice(0, MAX_RESULT_LINES),
    ...(more > 0 ? [`… and ${String(more)} more. Narrow what you ask for.`] : []),
  ].join('\n');
}

/** Creates an instance with these fields. The compiler checks that none is missing. */
export function createResult<T extends object>(type: Constructor<T>, fields: Required<ParamsData<T>>): T {
  return Object.assign(new type(), fields);
}
