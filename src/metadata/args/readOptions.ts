import { describeValue } from '../../common/text.js';

/** What an option may hold. */
export interface OptionKind {
  /** Completes "is …; … is expected". */
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
  /** True for an option that no other rule misses when it is left out. */
  readonly required?: boolean;
  /** Stands in for a wrong value, so that one fault is reported once. */
  readonly instead?: unknown;
}

/** A row for each option, so that the compiler asks for one when an option is added. */
export type OptionKinds<T> = { readonly [K in keyof Required<T>]: OptionKind };

/** An option that holds something else. */
interface OptionFault {
  /** Undefined when there are no options at all. */
  readonly option: string | undefined;
  readonly problem: string;
}

/** Options that can be relied on, or none, with everything that was wrong. */
export interface ReadOptions<T> {
  readonly options: T | undefined;
  readonly faults: readonly OptionFault[];
}

/**
 * Looks at options as JavaScript may have given them, and takes out what is of the wrong kind: whoever collects them finds what
 * the types promise. Options that are left out are judged by the rules that know what they are for.
 */
export function readOptions<T extends object>(given: unknown, kinds: OptionKinds<T>): ReadOptions<T> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return {
      options: undefined,
      faults: [
        {
          option: undefined,
          problem: `it was given ${given === null || given === undefined ? 'no options' : `${describeValue(given)} where options are expected`}`,
        },
      ],
    };
  }
  const options: Record<string, unknown> = { ...given };
  const faults: OptionFault[] = [];
  for (const option of Object.keys(kinds) as (keyof T & string)[]) {
    const { expected, fits, required, instead }: OptionKind = kinds[option];
    const value = options[option];
    if (value === undefined ? required !== true : fits(value)) continue;
    faults.push({ option, problem: `${option} is ${describeValue(value)}; ${expected} is expected` });
    options[option] = instead;
  }
  return { options: options as T, faults };
}
