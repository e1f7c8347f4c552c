import { MAX_REPETITIONS } from '../../common/limits.js';
import { CharacterClassReader, writeLiteral, never } from './CharacterClassReader.js';
import { createPartProblem, type PatternProblem } from './PatternProblem.js';

/** A pattern in the syntax of RE2, without captures. */
export interface Translation {
  readonly source: string;
  /** Patterns that must match as well, or must not: lookaheads at the beginning of the text. */
  readonly conditions: readonly { readonly source: string; readonly holds: boolean }[];
}

const ANY = '[\\x{0}-\\x{10FFFF}]';
const NO_LINE_END = '[^\\n\\r\\x{2028}\\x{2029}]';

/** Translates a pattern that V8 has accepted. Reads texts by code points and folds case, both as with the flag u (decision 48). */
export function translatePattern({ source, flags }: RegExp): Translation | PatternProblem {
  if (flags.includes('v')) return createPartProblem('flag', 'v');
  const reader = new PatternReader(source, flags);
  const conditions = flags.includes('m') ? [] : reader.readConditions();
  const start = conditions.length > 0 ? '\\A' : '';
  const rest = start + reader.readSequence();
  // In `^(?=a)b|c`, the lookahead belongs to one alternative only.
  if (conditions.length > 0 && reader.hasAlternatives) return createPartProblem('lookahead', source.slice(1, 4) + '…)');
  if (reader.problem !== undefined) return reader.problem;
  return { source: flags.includes('y') ? `\\A(?:${rest})` : rest, conditions };
}

/** Reads a pattern from left to right, and writes it in the syntax of RE2. */
class PatternReader extends CharacterClassReader {
  /** True if there are alternatives outside of groups. */
  hasAlternatives = false;
  #depth = 0;

  /** Reads the lookaheads right after a `^` at the beginning; reads nothing without them. */
  readConditions(): Translation['conditions'] {
    const found: Translation['conditions'][number][] = [];
    if (!this.follows(/\^\(\?[=!]/y)) return found;
    this.take(1);
    for (let kind = this.match(/\(\?[=!]/y); kind !== undefined; kind = this.match(/\(\?[=!]/y)) {
      const source = `\\A(?:${this.#runInGroup()})`;
      // A lookahead with a quantifier counts once, or not at all: `(?=a)*`.
      if (this.follows(/[*+?{]/y)) this.refuse('lookahead', kind);
      found.push({ source, holds: kind === '(?=' });
    }
    return found;
  }

  /** Reads up to the end of the group, or of the pattern. */
  readSequence(): string {
    let written = '';
    while (!this.atEnd && !this.follows(/\)/y)) written += this.#readPart();
    return written;
  }

  #readPart(): string {
    const times = this.match(/\{\d+(?:,\d*)?\}/y);
    if (times !== undefined) return this.#readTimes(times);
    if (this.follows(/\[/y)) return this.readClass();
    if (this.follows(/\(/y)) return this.#readGroup();
    if (this.follows(/\\/y)) return this.#readEscape();
    const next = this.character();
    switch (next) {
      case '.':
        return this.has('s') ? ANY : NO_LINE_END;
      case '^':
        return this.has('m') ? '(?m:^)' : '\\A';
      case '$':
        return this.has('m') ? '(?m:$)' : '\\z';
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
    if (counts.some((count) => Number(count) > MAX_REPETITIONS))
      this.refuse('repetition', `${written}, above 1,000 times`);
    return written;
  }

  #readGroup(): string {
    const around = this.match(/\(\?(?:[=!]|<[=!])/y);
    if (around !== undefined) this.refuse(around.includes('<') ? 'lookbehind' : 'lookahead', `${around}…)`);
    const modifiers = this.match(/\(\?[a-z-]+:/y);
    if (modifiers !== undefined) this.refuse('modifiers', modifiers);
    if (around === undefined && modifiers === undefined) this.match(/\((?:\?:|\?<[^>]*>)?/y);
    return `(?:${this.#runInGroup()})`;
  }

  #runInGroup(): string {
    this.#depth++;
    const inner = this.readSequence();
    this.#depth--;
    this.take(1);
    return inner;
  }

  #readEscape(): string {
    const boundary = this.match(/\\[bB]/y);
    if (boundary !== undefined) return boundary;
    const reference = this.match(/\\[1-9]\d*/y) ?? (this.hasNames ? this.match(/\\k<[^>]*>/y) : undefined);
    if (reference !== undefined) {
      this.refuse('back reference', reference);
      return never;
    }
    return this.readEscaped();
  }
}
