import { isPromise } from 'node:util/types';
import { isArray, isObject } from './guards.js';
import { MAX_COMPARED_NAMES } from './limits.js';

/** Quotes hostile or long text for a message: on one line, with escaped control characters, cut at `limit` characters. */
export function quote(value: unknown, limit = 80): string {
  const text = typeof value === 'string' ? value : describeValue(value);
  const cut = text.length > limit ? `${text.slice(0, limit)}… (${String(text.length)} characters)` : text;
  // JSON keeps line separators, DEL and the C1 controls unescaped, but a terminal would act on them.
  return JSON.stringify(cut).replace(/[\u007f-\u009f\u2028\u2029]/g, escapeUnits);
}

/** Writes each UTF-16 unit as an escape of JSON, such as `\u001b`. */
export function escapeUnits(text: string): string {
  return text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Formats a key that the model chose for use in a path. Hostile keys are cut and quoted. */
export function keyText(key: string): string {
  return /^[\w$-]{1,64}$/.test(key) ? key : quote(key, 40);
}

/** Describes a value in a few words, without running any of its code. */
export function describeValue(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'object') {
    if (isPromise(value)) return 'a promise';
    return isArray(value) ? `an array of ${String(value.length)}` : 'an object';
  }
  if (typeof value === 'string') return `the string ${quote(value, 40)}`;
  if (typeof value === 'function') return 'a function';
  return value === undefined
    ? 'undefined'
    : `the ${typeof value} ${(value as number | boolean | bigint | symbol).toString()}`;
}

/** Up to three candidates that a misspelling may have meant, nearest first. */
function findClosest(word: string, candidates: Iterable<string>): readonly string[] {
  const needle = word.slice(0, 64).toLowerCase();
  // Otherwise a word of one or two letters would match every short candidate.
  const reach = Math.min(Math.max(2, Math.floor(needle.length / 3)), needle.length - 1);
  const near: { candidate: string; apart: number }[] = [];
  let compared = 0;
  for (const candidate of candidates) {
    const longer = (candidate.length < 64 ? candidate.length : 64) - needle.length;
    if (longer > reach || -longer > reach) continue;
    if (++compared > MAX_COMPARED_NAMES) break;
    const apart = editDistance(needle, candidate.slice(0, 64).toLowerCase());
    if (apart <= reach) near.push({ candidate, apart });
  }
  return near
    .sort((a, b) => a.apart - b.apart)
    .slice(0, 3)
    .map(({ candidate }) => candidate);
}

/** Returns ` Did you mean "a" or "b"?`, or an empty string if no candidate is close. */
export function didYouMean(word: string, candidates: Iterable<string>): string {
  const near = findClosest(word, candidates);
  return near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
}

/** Joins a list for a message: the first `limit` entries, then the number of the others. */
export function joinBounded(entries: readonly string[], limit = 20): string {
  const shown = entries.slice(0, limit).join(', ');
  return entries.length > limit ? `${shown} and ${String(entries.length - limit)} more` : shown;
}

/** Returns the message of any thrown value as text. Never throws, although `String()` does for some values. */
export function messageOf(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown;
    if (isObject(thrown)) {
      const { message, name } = thrown as { message?: unknown; name?: unknown };
      if (typeof message === 'string' && message !== '') return message;
      return typeof name === 'string' && name !== '' ? name : describeValue(thrown);
    }
    return String(thrown);
  } catch {
    return 'a value that cannot be shown';
  }
}

/** Cuts a text to a length in UTF-16 units, or one less: never in the middle of a surrogate pair. */
export function cut(text: string, length: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

/**
 * Copies a text into one piece of memory. V8 represents a slice of a text, and a concatenation, by references to other
 * texts, which every later use has to follow: texts that are built once and used often are better copied.
 */
export function flattenText(text: string): string {
  // Of the ways to copy a text, this is one that V8 does not optimise away and that keeps lone surrogates.
  return JSON.parse(JSON.stringify(text)) as string;
}

/** Converts to snake case: `lookupEntity` → `lookup_entity`, `getURL` → `get_url`, `parseHTMLPage` → `parse_html_page`. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase();
}

/** Endings of class names that name the role of a class but not its subject. */
const ROLES = /(?<=.)(?:Section|Service|Tools|Toolkit|Provider|Controller)$/;

/** Derives the default key of a section: `OrdersSection` and `OrdersService` → `orders`, `RefundPolicy` → `refund-policy`. */
export function keyFromClassName(name: string): string {
  return snakeCase(name.replace(ROLES, '')).replaceAll('_', '-');
}

/** Returns the fewest insertions, deletions and replacements of UTF-16 units that turn one text into the other. */
export function editDistance(from: string, to: string): number {
  // The distance between the part of `from` read so far and each beginning of `to`. Changed in place, because names are
  // compared by the thousand.
  const row = Uint32Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 0; line < from.length; line++) {
    const unit = from.charCodeAt(line);
    let diagonal = line;
    let last = line + 1;
    row[0] = last;
    for (let column = 1; column <= to.length; column++) {
      const above = row[column] ?? 0;
      const replaced = unit === to.charCodeAt(column - 1) ? diagonal : diagonal + 1;
      const inserted = (above < last ? above : last) + 1;
      last = replaced < inserted ? replaced : inserted;
      row[column] = last;
      diagonal = above;
    }
  }
  return row[to.length] ?? 0;
}

const REPLACEMENT = '\ufffd';

/** Replaces every lone surrogate of the text, which UTF-8 cannot encode. */
export function ensureWellFormed(text: string): string {
  return (text as string & { toWellFormed(): string }).toWellFormed();
}

// A backslash that begins an escape follows an even number of others. Pairs are skipped, and lone ones replaced without
// a call for each, which would take longer than parsing the text.
const LONE =
  /(?<!\\)(?<before>(?:\\\\)*)\\u[dD](?:[89abAB][\da-fA-F]{2}(?!\\u[dD][c-fC-F][\da-fA-F]{2})|(?<!(?<!\\)(?:\\\\)*\\u[dD][89abAB][\da-fA-F]{2}\\u[dD])[c-fC-F][\da-fA-F]{2})/g;

/** Replaces every lone surrogate of JSON text, escaped ones included. */
export function ensureWellFormedJson(json: string): string {
  const text = ensureWellFormed(json);
  if (!text.includes('\\u')) return text;
  return text.replace(LONE, `$<before>${REPLACEMENT}`);
}
