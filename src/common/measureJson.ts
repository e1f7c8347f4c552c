import { cut } from './text.js';

/** Texts are measured in pieces, so that escaped copies of a piece are soon collected. */
const PIECE = 65_536;
/** The characters that JSON writes as more than one character. */
const ESCAPED = /["\\\u0000-\u001f\ud800-\udfff]/;

/** Counts the characters of the JSON of plain data without writing it. Stops counting above `enough`. */
export function measureJson(plain: unknown, enough = Number.POSITIVE_INFINITY): number {
  if (typeof plain === 'string') return measureText(plain, enough);
  if (plain === null) return 4;
  if (typeof plain !== 'object') return `${plain as number | boolean}`.length;
  let length = 1;
  if (Array.isArray(plain)) {
    for (const item of plain) {
      if (length > enough) return length;
      length += measureJson(item, enough - length) + 1;
    }
    return Math.max(length, 2);
  }
  for (const key in plain) {
    if (length > enough) return length;
    const entry = (plain as Readonly<Record<string, unknown>>)[key];
    if (entry !== undefined) length += measureText(key, enough) + measureJson(entry, enough - length) + 2;
  }
  return Math.max(length, 2);
}

function measureText(text: string, enough: number): number {
  if (text.length > enough || !ESCAPED.test(text)) return text.length + 2;
  let length = 2;
  for (let at = 0; at < text.length;) {
    const piece = cut(text.slice(at, at + PIECE), PIECE);
    length += JSON.stringify(piece).length - 2;
    at += piece.length;
  }
  return length;
}
