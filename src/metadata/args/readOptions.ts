import { isRecord, isText } from '../../common/guards.js';
import { copyOwnOptions } from '../../common/objects.js';
import { describeValue } from '../../common/text.js';
import { findUnknownOption } from '../../error/optionNames.js';

/** The values that an option accepts. */
export interface OptionKind {
  /** The expected value in a message. */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  /** The known keys of a value that is an object, or of the items of a list. */
  readonly names?: object;
  /** True for a required option that no other rule reports. */
  readonly required?: boolean;
  /** Replaces a wrong value, so that one fault is reported once. */
  readonly instead?: unknown;
}

export const text: OptionKind = { expected: 'a text', fits: isText };
export const flag: OptionKind = { expected: 'true or false', fits: (value) => typeof value === 'boolean' };
/** For options that other code checks with a better message. */
export const ruled: OptionKind = { expected: '', fits: () => true };

/** One property for each option, so that the compiler requires a new one when an option is added. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: OptionKind };

/** An option with a value of the wrong type. */
interface OptionFault {
  /** Undefined if there are no options at all, or an unknown one. */
  readonly option: string | undefined;
  readonly problem: string;
}

/** The checked options, or undefined, with all faults. */
export interface ReadOptions<T> {
  readonly options: T | undefined;
  readonly faults: readonly OptionFault[];
}

/**
 * Checks options, which may be any value in JavaScript, and replaces values of the wrong type, so that the result has
 * its declared type. The rules that use an option report its absence.
 */
export function readOptions<T extends object>(given: unknown, kinds: OptionKinds<T>): ReadOptions<T> {
  if (!isRecord(given)) {
    const isAbsent = given === null || given === undefined;
    const got = isAbsent ? 'no options' : `${describeValue(given)} where options are expected`;
    return { options: undefined, faults: [{ option: undefined, problem: `it was given ${got}` }] };
  }
  const options = copyOwnOptions(given) as Record<string, unknown>;
  const unknown = findUnknownOption(given, kinds);
  const faults: OptionFault[] = unknown === undefined ? [] : [{ option: undefined, problem: unknown }];
  for (const option of Object.keys(kinds) as (keyof T & string)[]) {
    const { expected, fits, names, required, instead }: OptionKind = kinds[option];
    const value = options[option];
    const unknownKey = names === undefined ? undefined : findUnknownKey(value, names);
    if (unknownKey === undefined && (value === undefined ? required !== true : fits(value))) continue;
    const problem = unknownKey ?? `expected ${expected}, got ${describeValue(value)}`;
    faults.push({ option, problem: `${option}: ${problem}` });
    if (instead === undefined) Reflect.deleteProperty(options, option);
    else options[option] = instead;
  }
  return { options: options as T, faults };
}

/** Describes the first unknown key of an object, or of the objects in a list. */
function findUnknownKey(value: unknown, names: object): string | undefined {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const problem = typeof item === 'object' && item !== null ? findUnknownOption(item, names, 'property') : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
