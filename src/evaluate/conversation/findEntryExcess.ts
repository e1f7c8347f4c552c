import { findValueExcess } from '../../schema/parse/jsonExtent.js';
import { MAX_VALUES } from '../../schema/limits.js';

/** What one entry may hold: ten times as many values as arguments, and state of a session, which is at most 256 levels deep. */
const ENTRY_EXTENT = { values: 10 * MAX_VALUES, depth: 300 };
/** What a part may hold that the host, its session or the provider decides: the tools of a large prompt, or the results of a search. */
const LARGE_EXTENT = { ...ENTRY_EXTENT, values: 2_000_000 };
const LARGE_PARTS: ReadonlySet<string> = new Set([
  ...['offered', 'closed', 'lowered', 'sections', 'messages', 'native', 'session'],
]);

/**
 * Explains why an entry is too large; undefined if it can be written and read. The same limits hold for both, so that no log is
 * written that cannot be read.
 */
export function findEntryExcess(entry: object): string | undefined {
  const rest: unknown[] = [];
  let problem: string | undefined;
  for (const [name, part] of Object.entries(entry))
    if (!LARGE_PARTS.has(name)) rest.push(part);
    else problem ??= describeExcess(part, LARGE_EXTENT, `its ${name}`);
  return describeExcess(rest, ENTRY_EXTENT, 'one entry') ?? problem;
}

function describeExcess(value: unknown, most: typeof ENTRY_EXTENT, where: string): string | undefined {
  const excess = findValueExcess(value, most);
  if (excess === undefined) return undefined;
  const what = excess === 'depth' ? 'levels of nesting' : 'values';
  return `expected at most ${String(most[excess])} ${what} in ${where}, got more`;
}
