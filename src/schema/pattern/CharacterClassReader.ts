import { PatternText } from './PatternText.js';

/** A class that matches no character. */
export const never = '[^\\x{0}-\\x{10FFFF}]';

/** White space as JavaScript defines it, and its complement: RE2 knows only the white space of ASCII. */
const SPACES =
  '\\x{9}-\\x{D}\\x{20}\\x{A0}\\x{1680}\\x{2000}-\\x{200A}\\x{2028}\\x{2029}\\x{202F}\\x{205F}\\x{3000}\\x{FEFF}';
const NO_SPACES =
  '\\x{0}-\\x{8}\\x{E}-\\x{1F}\\x{21}-\\x{9F}\\x{A1}-\\x{167F}\\x{1681}-\\x{1FFF}\\x{200B}-\\x{2027}' +
  '\\x{202A}-\\x{202E}\\x{2030}-\\x{205E}\\x{2060}-\\x{2FFF}\\x{3001}-\\x{FEFE}\\x{FF00}-\\x{10FFFF}';

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13 };

/** A character, or the inner part of a class. */
type Member = number | string;

/** Writes one character so that it is read literally. */
export function writeLiteral(codePoint: number): string {
  const character = String.fromCodePoint(codePoint);
  return /[0-9A-Za-z]/.test(character) ? character : `\\x{${codePoint.toString(16).toUpperCase()}}`;
}

/** Reads classes, and escapes inside and outside of them, and writes them in the syntax of RE2. */
export class CharacterClassReader extends PatternText {
  /** Reads a class from its `[` to its `]`. */
  readClass(): string {
    const isNegated = this.match(/\[\^?/y) === '[^';
    let inner = '';
    while (this.match(/\]/y) === undefined) {
      const from = this.#readMember();
      if (typeof from === 'number' && this.follows(/-(?!\])/y)) {
        this.take(1);
        const to = this.#readMember();
        inner += writeLiteral(from) + (typeof to === 'number' ? `-${writeLiteral(to)}` : writeLiteral(0x2d) + to);
      } else inner += typeof from === 'number' ? writeLiteral(from) : from;
    }
    if (inner === '') return isNegated ? '[\\x{0}-\\x{10FFFF}]' : never;
    return `[${isNegated ? '^' : ''}${inner}]`;
  }

  /** Reads an escape outside of a class. */
  readEscaped(): string {
    const member = this.#readEscape();
    return typeof member === 'number' ? writeLiteral(member) : `[${member}]`;
  }

  #readMember(): Member {
    if (this.match(/\\b/y) !== undefined) return 8;
    return this.follows(/\\/y) ? this.#readEscape() : (this.character().codePointAt(0) ?? 0);
  }

  #readEscape(): Member {
    const property = this.has('u') ? this.match(/\\[pP]\{[^}]*\}/y) : undefined;
    if (property !== undefined) return this.#readProperty(property);
    const octal = this.match(/\\(?:0\d|[1-9])\d*/y);
    if (octal !== undefined) this.refuse('octal escape', octal);
    const coded = this.#readCoded();
    if (coded !== undefined) return coded;
    this.take(1);
    if (this.follows(/c/y)) return 0x5c;
    const next = this.character();
    if (next === 's') return SPACES;
    if (next === 'S') return NO_SPACES;
    if ('dDwW'.includes(next)) return `\\${next}`;
    if (next === '0') return 0;
    return controls[next] ?? next.codePointAt(0) ?? 0;
  }

  /** Reads a character that is written by its code. */
  #readCoded(): number | undefined {
    const pair = this.match(/\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}/y);
    if (pair !== undefined) {
      const units = [pair.slice(2, 6), pair.slice(8)].map((unit) => parseInt(unit, 16));
      return String.fromCharCode(...units).codePointAt(0);
    }
    const control = this.match(/\\c[A-Za-z]/y);
    if (control !== undefined) return control.charCodeAt(2) % 32;
    const long = this.has('u') ? this.match(/\\u\{[0-9a-fA-F]+\}/y) : undefined;
    const written = long ?? this.match(/\\(?:x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4})/y);
    return written === undefined ? undefined : parseInt(written.replace(/[^0-9a-fA-F]/g, ''), 16);
  }

  #readProperty(written: string): string {
    const name = /^\\[pP]\{(?:(?:Script|sc|General_Category|gc)=)?([^={}]+)\}$/.exec(written)?.[1];
    if (name === undefined) this.refuse('property', written);
    return `\\${written.charAt(1)}{${name ?? 'L'}}`;
  }
}
