import { MAX_GLOB_CHARS } from '../../common/limits.js';
import { memoize } from '../../common/memoize.js';
import { writeLiteral, never } from '../../schema/pattern/CharacterClassReader.js';
import { createLinearTest } from '../../schema/pattern/re2.js';
import { refusals } from './refusals.js';

const SLASH = '/'.charCodeAt(0);
const SEPARATOR = writeLiteral(SLASH);
const IN_NAME = '[^/]';
const DIRECTORIES = '(?:[^/]+/)*';

/**
 * A pattern for paths. `Filesystem.glob` documents its syntax (docs/contract.md, 15). RE2 matches it in linear time.
 */
export class Glob {
  readonly matches: (path: string) => boolean;
  readonly #levels: readonly (() => (name: string) => boolean)[];
  readonly #isBottomless: boolean;

  /** @throws FilesystemError invalidPattern */
  constructor(pattern: string) {
    const { source, levels, isBottomless } = translateGlob(pattern);
    this.matches = createLinearTest(source);
    this.#levels = levels.map((level) => memoize(() => createLinearTest(level)));
    this.#isBottomless = isBottomless;
  }

  /** Returns false if no file below a directory can match. Tests only the last name: a search asks at each level. */
  leadsInto(directory: string): boolean {
    const names = directory.split('/');
    const test = this.#levels[names.length - 1];
    return test === undefined ? this.#isBottomless : test()(names.at(-1) ?? '');
  }
}

/** A glob pattern in the syntax of RE2. */
interface GlobTranslation {
  readonly source: string;
  /** The pattern of the name at each level of directories of a path. */
  readonly levels: readonly string[];
  /** True if a path may have any number of directories below these levels. */
  readonly isBottomless: boolean;
}

/** @throws FilesystemError invalidPattern */
function translateGlob(pattern: string): GlobTranslation {
  if (pattern.length > MAX_GLOB_CHARS)
    throw refusals.invalidGlob(pattern, `it is longer than ${String(MAX_GLOB_CHARS)} characters`);
  const clean = pattern.replace(/\/{2,}/g, '/').replace(/(^|\/)(?:\.\/)+/g, '$1');
  if (/(^|\/)\.\.(\/|$)/.test(clean)) throw refusals.invalidGlob(pattern, 'it leads out of the directory with ..');
  const relative = clean.replace(/^\/|\/$/g, '');
  if (relative === '') throw refusals.invalidGlob(pattern, 'it is empty');
  const read = new GlobReader(pattern, relative).read();
  return /^\.?\/|.\/./.test(pattern) ? read : { source: DIRECTORIES + read.source, levels: [], isBottomless: true };
}

/** Reads a pattern from left to right, and writes it in the syntax of RE2. */
class GlobReader {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  #at = 0;
  /** True after reading a part that may match a slash. */
  #isBottomless = false;

  /** @param pattern as passed by the caller, for messages */
  constructor(pattern: string, text: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(text);
  }

  read(): GlobTranslation {
    const levels = [''];
    let source = '';
    while (this.#at < this.#characters.length) {
      const part = this.#readPart(0);
      source += part;
      if (this.#isBottomless) continue;
      if (part === SEPARATOR) levels.push('');
      else levels.push(`${levels.pop() ?? ''}${part}`);
    }
    return { source, levels: levels.slice(0, -1), isBottomless: this.#isBottomless };
  }

  #readPart(depth: number): string {
    const character = this.#next() ?? '';
    switch (character) {
      case '*':
        return this.#readStar(depth > 0 ? '/{},' : '/');
      case '?':
        return IN_NAME;
      case '[':
        return this.#readOneOf();
      case '{':
        return `(?:${this.#readAlternatives(depth + 1)})`;
      default: {
        const codePoint = character === '\\' ? this.#readEscaped() : getCodePoint(character);
        this.#isBottomless ||= codePoint === SLASH && depth > 0;
        return writeLiteral(codePoint);
      }
    }
  }

  /** @param edges the characters between which `**` means directories */
  #readStar(edges: string): string {
    const isEdge = (character: string | undefined): boolean => character === undefined || edges.includes(character);
    const before = this.#characters[this.#at - 2];
    let stars = 1;
    for (; this.#characters[this.#at] === '*'; this.#at++) stars++;
    const after = this.#characters[this.#at];
    if (stars !== 2 || !isEdge(before) || !isEdge(after)) return `${IN_NAME}*`;
    this.#isBottomless = true;
    if (after !== '/') return '.+';
    this.#at++;
    return DIRECTORIES;
  }

  #readAlternatives(depth: number): string {
    let written = '';
    for (;;) {
      const next = this.#characters[this.#at];
      if (next === undefined) throw refusals.invalidGlob(this.#pattern, 'a { in it is not closed');
      if (next !== ',' && next !== '}') written += this.#readPart(depth);
      else if (this.#next() === '}') return written;
      else written += '|';
    }
  }

  #readOneOf(): string {
    const isNegated = this.#characters[this.#at] === '!' || this.#characters[this.#at] === '^';
    if (isNegated) this.#at++;
    const ranges: (readonly [number, number])[] = [];
    // A ] in the first position is literal.
    while (this.#characters[this.#at] !== ']' || ranges.length === 0) {
      const from = this.#readMember();
      if (this.#characters[this.#at] !== '-' || this.#characters[this.#at + 1] === ']') ranges.push([from, from]);
      else {
        this.#at++;
        const to = this.#readMember();
        if (to < from) throw refusals.invalidGlob(this.#pattern, 'a range between [ and ] is the wrong way round');
        ranges.push([from, to]);
      }
    }
    this.#at++;
    return isNegated ? `[^/${writeRanges(ranges)}]` : writeOneOf(ranges);
  }

  #readMember(): number {
    const character = this.#next();
    if (character === undefined) throw refusals.invalidGlob(this.#pattern, 'a [ in it is not closed');
    return character === '\\' ? this.#readEscaped() : getCodePoint(character);
  }

  #readEscaped(): number {
    const character = this.#next();
    if (character === undefined) throw refusals.invalidGlob(this.#pattern, 'nothing comes after the \\ at its end');
    return getCodePoint(character);
  }

  #next(): string | undefined {
    return this.#characters[this.#at++];
  }
}

/** Writes a class that does not match a slash, even if one of its ranges contains it. */
function writeOneOf(ranges: readonly (readonly [number, number])[]): string {
  const inName = ranges.flatMap(([from, to]) => [
    [from, Math.min(to, SLASH - 1)] as const,
    [Math.max(from, SLASH + 1), to] as const,
  ]);
  const inner = writeRanges(inName.filter(([from, to]) => from <= to));
  return inner === '' ? never : `[${inner}]`;
}

function writeRanges(ranges: readonly (readonly [number, number])[]): string {
  return ranges.map(([from, to]) => `${writeLiteral(from)}-${writeLiteral(to)}`).join('');
}

function getCodePoint(character: string): number {
  return character.codePointAt(0) ?? 0;
}
