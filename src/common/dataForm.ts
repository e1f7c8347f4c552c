import { isArray, isObject, isRecord } from './guards.js';
import { MAX_NAMED_PLACES } from './limits.js';
import { describeValue, keyText } from './text.js';

/** The first part of some data that does not match its form. */
export interface Misfit {
  /** Path of the part below the data, e.g. `messages[3].content`; empty for the data itself. */
  readonly path: string;
  /** The expected value, e.g. `a text`. */
  readonly expected: string;
  readonly got: unknown;
  /** The whole problem as a sentence, if form and value do not say enough. */
  readonly problem?: string;
  /** Further misfits of the same list or object, so that all of them can be corrected at once. */
  readonly also?: readonly Misfit[];
}

/** Checks plain data of unknown origin. Returns the first misfit, or undefined. */
export type DataForm = (value: unknown) => Misfit | undefined;

type Fields = Readonly<Record<string, DataForm>>;

/** A string. */
export const aText = formOf('a text', (value) => typeof value === 'string');
/** A finite number. */
export const aNumber = formOf('a number', Number.isFinite);
/** A safe integer. */
export const anInteger = formOf('a whole number', Number.isSafeInteger);
/** A safe integer of at least 0. */
export const aCount = formOf('a whole number of at least 0', isCount);
/** A count, or Infinity for no limit. */
export const aLimit = formOf(
  'a whole number of at least 0, or Infinity',
  (value) => value === Number.POSITIVE_INFINITY || isCount(value),
);
/** A function of any kind. */
export const aFunction = formOf('a function', (value) => typeof value === 'function');
/** An abort signal of any realm. */
export const aSignal = formOf(
  'an AbortSignal',
  (value) =>
    isRecord(value) && typeof value['aborted'] === 'boolean' && typeof value['addEventListener'] === 'function',
);
/** A boolean. */
export const aBoolean = formOf('true or false', (value) => typeof value === 'boolean');
/** An object that is not a list. */
export const anObject = formOf('an object', isRecord);
/** Any value but undefined. */
export const anything = formOf('a value', (value) => value !== undefined);

/** Creates a form from a predicate, and from the expectation as messages name it. */
export function formOf(expected: string, fits: (value: unknown) => boolean): DataForm {
  return (value) => (fits(value) ? undefined : { path: '', expected, got: value });
}

/** A number of at least `least`. */
export function atLeast(least: number): DataForm {
  return formOf(
    `a number of at least ${String(least)}`,
    (value) => Number.isFinite(value) && (value as number) >= least,
  );
}

/** One of the given texts. */
export function oneOf(...texts: readonly string[]): DataForm {
  const known: ReadonlySet<unknown> = new Set(texts);
  return formOf(`one of ${texts.join(', ')}`, (value) => known.has(value));
}

/** An object with these methods, its own or inherited ones. */
export function withMethods(...names: readonly string[]): DataForm {
  const noun = names.length === 1 ? 'method' : 'methods';
  return formOf(
    `an object with the ${noun} ${names.join(', ')}`,
    (value) => isObject(value) && names.every((name) => typeof Reflect.get(value, name) === 'function'),
  );
}

/** Extends a form by null. */
export function orNull(form: DataForm): DataForm {
  return (value) => {
    const misfit = value === null ? undefined : form(value);
    return misfit?.path === '' ? { ...misfit, expected: `${misfit.expected} or null` } : misfit;
  };
}

/** A list of items of one form. */
export function listOf(item: DataForm): DataForm {
  return (value) => {
    if (!isArray(value)) return { path: '', expected: 'a list', got: value };
    const misfits = new Misfits();
    for (let index = 0; index < value.length && !misfits.isFull; index++)
      misfits.add(`[${String(index)}]`, item(value[index]));
    return misfits.all;
  };
}

/** Collects the misfits of a list or an object. */
export class Misfits {
  readonly #found: Misfit[] = [];

  get isFull(): boolean {
    return this.#found.length >= MAX_NAMED_PLACES;
  }

  get all(): Misfit | undefined {
    const [first, ...also] = this.#found;
    return first === undefined || also.length === 0 ? first : { ...first, also };
  }

  /** @param step the path step to the value with the misfit */
  add(step: string, misfit: Misfit | undefined): void {
    if (misfit === undefined) return;
    for (const each of eachOf(misfit)) this.#found.push(prefixPath(step, each));
  }
}

/** Returns the misfit and those beside it. */
export function eachOf({ also = [], ...first }: Misfit): readonly Misfit[] {
  return [first, ...also];
}

/** An object with values of one form. */
export function recordOf(entry: DataForm): DataForm {
  return (value) => {
    if (!isRecord(value)) return { path: '', expected: 'an object', got: value };
    const misfits = new Misfits();
    for (const key of Object.keys(value)) {
      misfits.add(keyText(key), entry(value[key]));
      if (misfits.isFull) break;
    }
    return misfits.all;
  };
}

/** An object with these fields. It may have others as well. */
export function fieldsOf(required: Fields, optional: Fields = {}): DataForm {
  const [needed, possible] = [Object.entries(required), Object.entries(optional)];
  return (value) => {
    if (!isRecord(value)) return { path: '', expected: 'an object', got: value };
    for (const [field, form] of needed) {
      const misfit = form(Object.hasOwn(value, field) ? value[field] : undefined);
      if (misfit !== undefined) return prefixPath(field, misfit);
    }
    for (const [field, form] of possible) {
      if (!Object.hasOwn(value, field) || value[field] === undefined) continue;
      const misfit = form(value[field]);
      if (misfit !== undefined) return prefixPath(field, misfit);
    }
    return undefined;
  };
}

/** Describes a misfit: `expected a text, got null`. */
export function describeMisfit({ expected, got, problem }: Misfit): string {
  return problem ?? `expected ${expected}, got ${describeValue(got)}`;
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

export function prefixPath(step: string, { path, also, ...rest }: Misfit): Misfit {
  const separator = path === '' || path.startsWith('[') ? '' : '.';
  const misfit = { ...rest, path: `${step}${separator}${path}` };
  return also === undefined ? misfit : { ...misfit, also: also.map((each) => prefixPath(step, each)) };
}
