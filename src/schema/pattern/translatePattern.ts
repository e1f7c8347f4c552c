import { MAX_REPETITIONS } from '../../common/limits.js';
import { CharacterClassReader, writeLiteral, never } from './CharacterClassReader.js';
import { PatternText } from './PatternText.js';
import { unsupported, type PatternProblem } from './PatternProblem.js';

/** A pattern in the syntax of RE2, without captures. */
export interface Translation {
  readonly source: string;
  /** Patterns that must match as well, or must not: lookaheads at the beginning of the text. */
  readonly conditions: readonly { readonly source: string; readonly holds: boolean }[];
}

const ANY = '[\\x{0}-\\x{10FFFF}]';
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/**
 * Translates a pattern that V8 has accepted. Reads texts by code points and folds case, both as with the flag u (decision 48).
 */
export function translatePattern({ source, flags }: RegExp): Translation | PatternProblem {
  if (flags.includes('v')) return unsupported.sets();
  const text = new PatternText(source, flags);
  const reader = new PatternReader(text);
  const conditions = flags.includes('m') ? [] : reader.readConditions();
  const start = conditions.length > 0 ? '\\A' : '';
  const rest = start + reader.readSequence();
  // In `^(?=a)b|c`, the lookahead belongs to one alternative only.
  if (conditions.length > 0 && reader.hasAlternatives) return unsupported.lookahead(source.slice(1, 4) + '…)');
  if (text.problem !== undefined) return text.problem;
  return { source: flags.includes('y') ? `\\A(?:${rest})` : rest, conditions };
}

/** Reads a pattern from left to right, and writes it in the syntax of RE2. */
class PatternReader {
  /** True if there are alternatives outside of groups. */
  hasAlternatives = false;
  readonly #text: PatternText;
  readonly #classes: CharacterClassReader;
  #depth = 0;

  constructor(text: PatternText) {
    this.#text = text;
    this.#classes = new CharacterClassReader(text);
  }

  /** Reads the lookaheads right after a `^` at the beginning; reads nothing without them. */
  readConditions(): Translation['conditions'] {
    const found: Translation['conditions'][number][] = [];
    if (!this.#text.follows(/\^\(\?[=!]/y)) return found;
    this.#text.take(1);
    for (let kind = this.#text.match(/\(\?[=!]/y); kind !== undefined; kind = this.#text.match(/\(\?[=!]/y)) {
      const source = `\\A(?:${this.#runInGroup()})`;
      // A lookahead with a quantifier counts once, or not at all: `(?=a)*`.
      if (this.#text.follows(/[*+?{]/y)) this.#text.refuse(unsupported.lookahead(kind));
      found.push({ source, holds: kind === '(?=' });
    }
    return found;
  }

  /** Reads up to the end of the group, or of the pattern. */
  readSequence(): string {
    let written = '';
    while (!this.#text.atEnd && !this.#text.follows(/\)/y)) written += this.#readPart();
    return written;
  }

  #readPart(): string {
    const text = this.#text;
    const times = text.match(/\{\d+(?:,\d*)?\}/y);
    if (times !== undefined) return this.#readTimes(times);
    if (text.follows(/\[/y)) return this.#classes.read();
    if (text.follows(/\(/y)) return this.#readGroup();
    if (text.follows(/\\/y)) return this.#readEscape();
    const next = text.character();
    switch (next) {
      case '.':
        return text.has('s') ? ANY : NO_LINE_END;
      case '^':
        return text.has('m') ? '(?m:^)' : '\\A';
      case '$':
        return text.has('m') ? '(?m:$)' : '\\z';
      case '|':
        this.hasAlternatives ||= this.#depth === 0;
        return next;
      case '*':
      case '+':
      case '?':
        return next;
      default:
        return writeLiteral(next.codePointAt(0) ?? 0);
    }
  }

  #readTimes(written: string): string {
    const counts = written.match(/\d+/g) ?? [];
    if (counts.some((count) => Number(count) > MAX_REPETITIONS)) this.#text.refuse(unsupported.repetition(written));
    return written;
  }

  #readGroup(): string {
    const text = this.#text;
    const around = text.match(/\(\?(?:[=!]|<[=!])/y);
    if (around !== undefined)
      text.refuse(unsupported[around.includes('<') ? 'lookbehind' : 'lookahead'](`${around}…)`));
    const modifiers = text.match(/\(\?[a-z-]+:/y);
    if (modifiers !== undefined) text.refuse(unsupported.modifiers(modifiers));
    if (around === undefined && modifiers === undefined) text.match(/\((?:\?:|\?<[^>]*>)?/y);
    return `(?:${this.#runInGroup()})`;
  }

  #runInGroup(): string {
    this.#depth++;
    const inner = this.readSequence();
    this.#depth--;
    this.#text.take(1);
    return inner;
  }

  #readEscape(): string {
    const text = this.#text;
    const boundary = text.match(/\\[bB]/y);
    if (boundary !== undefined) return boundary;
    const reference = text.match(/\\[1-9]\d*/y) ?? (text.hasNames ? text.match(/\\k<[^>]*>/y) : undefined);
    if (reference !== undefined) {
      text.refuse(unsupported.reference(reference));
      return never;
    }
    return this.#classes.readEscaped();
  }
}
