import { isObject } from '../../common/guards.js';
import { ensureWellFormedJson } from '../../common/text.js';
import { findStringEnd } from '../parse/jsonExtent.js';
import type { RepairKind } from '../../value/ToolCall.js';

/** A value read from a text that is almost JSON, and the repairs that it took. */
export interface AlmostJson {
  readonly value: unknown;
  readonly kinds: readonly RepairKind[];
}

/** A JSON string, a punctuation mark, or a run of other characters; the last string may be unterminated. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{},:]|[^\s"[\]{},:]+/g;
const [QUOTE, COLON] = [0x22, 0x3a] as const;
const FENCE = /^(?:`{3,}|~{3,})/;

/**
 * Reads a text that is JSON except for a code fence around it, or trailing commas; returns undefined for any other text, and if a
 * key occurs twice, since either value may be meant. Takes linear time.
 */
export function readAlmostJson(text: string): AlmostJson | undefined {
  const trimmed = ensureWellFormedJson(text).trim();
  const inside = removeFence(trimmed);
  const fenced: readonly RepairKind[] = inside === undefined ? [] : ['code-fence'];
  const source = inside ?? trimmed;
  const whole = readJson(source);
  if (whole !== undefined) return { value: whole.value, kinds: fenced };
  const stripped = removeTrailingCommas(source);
  const read = stripped === source ? undefined : readJson(stripped);
  return read === undefined ? undefined : { value: read.value, kinds: [...fenced, 'trailing-comma'] };
}

/** Reads a JSON text; returns undefined for any other text, and if a key occurs twice. */
export function readJson(text: string): { readonly value: unknown } | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return hasRepeatedKey(text, value) ? undefined : { value };
  } catch {
    return undefined;
  }
}

/** Returns the content of a code fence around the whole text, marked `json` or unmarked; undefined without one. */
function removeFence(text: string): string | undefined {
  const [fence] = FENCE.exec(text) ?? [];
  if (fence === undefined || text.length < 2 * fence.length || !text.endsWith(fence)) return undefined;
  const inside = text.slice(fence.length, -fence.length);
  return (/^json(?=[\s[{"])/i.test(inside) ? inside.slice(4) : inside).trim();
}

/** Removes each comma between the last value and the end of its object or array. */
function removeTrailingCommas(text: string): string {
  const kept: string[] = [];
  let from = 0;
  let [before, last] = ['', ''];
  let comma = 0;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    if (last === ',' && (token === ']' || token === '}') && !'[{,:'.includes(before || '[')) {
      kept.push(text.slice(from, comma));
      from = comma + 1;
    }
    if (token === ',') comma = index;
    [before, last] = [last, token];
  }
  return kept.join('') + text.slice(from);
}

/**
 * Checks whether an object in a JSON text has the same key twice. Parsing keeps one member of each key, so it compares their number:
 * looking at each token takes ten times as long, and this is on the path of calls with policies.
 *
 * @param value parsed from the text
 */
export function hasRepeatedKey(text: string, value: unknown): boolean {
  let members = 0;
  const containers = isObject(value) ? [value] : [];
  // Includes the containers that are added meanwhile.
  for (const container of containers) {
    const inner: readonly unknown[] = Array.isArray(container) ? container : Object.values(container);
    if (inner !== container) members += inner.length;
    for (const part of inner) if (isObject(part)) containers.push(part);
  }
  return members < countColons(text);
}

/** Counts the colons outside of strings: an object has one for each member. */
function countColons(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at++) {
    const sign = text.charCodeAt(at);
    if (sign === QUOTE) {
      at = findStringEnd(text, at + 1);
      if (at < 0) break;
    } else if (sign === COLON) count++;
  }
  return count;
}
