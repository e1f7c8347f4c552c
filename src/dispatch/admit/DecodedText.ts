import { MAX_SPREAD_UNITS } from '../../common/limits.js';

/** Maps the letter after a backslash to the control character that both stand for. */
const CONTROLS: ReadonlyMap<number, number> = new Map(
  Object.entries({ b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }).map(([letter, control]) => [
    letter.charCodeAt(0),
    control.charCodeAt(0),
  ]),
);

const [PERCENT, BACKSLASH, LETTER_U, LETTER_X] = [0x25, 0x5c, 0x75, 0x78] as const;

/** A text with one layer of escapes removed, and the original position of each character. */
export class DecodedText {
  readonly text: string;
  /** For each UTF-16 unit of `text`, and for its end: the position in the original text. */
  readonly #starts: Uint32Array;

  /** @param starts positions as in `#starts`: one more than `text` has units */
  constructor(text: string, starts: Uint32Array) {
    this.text = text;
    this.#starts = starts;
  }

  /** Decodes one more layer; positions still refer to the original text. Returns undefined without a further layer. */
  next(): DecodedText | undefined {
    return decodeText(this.text, this.#starts);
  }

  /** Returns the position in the original text of a character of `text`, or of its end. */
  startOf(index: number): number {
    return this.#starts[index] ?? 0;
  }
}

/**
 * Decodes the escapes that a URL or a JSON writer may have put into a text: `%C3%A4`, `%c3%a4`, `\u00e4`, `\n`, `\/`. Returns
 * undefined for a text without escapes.
 *
 * @param before the original positions of the characters of `text`, if it was decoded before
 */
export function decodeText(text: string, before?: Uint32Array): DecodedText | undefined {
  if (!mayHaveEscapes(text)) return undefined;
  return new LayerDecoder(text, before).decode();
}

/** Returns false only if the text certainly has no escapes. */
export function mayHaveEscapes(text: string): boolean {
  return text.includes('%') || text.includes('\\');
}

class LayerDecoder {
  readonly #text: string;
  readonly #before: Uint32Array | undefined;
  readonly #units: Uint16Array;
  readonly #starts: Uint32Array;
  #count = 0;

  constructor(text: string, before: Uint32Array | undefined) {
    this.#text = text;
    this.#before = before;
    this.#units = new Uint16Array(text.length);
    this.#starts = new Uint32Array(text.length + 1);
  }

  decode(): DecodedText | undefined {
    const text = this.#text;
    let at = 0;
    while (at < text.length) {
      const unit = text.charCodeAt(at);
      if (unit === PERCENT) at = this.#readPercent(at);
      else if (unit === BACKSLASH) at = this.#readBackslash(at);
      else at = this.#add(unit, at, 1);
    }
    if (this.#count === text.length) return undefined;
    this.#starts[this.#count] = this.#before?.[at] ?? at;
    return new DecodedText(decodeUnits(this.#units.subarray(0, this.#count)), this.#starts);
  }

  /** Adds a character that is written in `length` units at a position; returns the position after it. */
  #add(code: number, at: number, length: number): number {
    if (code > 0xffff) {
      this.#addUnit(0xd800 + ((code - 0x10000) >> 10), at);
      this.#addUnit(0xdc00 + ((code - 0x10000) & 0x3ff), at);
    } else this.#addUnit(code, at);
    return at + length;
  }

  #addUnit(unit: number, at: number): void {
    this.#units[this.#count] = unit;
    this.#starts[this.#count] = this.#before === undefined ? at : (this.#before[at] ?? 0);
    this.#count++;
  }

  /** Reads a `%` escape. Bytes that are not UTF-8 are Latin-1, which older servers write; `escape` writes `%u00e4`. */
  #readPercent(at: number): number {
    const byte = this.#readHex(at + 1, 2);
    if (byte === undefined) {
      const unit = this.#text.charCodeAt(at + 1) === LETTER_U ? this.#readHex(at + 2, 4) : undefined;
      return unit === undefined ? this.#add(PERCENT, at, 1) : this.#add(unit, at, 6);
    }
    const following = byte < 0xc2 ? 0 : byte < 0xe0 ? 1 : byte < 0xf0 ? 2 : byte < 0xf5 ? 3 : 0;
    let code = following === 0 ? byte : byte & (0x3f >> following);
    for (let index = 1; index <= following; index++) {
      const start = at + 3 * index;
      const more = this.#text.charCodeAt(start) === PERCENT ? this.#readHex(start + 1, 2) : undefined;
      if (more === undefined || more >> 6 !== 2) return this.#add(byte, at, 3);
      code = (code << 6) | (more & 0x3f);
    }
    return code > 0x10ffff ? this.#add(byte, at, 3) : this.#add(code, at, 3 + 3 * following);
  }

  #readBackslash(at: number): number {
    const letter = this.#text.charCodeAt(at + 1);
    if (letter === LETTER_U || letter === LETTER_X) {
      const digits = letter === LETTER_U ? 4 : 2;
      const unit = this.#readHex(at + 2, digits);
      return unit === undefined ? this.#add(BACKSLASH, at, 1) : this.#add(unit, at, 2 + digits);
    }
    const meant = CONTROLS.get(letter) ?? (isPunctuation(letter) ? letter : undefined);
    return meant === undefined ? this.#add(BACKSLASH, at, 1) : this.#add(meant, at, 2);
  }

  /** Reads hexadecimal digits; returns undefined if there are too few. */
  #readHex(at: number, digits: number): number | undefined {
    let value = 0;
    for (let index = at; index < at + digits; index++) {
      const digit = parseHexDigit(this.#text.charCodeAt(index));
      if (digit === undefined) return undefined;
      value = value * 16 + digit;
    }
    return value;
  }
}

function decodeUnits(units: Uint16Array): string {
  // Creating a buffer takes longer than decoding a short text.
  if (units.length <= MAX_SPREAD_UNITS) return String.fromCharCode(...units);
  return Buffer.from(units.buffer, units.byteOffset, units.byteLength).toString('utf16le');
}

function parseHexDigit(unit: number): number | undefined {
  if (unit >= 0x30 && unit <= 0x39) return unit - 0x30;
  const lower = unit | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : undefined;
}

/** Checks for ASCII characters that a writer may escape with a backslash, such as `"`, `/` and `'`. */
function isPunctuation(unit: number): boolean {
  if (!(unit > 0x20 && unit < 0x7f)) return false;
  const lower = unit | 0x20;
  return !(unit >= 0x30 && unit <= 0x39) && !(lower >= 0x61 && lower <= 0x7a);
}
