import { refusals } from './refusals.js';

/** True for the code points that it matches. */
type Test = (codePoint: number) => boolean;

/** A part of a glob pattern. */
export type GlobPart =
  | { readonly is: 'character'; readonly test: Test }
  /** `*`: any part of a name. */
  | { readonly is: 'star' }
  /** `**` with a slash after it: any number of directories. */
  | { readonly is: 'directories' }
  /** `**` at the end: everything below. */
  | { readonly is: 'everything' }
  | { readonly is: 'either'; readonly of: readonly (readonly GlobPart[])[] };

const SLASH = 0x2f;
const MAX_PATTERN = 1_000;

/**
 * Parses a glob pattern, whose syntax is documented at `Filesystem.glob`.
 *
 * @throws FilesystemError invalidPattern
 */
export function readGlob(pattern: string): readonly GlobPart[] {
  if (pattern.length > MAX_PATTERN)
    throw refusals.invalidGlob(pattern, `it is longer than ${String(MAX_PATTERN)} characters`);
  const clean = pattern.replace(/\/{2,}/g, '/').replace(/(^|\/)(?:\.\/)+/g, '$1');
  if (/(^|\/)\.\.(\/|$)/.test(clean)) throw refusals.invalidGlob(pattern, 'it leads out of the directory with ..');
  const relative = clean.replace(/^\/|\/$/g, '');
  if (relative === '') throw refusals.invalidGlob(pattern, 'it is empty');
  const parts = new GlobReader(pattern, relative).read();
  return /^\.?\/|.\/./.test(pattern) ? parts : [{ is: 'directories' }, ...parts];
}

/** Reads a pattern from left to right. */
class GlobReader {
  readonly #pattern: string;
  readonly #characters: readonly string[];
  #at = 0;

  /** @param pattern as passed by the caller, for messages */
  constructor(pattern: string, text: string) {
    this.#pattern = pattern;
    this.#characters = Array.from(text);
  }

  read(): readonly GlobPart[] {
    return this.#sequence(0);
  }

  #sequence(depth: number): readonly GlobPart[] {
    const parts: GlobPart[] = [];
    for (;;) {
      const next = this.#characters[this.#at];
      if (next === undefined || (depth > 0 && (next === ',' || next === '}'))) return parts;
      this.#at++;
      parts.push(this.#part(next, depth));
    }
  }

  #part(character: string, depth: number): GlobPart {
    switch (character) {
      case '*':
        return this.#star(depth > 0 ? '/{},' : '/');
      case '?':
        return { is: 'character', test: isNoSlash };
      case '[':
        return { is: 'character', test: this.#oneOf() };
      case '{':
        return { is: 'either', of: this.#alternatives(depth + 1) };
      case '\\':
        return literal(this.#escaped());
      default:
        return literal(character);
    }
  }

  /** @param edges the characters between which `**` means directories */
  #star(edges: string): GlobPart {
    const isEdge = (character: string | undefined): boolean => character === undefined || edges.includes(character);
    const before = this.#characters[this.#at - 2];
    let stars = 1;
    for (; this.#characters[this.#at] === '*'; this.#at++) stars++;
    const after = this.#characters[this.#at];
    if (stars !== 2 || !isEdge(before) || !isEdge(after)) return { is: 'star' };
    if (after !== '/') return { is: 'everything' };
    this.#at++;
    return { is: 'directories' };
  }

  #alternatives(depth: number): readonly (readonly GlobPart[])[] {
    const alternatives: (readonly GlobPart[])[] = [];
    for (;;) {
      alternatives.push(this.#sequence(depth));
      const end = this.#characters[this.#at++];
      if (end === undefined) throw refusals.invalidGlob(this.#pattern, 'a { in it is not closed');
      if (end === '}') return alternatives;
    }
  }

  #oneOf(): Test {
    const negated = this.#characters[this.#at] === '!' || this.#characters[this.#at] === '^';
    if (negated) this.#at++;
    const ranges: (readonly [number, number])[] = [];
    // A ] that comes first is literal.
    while (this.#characters[this.#at] !== ']' || ranges.length === 0) {
      const from = this.#member();
      if (this.#characters[this.#at] !== '-' || this.#characters[this.#at + 1] === ']') ranges.push([from, from]);
      else {
        this.#at++;
        const to = this.#member();
        if (to < from) throw refusals.invalidGlob(this.#pattern, 'a range between [ and ] is the wrong way round');
        ranges.push([from, to]);
      }
    }
    this.#at++;
    const isMember: Test = (codePoint) => ranges.some(([from, to]) => from <= codePoint && codePoint <= to);
    return (codePoint) => isNoSlash(codePoint) && isMember(codePoint) !== negated;
  }

  #member(): number {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw refusals.invalidGlob(this.#pattern, 'a [ in it is not closed');
    return codePointOf(character === '\\' ? this.#escaped() : character);
  }

  #escaped(): string {
    const character = this.#characters[this.#at++];
    if (character === undefined) throw refusals.invalidGlob(this.#pattern, 'nothing comes after the \\ at its end');
    return character;
  }
}

function isNoSlash(codePoint: number): boolean {
  return codePoint !== SLASH;
}

function literal(character: string): GlobPart {
  const wanted = codePointOf(character);
  return { is: 'character', test: (codePoint) => codePoint === wanted };
}

function codePointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}
