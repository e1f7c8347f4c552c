import { trimCommonEnds } from 'toolwright/internal/light';
import type { ChangedPart } from 'toolwright/own-loop';
import { MAX_CHANGE_LINES } from './limits.js';
import { bold, dim, green, joinLines, line, red, type TerminalText } from './terminal/TerminalText.js';

/** Formats the changes that a call would make as lines with - and +. */
export function formatChanges(changed: readonly ChangedPart[]): TerminalText {
  if (changed.length === 0) return dim('It would change nothing.');
  const parts = changed.flatMap(({ part, name, changes }) => [
    line`${bold(name)} ${dim(part)}`,
    ...(changes === undefined ? [dim('  may change; the resource has no changes(overlay)')] : []),
    ...(changes ?? []).flatMap(({ what, before, after }) => {
      const part = trimCommonEnds(linesOf(before), linesOf(after));
      const beginning = part.start === 0 ? [] : [dim(`    … ${String(part.start)} more lines before`)];
      const [removed, added] = [markLines('-', part.before), markLines('+', part.after)];
      return [line`  ${what}`, ...beginning, ...removed.map(red), ...added.map(green)];
    }),
  ]);
  return joinLines([line`It would change:`, ...parts]);
}

function linesOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.replace(/\n$/, '').split(/\r?\n/);
}

function markLines(sign: '-' | '+', lines: readonly string[]): readonly string[] {
  const more =
    lines.length > MAX_CHANGE_LINES ? [`    ${sign} … ${String(lines.length - MAX_CHANGE_LINES)} more lines`] : [];
  return [...lines.slice(0, MAX_CHANGE_LINES).map((text) => `    ${sign} ${text}`), ...more];
}
