import { prefixPath, describeMisfit, eachOf, type DataForm } from '../common/dataForm.js';
import { isRecord } from '../common/guards.js';
import { describeValue, didYouMean, quote } from '../common/text.js';
import { PromptError } from './PromptError.js';
import { formatMessage } from './ToolwrightError.js';

/** The names of options: a row for each, so that the compiler requires one when an option is added. */
export type OptionNames<T> = { readonly [K in keyof Required<T>]: unknown };

/** The form of each option. */
export type OptionForms<T> = { readonly [K in keyof Required<T>]: DataForm };

/**
 * Describes the first unknown option in a sentence; undefined if all names are known.
 *
 * @param noun the word for a name in the sentence, such as `field`
 */
export function findUnknownOption(given: object, names: object, noun = 'option'): string | undefined {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(names, name));
  if (unknown === undefined) return undefined;
  return `there is no ${noun} ${quote(unknown)}.${didYouMean(unknown, Object.keys(names))}`;
}

/**
 * Refuses options with a name that is not known: left alone, a misspelt option would silently have no effect.
 *
 * @param place what the options were passed to, e.g. `app.evaluate`
 * @throws PromptError E413, also for anything but an object
 */
export function requireOptionNames<T extends object>(place: string, given: T, names: OptionNames<T>): void {
  if (!isRecord(given)) {
    const remedy = 'Pass an object with options, or leave it out where there need be none.';
    throw createOptionError(place, `expected an object with options, got ${describeValue(given)}`, remedy);
  }
  const problem = findUnknownOption(given, names);
  if (problem !== undefined) throw createOptionError(place, problem);
}

/**
 * Refuses options with a name that is not known, or with a value that they cannot have.
 *
 * @param place the method that got the options, e.g. `runs.list`
 * @throws PromptError E413
 */
export function requireOptions<T extends object>(place: string, given: T, forms: OptionForms<T>): void {
  requireOptionNames(place, given, forms);
  // Every call passes here. Not `Object.entries`, which makes a list for each.
  for (const name in forms) {
    const value = given[name];
    if (value !== undefined) requireValue(place, name, value, forms[name]);
  }
}

/**
 * Refuses an option or argument with a value that it cannot have.
 *
 * @param name the name of the option or argument
 * @throws PromptError E413 with the places in it that do not fit
 */
export function requireValue(place: string, name: string, value: unknown, form: DataForm): void {
  const misfit = form(value);
  if (misfit === undefined) return;
  const problems = eachOf(prefixPath(name, misfit)).map((each) => `${each.path}: ${describeMisfit(each)}`);
  throw createOptionError(place, problems.join('; '), `Correct ${name}; the types say which values it can have.`);
}

function createOptionError(place: string, problem: string, remedy?: string): PromptError {
  const details = { code: 'E413', place, ...(remedy === undefined ? {} : { remedy }) } as const;
  return new PromptError(formatMessage(problem, details), details);
}
