import type { AST } from '@eslint-community/regexpp';
import {
  complement,
  DIGITS,
  EVERYTHING,
  intersection,
  LINE_ENDS,
  SPACE,
  union,
  WORD,
  type CodePoints,
} from './codePoints.js';
import type { Modes } from './modes.js';
import { matchedBy } from './unicodeTable.js';

/** A node that matches characters, without a quantifier: `a`, `.`, `\d`, `[a-z]`, `[\p{L}--[a-z]]`. */
export type CharacterNode = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass;

/** A text as a list of sets, one for each character: a set holds the cases of a letter. */
export type Word = readonly CodePoints[];

interface Members {
  readonly single: CodePoints;
  /** Texts of any length but one; classes have them under the flag v. */
  readonly words: readonly Word[];
}

type MemberNode = CharacterNode | AST.CharacterClassElement | AST.ClassIntersection | AST.ClassSubtraction;

const UPPER_CASE: CodePoints = [[0x41, 0x5a]];
const LOWER_CASE: CodePoints = [[0x61, 0x7a]];

/** The words that the node matches, without duplicates; nearly always one, of one character. */
export function wordsOf(node: CharacterNode, modes: Modes): readonly Word[] {
  const { single, words } = membersOf(node, modes);
  const distinct = new Map(words.map((word) => [JSON.stringify(word), word]));
  return [[single], ...distinct.values()];
}

function membersOf(node: MemberNode, modes: Modes): Members {
  switch (node.type) {
    case 'Character':
      return { single: folded(node.value, node.value, modes), words: [] };
    case 'CharacterClassRange':
      return { single: folded(node.min.value, node.max.value, modes), words: [] };
    case 'CharacterSet':
      return membersOfSet(node, modes);
    case 'CharacterClass':
      return negatedIf(node.negate, joined(node.elements.map((element) => membersOf(element, modes))));
    case 'ExpressionCharacterClass':
      return negatedIf(node.negate, membersOf(node.expression, modes));
    case 'ClassStringDisjunction':
      return joined(node.alternatives.map(({ elements }) => membersOfString(elements, modes)));
    case 'ClassIntersection': {
      const [left, right] = [membersOf(node.left, modes), membersOf(node.right, modes)];
      // Possibly too many words: comparing them under the flag i is not worth it.
      return { single: intersection(left.single, right.single), words: right.words.length > 0 ? left.words : [] };
    }
    case 'ClassSubtraction': {
      const [left, right] = [membersOf(node.left, modes), membersOf(node.right, modes)];
      return { single: intersection(left.single, complement(right.single)), words: left.words };
    }
  }
}

function membersOfSet(node: AST.CharacterSet, modes: Modes): Members {
  switch (node.kind) {
    case 'any':
      return { single: modes.dotAll ? EVERYTHING : complement(LINE_ENDS), words: [] };
    case 'digit':
      return negatedIf(node.negate, { single: DIGITS, words: [] });
    case 'space':
      return negatedIf(node.negate, { single: SPACE, words: [] });
    case 'word':
      return negatedIf(node.negate, { single: WORD, words: [] });
    case 'property':
      // Emoji are sequences, parts of which are emoji again: an optional second character is as ambiguous.
      if (node.strings) return { single: EVERYTHING, words: [[EVERYTHING, EVERYTHING]] };
      return { single: matchedBy(node.raw, modes.unicode + (modes.ignoreCase ? 'i' : '')), words: [] };
  }
}

function membersOfString(elements: readonly AST.Character[], modes: Modes): Members {
  const word = elements.map(({ value }) => folded(value, value, modes));
  return word.length === 1 ? { single: union(word), words: [] } : { single: [], words: [word] };
}

function joined(all: readonly Members[]): Members {
  return { single: union(all.map(({ single }) => single)), words: all.flatMap(({ words }) => words) };
}

/** Complements the members if negated; drops the words, since the syntax forbids them in a negated class. */
function negatedIf(negate: boolean, members: Members): Members {
  return negate ? { single: complement(members.single), words: [] } : members;
}

/** The range, and its other case under the flag i. */
function folded(from: number, to: number, { ignoreCase }: Modes): CodePoints {
  const range: CodePoints = [[from, to]];
  if (!ignoreCase) return range;
  const upper = intersection(range, UPPER_CASE).map(([first, last]) => [first + 0x20, last + 0x20] as const);
  const lower = intersection(range, LOWER_CASE).map(([first, last]) => [first - 0x20, last - 0x20] as const);
  const beyondAscii = to > 0x7f ? matchedBy(`[${escaped(from)}-${escaped(to)}]`, 'iu') : [];
  return union([range, upper, lower, beyondAscii]);
}

function escaped(codePoint: number): string {
  return `\\u{${codePoint.toString(16)}}`;
}
