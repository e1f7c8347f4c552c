import { didYouMean, quote } from '../common/text.js';
import { PromptError } from './PromptError.js';
import { report } from './ToolwrightError.js';

/** The names of options: a row for each, so that the compiler requires one when an option is added. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: unknown };

/** Returns what is wrong with the names of options, as a sentence; undefined if all are known. */
export function unknownOption(given: object, names: object): string | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  return `there is no option ${quote(unknown)}.${didYouMean(unknown, Object.keys(names))}`;
}

/**
 * Refuses options with a name that is not known: left alone, a misspelt option would silently have no effect.
 *
 * @param place what the options were passed to, e.g. `app.evaluate`
 * @throws PromptError E413
 */
export function requireOptionNames<T extends object>(place: string, given: T, names: OptionNames<T>): void {
  const problem = unknownOption(given, names);
  if (problem === undefined) return;
  const details = { code: 'E413', place } as const;
  throw new PromptError(report(problem, details), details);
}
