import { isRecord } from '../../common/guards.js';
import { getOwnValue } from '../../common/objects.js';
import { keyText } from '../../common/text.js';

/**
 * Parses one of our own paths into keys: `items[3].qty` → `['items', 3, 'qty']`. Matches the path against the value, since paths
 * may shorten and quote keys that the model invented.
 */
export function parseIssuePath(path: string, value: unknown): readonly (string | number)[] {
  const keys: (string | number)[] = [];
  let rest = path;
  let place = value;
  while (rest !== '') {
    const step = stepInto(place, rest) ?? parseUnseenStep(rest);
    keys.push(step.key);
    place = getOwnValue(place, step.key);
    rest = step.rest;
  }
  return keys;
}

interface Step {
  readonly key: string | number;
  readonly rest: string;
}

/** Reads the step to an existing key. */
function stepInto(place: unknown, path: string): Step | undefined {
  if (!isRecord(place)) return undefined;
  const found = Object.keys(place).flatMap((key) => {
    const text = [key, `[${keyText(key)}]`, keyText(key)].find((form) => startsStep(path, form));
    return text === undefined ? [] : [{ key, length: text.length }];
  });
  // `a.b` may be a key beside `a`.
  const [longest] = found.sort((left, right) => right.length - left.length);
  return longest === undefined ? undefined : { key: longest.key, rest: removeDot(path.slice(longest.length)) };
}

function startsStep(path: string, text: string): boolean {
  return path.startsWith(text) && ['', '.', '['].includes(path.charAt(text.length));
}

/** Reads an index, or else a missing key: the whole rest of the path, whatever characters it has. */
function parseUnseenStep(path: string): Step {
  const index = /^\[(\d+)\]/.exec(path);
  if (index === null) return { key: path, rest: '' };
  return { key: Number(index[1]), rest: removeDot(path.slice(index[0].length)) };
}

function removeDot(path: string): string {
  return path.startsWith('.') ? path.slice(1) : path;
}
