import { ToolRefusal } from '../../error/toolErrors.js';
import type { GrepMatch } from '../../interface/Filesystem.js';

/** Most entries or paths in one result. */
const MOST_NAMES = 10_000;

/** Most characters of all lines in one result. */
const MOST_CHARACTERS = 500_000;

/** @throws ToolRefusal for more names than fit into a result */
export function requireFew(subject: string, what: string, count: number, remedy: string): void {
  if (count <= MOST_NAMES) return;
  throw new ToolRefusal(
    `${subject} has ${count.toLocaleString('en-US')} ${what}, and at most ${MOST_NAMES.toLocaleString('en-US')} are listed. ${remedy}`,
  );
}

/** The first matches whose lines fit into a result; at least one. */
export function shortEnough(found: readonly GrepMatch[]): readonly GrepMatch[] {
  let room = MOST_CHARACTERS;
  const first = found.findIndex(({ text }) => (room -= text.length) < 0);
  return first === -1 ? found : found.slice(0, Math.max(first, 1));
}
