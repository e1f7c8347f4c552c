import { MAX_SHOWN_CHARS } from '../limits.js';

const typographic: Readonly<Record<string, string>> = {
  '\u2018': "'",
  '\u2019': "'",
  '\u201c': '"',
  '\u201d': '"',
  '\u2010': '-',
  '\u2011': '-',
  '\u2013': '-',
  '\u2014': '-',
  '\u2022': '-',
  '\u2026': '...',
  '\u2192': '->',
  '\u2264': '<=',
  '\u2265': '>=',
};

/**
 * Sanitises a text of a server for a prompt or a message: removes terminal sequences, control characters and invisible characters,
 * makes tags harmless, and cuts the text.
 *
 * @param limit the most characters of the result
 */
export function sanitizeText(text: string, limit: number): string {
  // The text is cut before it is searched, because a server may send a text of any length.
  const visible = text
    .slice(0, limit * 2)
    .replace(/\p{Cc}\[[\d;?]*[A-Za-z]|[^\P{C}\n\t]/gu, '')
    .replace(/<(\/?[A-Za-z!|_?][^<>]*)>/g, '($1)')
    .replaceAll('</', '(/')
    .trim();
  return visible.length > limit ? `${visible.slice(0, limit - 1)}…`.replace(/[\ud800-\udbff]…$/, '…') : visible;
}

/**
 * Converts a description to the form that tools accept: one line of 1 to 200 ASCII characters.
 *
 * @param otherwise the ASCII description to use if the result would be empty
 */
export function toAsciiDescription(text: string, otherwise: string): string {
  const line = sanitizeText(text, 20 * MAX_SHOWN_CHARS)
    .replace(/[\u2010-\u2265]/g, (sign) => typographic[sign] ?? sign)
    .normalize('NFKD')
    .replace(/[^ -~\s]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (!/[A-Za-z]{2}/.test(line)) return otherwise;
  if (line.length <= MAX_SHOWN_CHARS) return line;
  const cut = line.slice(0, MAX_SHOWN_CHARS - 3);
  const word = cut.lastIndexOf(' ');
  return `${word > MAX_SHOWN_CHARS / 2 ? cut.slice(0, word) : cut}...`;
}
