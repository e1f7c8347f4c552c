import type { ReadResult } from '../../interface/Filesystem.js';

/** How many lines a text has: a `\n` ends a line, and what follows the last one is a line of its own unless it is empty. */
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
 * Some lines of a text, with the fields of `ReadResult` that tell which.
 *
 * @param offset lines to skip; kept between 0 and their number
 * @param limit lines to take at most; all when negative
 * @param totalLines as `countLines` tells
 */
export function pageOf(
  text: string,
  offset: number,
  limit: number,
  totalLines: number = countLines(text),
): Omit<ReadResult, 'path'> {
  const start = Math.min(Math.max(wholeNumber(offset), 0), totalLines);
  const end = limit < 0 ? totalLines : Math.min(start + wholeNumber(limit), totalLines);
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

/** Where so many lines further on the next one begins. */
function skipLines(text: string, from: number, lines: number): number {
  let at = from;
  for (let skipped = 0; skipped < lines; skipped++) {
    const end = text.indexOf('\n', at);
    if (end === -1) return text.length;
    at = end + 1;
  }
  return at;
}

function wholeNumber(value: number): number {
  return Number.isNaN(value) ? 0 : Math.trunc(value);
}
