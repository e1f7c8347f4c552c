import { trimCommonEnds } from 'toolwright/internal/light';
import type { Change } from '../init/writeFiles.js';
import { block, bold, cyan, green, joinLines, red, type TerminalText } from '../terminal/TerminalText.js';

const CONTEXT_LINES = 3;

interface Row {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
}

/** Writes the difference of a file in unified format, for `git apply`. */
export function writeUnifiedDiff({ path, before, after }: Change): string {
  const rows = compareLines(splitLines(before ?? ''), splitLines(after));
  const shown = rows.map((_row, at) =>
    rows.slice(Math.max(0, at - CONTEXT_LINES), at + CONTEXT_LINES + 1).some(({ sign }) => sign !== ' '),
  );
  const texts = [`--- ${before === undefined ? '/dev/null' : `a/${path}`}`, `+++ b/${path}`];
  for (let at = 0; at < rows.length; at++) {
    if (shown[at] !== true) continue;
    const end = shown.indexOf(false, at);
    const hunk = rows.slice(at, end < 0 ? undefined : end);
    texts.push(`@@ -${formatRange(rows, hunk, at, '+')} +${formatRange(rows, hunk, at, '-')} @@`);
    texts.push(...hunk.map(({ sign, text }) => sign + text));
    at += hunk.length;
  }
  return texts.join('\n');
}

/** Colours a difference as `git diff` does. */
export function paintDiff(diff: string): TerminalText {
  return joinLines(
    diff.split('\n').map((text) => {
      const shown = block(text);
      if (/^(?:---|\+\+\+) /.test(text)) return bold(shown);
      if (text.startsWith('@@')) return cyan(shown);
      return text.startsWith('+') ? green(shown) : text.startsWith('-') ? red(shown) : shown;
    }),
  );
}

/** Formats the first line and the line count of a hunk in one of the files. @param other the sign of lines missing in that file */
function formatRange(rows: readonly Row[], hunk: readonly Row[], at: number, other: '-' | '+'): string {
  const count = (list: readonly Row[]): number => list.filter(({ sign }) => sign !== other).length;
  const length = count(hunk);
  return `${String(count(rows.slice(0, at)) + (length === 0 ? 0 : 1))},${String(length)}`;
}

function splitLines(text: string): readonly string[] {
  if (text === '') return [];
  const lines = text.split('\n');
  const last = lines.pop() ?? '';
  return last === '' ? lines : [...lines, `${last}\n\\ No newline at end of file`];
}

/** Compares two texts line by line, with as many shared lines as possible. */
function compareLines(before: readonly string[], after: readonly string[]): readonly Row[] {
  const { start, before: old, after: fresh } = trimCommonEnds(before, after);
  const same = (lines: readonly string[]): readonly Row[] => lines.map((text) => ({ sign: ' ', text }));
  const rows: Row[] = [];
  const shared = countSharedLines(old, fresh);
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    const [removed, added] = [old[i], fresh[j]];
    if (removed !== undefined && removed === added) {
      rows.push({ sign: ' ', text: removed });
      [i, j] = [i + 1, j + 1];
    } else if (
      removed !== undefined &&
      (added === undefined || (shared[i + 1]?.[j] ?? 0) >= (shared[i]?.[j + 1] ?? 0))
    ) {
      rows.push({ sign: '-', text: removed });
      i++;
    } else {
      rows.push({ sign: '+', text: added ?? '' });
      j++;
    }
  }
  return [...same(before.slice(0, start)), ...rows, ...same(before.slice(start + old.length))];
}

/** Counts the most lines that the rests of two lists can share, for every pair of offsets. */
function countSharedLines(old: readonly string[], fresh: readonly string[]): readonly Uint32Array[] {
  const lengths = Array.from({ length: old.length + 1 }, () => new Uint32Array(fresh.length + 1));
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--) {
      const length =
        old[i] === fresh[j]
          ? (lengths[i + 1]?.[j + 1] ?? 0) + 1
          : Math.max(lengths[i + 1]?.[j] ?? 0, lengths[i]?.[j + 1] ?? 0);
      lengths[i]?.fill(length, j, j + 1);
    }
  return lengths;
}
