import { BudgetedPatterns } from '../../../schema/pattern/BudgetedPatterns.js';

/** The patterns of one schema of a server, each compiled once, with one budget for each check of a value. */
export class SchemaPatterns {
  readonly #budget = new BudgetedPatterns();
  readonly #tests = new Map<string, (text: string) => boolean>();

  /** To be called before each check. */
  renew(): void {
    this.#budget.renew();
  }

  /** True for a text that a pattern matches, and where the budget or the linear engine does not allow the pattern. */
  readonly matches = (pattern: string, text: string): boolean => {
    let test = this.#tests.get(pattern);
    if (test === undefined) {
      const compiled = this.#budget.regExp(pattern, 'u');
      test = (each) => compiled.test(each);
      this.#tests.set(pattern, test);
    }
    return test(text);
  };
}
