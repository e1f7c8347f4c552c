import type colors from 'picocolors';
import type { ChangedPart } from '../application/rehearse.js';
import { printable } from './Terminal.js';

const MOST_LINES = 12;

/** What a call would change, as lines with - and +. */
export function changesText(changed: readonly ChangedPart[], paint: ReturnType<typeof colors.createColors>): string {
  if (changed.length === 0) return paint.dim('It would change nothing.');
  const parts = changed.flatMap(({ part, name, changes }) => [
    `${paint.bold(name)} ${paint.dim(part)}`,
    ...(changes === undefined ? [paint.dim('  may change; the resource has no changes(overlay)')] : []),
    ...(changes ?? []).flatMap(({ what, before, after }) => [
      `  ${what}`,
      ...lines('-', before).map(paint.red),
      ...lines('+', after).map(paint.green),
    ]),
  ]);
  return ['It would change:', ...parts].join('\n');
}

function lines(sign: '-' | '+', value: unknown): readonly string[] {
  if (value === undefined) return [];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const all = printable(text).replace(/\n$/, '').split('\n');
  const more = all.length > MOST_LINES ? [`    ${sign} … ${String(all.length - MOST_LINES)} more lines`] : [];
  return [...all.slice(0, MOST_LINES).map((line) => `    ${sign} ${line}`), ...more];
}
