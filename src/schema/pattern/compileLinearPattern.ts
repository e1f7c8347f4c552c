import {
  MAX_MATCH_STEPS,
  MAX_PATTERN_CHARS,
  MAX_PATTERN_INSTRUCTIONS,
  MAX_PATTERN_PROPERTIES,
} from '../../common/limits.js';
import { createPartProblem, tooLarge, type PatternProblem } from './PatternProblem.js';
import { re2, type CompiledPattern } from './re2.js';
import { translatePattern } from './translatePattern.js';
import { estimateWrittenOutSize } from './estimateWrittenOutSize.js';

/** A pattern that is matched in time proportional to the length of the text (decision 48). */
export interface LinearPattern {
  readonly has?: undefined;
  /** The longest text, in characters, that can be matched without blocking the event loop; callers limit texts to it. */
  readonly longest: number;
  /** Instructions of the compiled pattern: the steps of a match are proportional to them and to the length of the text. */
  readonly size: number;
  /** Finds the first match, as `RegExp.exec` does. */
  readonly find: (text: string) => Span | undefined;
}

/** The bounds of a match in UTF-16 units; `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * Compiles any pattern with RE2, which never backtracks. Reports constructs that RE2 lacks; matches lookaheads right after a `^`
 * at the beginning separately.
 */
export function compileLinearPattern(pattern: RegExp): LinearPattern | PatternProblem {
  if (pattern.source.length > MAX_PATTERN_CHARS) return tooLarge.length(MAX_PATTERN_CHARS);
  const properties = pattern.source.match(/\\[pP]\{/g)?.length ?? 0;
  if (properties > MAX_PATTERN_PROPERTIES) return tooLarge.properties(properties, MAX_PATTERN_PROPERTIES);
  const translated = translatePattern(pattern);
  if ('has' in translated) return translated;
  // Before RE2 sees the pattern: it writes repetitions out first, which takes up to a second and 160 MB, and counts afterwards.
  const sources = [translated.source, ...translated.conditions.map(({ source }) => source)];
  const expected = sources.reduce((sum, source) => sum + estimateWrittenOutSize(source), 0);
  if (expected > MAX_PATTERN_INSTRUCTIONS) return tooLarge.size(expected, MAX_PATTERN_INSTRUCTIONS);
  const compiled = compile(translated.source, pattern.flags);
  if ('has' in compiled) return compiled;
  const conditions: { readonly program: CompiledPattern; readonly holds: boolean }[] = [];
  for (const { source, holds } of translated.conditions) {
    const program = compile(source, pattern.flags);
    if ('has' in program) return program;
    conditions.push({ program, holds });
  }
  const size = [compiled, ...conditions.map(({ program }) => program)].reduce((sum, one) => sum + one.programSize(), 0);
  return {
    longest: Math.floor(MAX_MATCH_STEPS / size),
    size,
    find: (text) => {
      if (conditions.some(({ program, holds }) => program.matcher(text).find() !== holds)) return undefined;
      const matcher = compiled.matcher(text);
      return matcher.find() ? { start: matcher.start(), end: matcher.end() } : undefined;
    },
  };
}

function compile(source: string, flags: string): CompiledPattern | PatternProblem {
  const { RE2JS, RE2JSSyntaxException } = re2.get();
  try {
    return RE2JS.compile(source, flags.includes('i') ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    // The translation contains nothing else that RE2 could refuse.
    const property = /\\[pP]\{[^}]*\}/.exec(error.message)?.[0];
    return property === undefined ? tooLarge.nesting() : createPartProblem('property', property);
  }
}
