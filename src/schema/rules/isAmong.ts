import { MAX_NAMED_MEMBERS } from '../../common/limits.js';

/** Lists that are searched for more than a few values. */
const known = new WeakMap<readonly unknown[], ReadonlySet<unknown>>();
/** A list that is as short is searched faster than looked up. */
const SHORT = 16;

/** True for a value of a declared list; asked for each item of a list that a model sends, the list may be long as well. */
export function isAmong(values: readonly unknown[], value: unknown): boolean {
  if (values.length <= SHORT) return values.includes(value);
  let set = known.get(values);
  if (set === undefined) known.set(values, (set = new Set(values)));
  return set.has(value);
}

const texts = new WeakMap<readonly unknown[], string>();

/** The values of a declared list, as a message names them. */
export function describeMembers(values: readonly unknown[]): string {
  const written = texts.get(values);
  if (written !== undefined) return written;
  const named = values.slice(0, MAX_NAMED_MEMBERS).map((entry) => JSON.stringify(entry));
  const text = `${named.join(', ')}${values.length > MAX_NAMED_MEMBERS ? ` and ${String(values.length - MAX_NAMED_MEMBERS)} more` : ''}`;
  texts.set(values, text);
  return text;
}
