import type { ChangedPart } from '../application/rehearse.js';
import { bold, dim, green, joinLines, line, red, type TerminalText } from './terminal/TerminalText.js';

const MOST_LINES = 12;

/** What a call would change, as lines with - and +. */
export function changesText(changed: readonly ChangedPart[]): TerminalText {
  if (changed.length === 0) return dim('It would change nothing.');
  const parts = changed.flatMap(({ part, name, changes }) => [
    line`${bold(name)} ${dim(part)}`,
    ...(changes === undefined ? [dim('  may change; the resource has no changes(overlay)')] : []),
    ...(changes ?? []).flatMap(({ what, before, after }) => {
      const { same, were, are } = differingLines(linesOf(before), linesOf(after));
      const beginning = same === 0 ? [] : [dim(`    … ${String(same)} more lines before`)];
      return [line`  ${what}`, ...beginning, ...signed('-', were).map(red), ...signed('+', are).map(green)];
    }),
  ]);
  return joinLines([line`It would change:`, ...parts]);
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\n$/, '').split(/\r?\n/);
}

/** Leaves out the lines at the beginning and the end that are the same in both. @returns `same` as the number of those at the beginning */
function differingLines(before: readonly string[], after: readonly string[]) {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before[same] === after[same]) same++;
  let end = 0;
  while (end < shorter - same && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { same, were: before.slice(same, before.length - end), are: after.slice(same, after.length - end) };
}

function signed(sign: '-' | '+', lines: readonly string[]): readonly string[] {
  const more = lines.length > MOST_LINES ? [`    ${sign} … ${String(lines.length - MOST_LINES)} more lines`] : [];
  return [...lines.slice(0, MOST_LINES).map((text) => `    ${sign} ${text}`), ...more];
}
