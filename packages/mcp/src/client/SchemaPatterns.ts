import { isPattern, isPlain, compileLinearPattern, type LinearPattern, MAX_PATTERN_CHARS } from 'toolwright/internal';
import { MAX_PATTERN_STEPS } from '../limits.js';

type TextTest = (text: string) => boolean;

/** Steps counted for compiling each character and instruction of a pattern, and for testing each text. */
const COMPILE_STEPS = 200;
const TESTING = 20;

const matchAll: TextTest = () => true;

/**
 * Matches the patterns of a server's schema, with one budget of steps for each check of a value. A pattern that is invalid, exceeds
 * the budget, or is not supported by the linear engine matches every text, because the server checks its arguments itself.
 */
export class SchemaPatterns {
  readonly #tests = new Map<string, TextTest>();
  #left = MAX_PATTERN_STEPS;

  /** Resets the budget. Call it before each check. */
  renew(): void {
    this.#left = MAX_PATTERN_STEPS;
  }

  readonly matches = (source: string, text: string): boolean => {
    let test = this.#tests.get(source);
    if (test === undefined) this.#tests.set(source, (test = this.#testOf(source)));
    return test(text);
  };

  #testOf(source: string): TextTest {
    // V8 is slow to parse longer patterns, and servers do not need them.
    if (source.length > MAX_PATTERN_CHARS || !isPattern(source)) return matchAll;
    const pattern = new RegExp(source, 'u');
    if (isPlain(pattern)) return (text) => pattern.test(text);
    let compiled: LinearPattern | undefined;
    return (text) => {
      if (compiled === undefined) {
        if (!this.#spend(source.length * COMPILE_STEPS)) return true;
        const read = compileLinearPattern(pattern);
        if (read.has !== undefined) {
          this.#tests.set(source, matchAll);
          return true;
        }
        compiled = read;
        // The size is known only after compiling, so its steps are subtracted for the following patterns.
        this.#left -= read.size * COMPILE_STEPS;
      }
      return !this.#spend(compiled.size * (text.length + TESTING)) || compiled.find(text) !== undefined;
    };
  }

  #spend(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}
