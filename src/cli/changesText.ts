import type { ChangedPart } from '../application/rehearse.js';
import { bold, dim, green, joinLines, line, red, type TerminalText } from './terminal/TerminalText.js';

const MOST_LINES = 12;

/** What a call would change, as lines with - and +. */
export function changesText(changed: readonly ChangedPart[]): TerminalText {
  if (changed.length === 0) return dim('It would change nothing.');
  const parts = changed.flatMap(({ part, name, changes }) => [
    line`${bold(name)} ${dim(part)}`,
    ...(changes === undefined ? [dim('  may change; the resource has no changes(overlay)')] : []),
    ...(changes ?? []).flatMap(({ what, before, after }) => [
      line`  ${what}`,
      ...lines('-', before).map(red),
      ...lines('+', after).map(green),
    ]),
  ]);
  return joinLines([line`It would change:`, ...parts]);
}

function lines(sign: '-' | '+', value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const all = text.replace(/\n$/, '').split(/\r?\n/);
  const more = all.length > MOST_LINES ? [`    ${sign} … ${String(all.length - MOST_LINES)} more lines`] : [];
  return [...all.slice(0, MOST_LINES).map((line) => `    ${sign} ${line}`), ...more];
}
