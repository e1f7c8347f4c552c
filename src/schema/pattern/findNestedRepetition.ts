import { MAX_SHORT_PATTERN_CHARS, MAX_TRAILING_CHARS } from '../../common/limits.js';

/** One character: a literal, an escape, the dot, or a class. */
const ATOM = String.raw`(?:[^\\^$.*+?()[\]{}|]|\\[dDwWsStnvfr.\-/\\^$*+?()[\]{}|]|\.|\[\^?(?:[^\\[\]]|\\[dDwWsStnvfr.\-/\\^$*+?()[\]{}|])+\])`;

/** A few characters in a row, anywhere. */
const SHORT = new RegExp(`^(?:${ATOM}){1,8}\\$?$`);

/** One character, and how often. */
const PIECE = new RegExp(`(${ATOM})([*+?]|\\{\\d{1,4}(?:,\\d{0,4})?\\})?`, 'y');

/** A group of which nothing is fixed, repeated without end: `(a+)+`. */
const NESTED = new RegExp(`\\((?:\\?:)?(?:${ATOM}[*+]\\??)+\\)(?:[*+]|\\{\\d+,\\})`);

/**
 * True for a pattern that V8 matches in linear time too, twenty times faster, by its form alone: a few characters in a row; or, from
 * the beginning of the text on, parts of variable length that each end at a character which they do not match themselves.
 */
export function isPlain({ source, flags }: RegExp): boolean {
  if (source.length > MAX_SHORT_PATTERN_CHARS || /[gmvy]/.test(flags)) return false;
  if (SHORT.test(source)) return true;
  const pieces = splitPieces(source);
  if (pieces === undefined) return false;
  const last = pieces.map(({ isVariable }) => isVariable).lastIndexOf(true);
  const behind = last < 0 ? [] : pieces.slice(last + 1);
  if (behind.length > MAX_TRAILING_CHARS || behind.some(({ quantifier }) => quantifier !== '')) return false;
  return pieces.every((piece, index) => !piece.isVariable || index === last || endsAt(piece, pieces[index + 1], flags));
}

interface Piece {
  readonly atom: string;
  readonly quantifier: string;
  readonly isVariable: boolean;
}

/** The pieces of a pattern that begins with `^`; undefined if there is anything else in it, such as a group. */
function splitPieces(source: string): readonly Piece[] | undefined {
  if (!source.startsWith('^')) return undefined;
  const end = source.endsWith('$') && !source.endsWith('\\$') ? source.length - 1 : source.length;
  const pieces: Piece[] = [];
  for (let at = 1; at < end;) {
    PIECE.lastIndex = at;
    const [whole, atom = '', quantifier = ''] = PIECE.exec(source) ?? [''];
    if (whole === '') return undefined;
    pieces.push({ atom, quantifier, isVariable: !/^(?:\{\d+\})?$/.test(quantifier) });
    at += whole.length;
  }
  return pieces;
}

/** True if the next piece is one character that the part does not match: then a shorter match of it can never be followed. */
function endsAt({ atom }: Piece, next: Piece | undefined, flags: string): boolean {
  const character = next?.quantifier === '' ? readCharacter(next.atom) : undefined;
  return character !== undefined && !new RegExp(`^${atom}$`, flags).test(character);
}

/** The character that an atom stands for; undefined if it matches several. */
function readCharacter(atom: string): string | undefined {
  if (atom.length === 1) return atom === '.' ? undefined : atom;
  return /^\\\W$/.test(atom) ? atom.slice(1) : undefined;
}

/**
 * Returns a repeated group of which nothing is fixed, such as `(a+)+`; undefined without one. The linear engine would match
 * it, but the pattern is published, and clients may match it with an engine that backtracks.
 */
export function findNestedRepetition({ source }: RegExp): string | undefined {
  return NESTED.exec(source)?.[0];
}
