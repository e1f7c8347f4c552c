import { isPattern, isPlain, compileLinearPattern, type LinearPattern, MAX_PATTERN_CHARS } from 'toolwright/internal';
import { MAX_PATTERN_STEPS } from '../limits.js';

type TextTest = (text: string) => boolean;

/** Steps that compiling takes for each character of a pattern and for each instruction, and testing for each text. */
const COMPILING = 200;
const TESTING = 20;

const matchAll: TextTest = () => true;

/**
 * The patterns of one schema of a server, with one budget for each check of a value. A pattern that is invalid, or that the budget or
 * the linear engine does not allow, matches every text: the server checks its arguments itself.
 */
export class SchemaPatterns {
  readonly #tests = new Map<string, TextTest>();
  #left = MAX_PATTERN_STEPS;

  /** To be called before each check. */
  renew(): void {
    this.#left = MAX_PATTERN_STEPS;
  }

  readonly matches = (source: string, text: string): boolean => {
    let test = this.#tests.get(source);
    if (test === undefined) this.#tests.set(source, (test = this.#testOf(source)));
    return test(text);
  };

  #testOf(source: string): TextTest {
    // V8 takes a while to read a longer one, and no server needs it.
    if (source.length > MAX_PATTERN_CHARS || !isPattern(source)) return matchAll;
    const pattern = new RegExp(source, 'u');
    if (isPlain(pattern)) return (text) => pattern.test(text);
    let compiled: LinearPattern | undefined;
    return (text) => {
      if (compiled === undefined) {
        if (!this.#spend(source.length * COMPILING)) return true;
        const read = compileLinearPattern(pattern);
        if (read.has !== undefined) {
          this.#tests.set(source, matchAll);
          return true;
        }
        compiled = read;
        // Known only now: what it took is missing in what follows.
        this.#left -= read.size * COMPILING;
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
