import { ENTRY_EXTENT, LARGE_ENTRY_EXTENT } from '../../../common/limits.js';
import { boundText, walkValue } from '../../../common/walkValue.js';

const LARGE_PARTS = ['offered', 'closed', 'lowered', 'sections', 'messages', 'native', 'session'];

/**
 * Explains why an entry is too large; undefined if it can be written and read. The same limits hold for both, so that no log is
 * written that cannot be read.
 */
export function findEntryExcess(entry: object): string | undefined {
  const rest: unknown[] = [];
  let problem: string | undefined;
  for (const name of Object.keys(entry)) {
    const part = (entry as Readonly<Record<string, unknown>>)[name];
    if (!LARGE_PARTS.includes(name)) rest.push(part);
    else problem ??= describeExcess(part, LARGE_ENTRY_EXTENT, `its ${name}`);
  }
  return describeExcess(rest, ENTRY_EXTENT, 'one entry') ?? problem;
}

function describeExcess(value: unknown, most: typeof ENTRY_EXTENT, where: string): string | undefined {
  const excess = walkValue(value, most);
  return excess && `expected ${boundText(excess, most)} in ${where}, got more`;
}
