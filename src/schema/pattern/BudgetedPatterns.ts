import { linearPattern, type LinearPattern } from './linearPattern.js';
import { isPlain } from './shortcuts.js';

/** Most steps of all patterns in one check: some 15 ms on a slow core. */
const MOST_STEPS = 250_000;

/** Steps that compiling takes for each character of a pattern and for each instruction, and testing for each text. */
const COMPILING = 200;
const TESTING = 20;

/** What Ajv needs of a regular expression. */
interface TextTest {
  readonly test: (text: string) => boolean;
  readonly toString: () => string;
}

/**
 * The patterns of one JSON Schema by another author, with one budget for each check of a value. A pattern that the budget or the
 * linear engine does not allow holds for every text: the author of the schema has to check it.
 *
 * @example
 * const patterns = new BudgetedPatterns();
 * const ajv = new Ajv({ code: { regExp: patterns.regExp } });
 */
export class BudgetedPatterns {
  #left = MOST_STEPS;

  /** To be called before each check. */
  renew(): void {
    this.#left = MOST_STEPS;
  }

  /** Ajv's option `code.regExp`; patterns are compiled when they are first tried. */
  readonly regExp: ((source: string, flags: string) => TextTest) & { readonly code: string } = Object.assign(
    (source: string, flags: string): TextTest => {
      const pattern = new RegExp(source, flags);
      if (isPlain(pattern)) return pattern;
      let compiled: LinearPattern | undefined;
      let isUnsupported = false;
      return {
        toString: () => String(pattern),
        test: (text) => {
          if (isUnsupported) return true;
          if (compiled === undefined) {
            if (!this.#spend(source.length * COMPILING)) return true;
            const read = linearPattern(pattern);
            if (read.has !== undefined) {
              isUnsupported = true;
              return true;
            }
            compiled = read;
            // Known only now: what it took is missing in what follows.
            this.#left -= read.size * COMPILING;
          }
          return !this.#spend(compiled.size * (text.length + TESTING)) || compiled.find(text) !== undefined;
        },
      };
    },
    { code: 'BudgetedPatterns' },
  );

  #spend(steps: number): boolean {
    if (steps > this.#left) return false;
    this.#left -= steps;
    return true;
  }
}
