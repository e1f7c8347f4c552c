import type { ReadResult } from '../../interface/Filesystem.js';

/** Counts the lines of a text. A `\n` ends a line, and a rest after the last `\n` is one more line. */
export function countLines(text: string): number {
  let lines = 0;
  let from = 0;
  while (from < text.length) {
    lines++;
    const end = text.indexOf('\n', from);
    if (end === -1) break;
    from = end + 1;
  }
  return lines;
}

/**
 * Returns some lines of a text, with the fields of `ReadResult` that describe them.
 *
 * @param offset number of lines to skip; limited to the number of lines
 * @param limit maximum number of lines to return; all if negative
 * @param totalLines the result of `countLines`
 */
export function readPage(
  text: string,
  offset: number,
  limit: number,
  totalLines: number = countLines(text),
): Omit<ReadResult, 'path'> {
  const start = Math.min(Math.max(Math.trunc(offset) || 0, 0), totalLines);
  const end = limit < 0 ? totalLines : Math.min(start + (Math.trunc(limit) || 0), totalLines);
  const from = skipLines(text, 0, start);
  const to = skipLines(text, from, end - start);
  return {
    content: text.slice(from, to > from && text[to - 1] === '\n' ? to - 1 : to),
    totalLines,
    offset: start,
    limit: end - start,
    truncated: end < totalLines,
  };
}

/** Returns the index at which the line after the skipped ones begins. */
function skipLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}
