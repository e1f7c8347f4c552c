import { prefixPath, describeMisfit, eachOf, type DataForm } from '../common/dataForm.js';
import { isRecord } from '../common/guards.js';
import { describeValue, didYouMean, quote } from '../common/text.js';
import { createPromptError, type PromptError } from './PromptError.js';

/** One property for each option of `T`, so that the compiler requires a new one when an option is added. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: unknown };

/** The form of each option of `T`. */
export type OptionForms<T> = { readonly [K in keyof Required<T>]: DataForm };

/** Describes the first unknown option in a sentence, which calls it a `noun`; returns undefined if all names are known. */
export function findUnknownOption(given: object, names: object, noun = 'option'): string | undefined {
  for (const name in given)
    if (!Object.hasOwn(names, name) && Object.hasOwn(given, name))
      return `there is no ${noun} ${quote(name)}.${didYouMean(name, Object.keys(names))}`;
  return undefined;
}

/**
 * Checks that all options have known names. A misspelt option would silently have no effect.
 *
 * @param place the method that got the options, e.g. `app.evaluate`
 * @throws PromptError E413 for an unknown name, and for a value that is not an object
 */
export function requireOptionNames<T extends object>(place: string, given: T, names: OptionNames<NoInfer<T>>): void {
  if (!isRecord(given)) {
    const remedy = 'Pass an object with options, or leave it out if no option is required.';
    throw createOptionError(place, `expected an object with options, got ${describeValue(given)}`, remedy);
  }
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw createOptionError(place, problem);
}

/** Like `requireOptionNames`, but also checks the values. */
export function requireOptions<T extends object>(place: string, given: T, forms: OptionForms<T>): void {
  requireOptionNames(place, given, forms);
  // On the path of every call: of a literal, only the few options that it has are looked up. Another object may inherit them.
  const isLiteral = Object.getPrototypeOf(given) === Object.prototype;
  for (const name in isLiteral ? given : forms) {
    const value = given[name];
    if (value !== undefined && Object.hasOwn(forms, name)) requireValue(place, name, value, forms[name]);
  }
}

/** Checks one option or argument. @throws PromptError E413 with the paths of its invalid parts */
export function requireValue(place: string, name: string, value: unknown, form: DataForm): void {
  const misfit = form(value);
  if (misfit === undefined) return;
  const problems = eachOf(prefixPath(name, misfit)).map((each) => `${each.path}: ${describeMisfit(each)}`);
  throw createOptionError(place, problems.join('; '), `Correct ${name}; the types list the valid values.`);
}

function createOptionError(place: string, problem: string, remedy?: string): PromptError {
  return createPromptError(problem, { code: 'E413', place, remedy });
}
