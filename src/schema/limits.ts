import type { ParamIssue } from '../error/toolErrors.js';
import { findTextExcess, type JsonExtent } from './parse/jsonExtent.js';
import { keyText } from '../common/text.js';

/** The largest arguments to parse, in bytes of UTF-8. */
export const MAX_BYTES = 1_048_576;

/** The deepest nesting to parse. */
export const MAX_DEPTH = 64;

/**
 * The most values in arguments, and in any other data that is checked value by value, a plan of 10,000 steps included: more would
 * block the event loop noticeably.
 */
export const MAX_VALUES = 12_000;

/** The limits on arguments and answers. */
export const MAX_EXTENT: JsonExtent = Object.freeze({ values: MAX_VALUES, depth: MAX_DEPTH });

/** The most issues to report for one value: a model reads about twenty, and a hostile value has one in each of its parts. */
export const MAX_ISSUES = 100;

/** Keys that free-form maps must not have: code that assigns them would change the prototype of an object or class. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** Checks for a key that free-form maps must not have. */
export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key);
}

/** The issue reported for a value that is nested too deeply. */
export const tooDeep: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `expected at most ${String(MAX_DEPTH)} levels of nesting, got more`,
});

/** The issue reported for a value that holds too many others. */
export const tooWide: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `expected at most ${String(MAX_VALUES)} values, got more`,
});

/** Returns an issue for a text that is too large to read; the message never quotes the text. */
export function findSizeIssue(text: string): ParamIssue | undefined {
  // A UTF-16 unit is at most three bytes, so short texts need no counting.
  if (text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES) return undefined;
  return { kind: 'constraint', path: '', message: `expected at most ${String(MAX_BYTES)} bytes of JSON, got more` };
}

/** Returns an issue for JSON text that is too large, too wide or too deep to parse. */
export function findTextIssue(json: string): ParamIssue | undefined {
  const tooLarge = findSizeIssue(json);
  if (tooLarge !== undefined) return tooLarge;
  const excess = findTextExcess(json, MAX_EXTENT);
  return excess === undefined ? undefined : excess === 'depth' ? tooDeep : tooWide;
}

/** Returns an issue for a value that is nested too deeply; walks level by level, since recursion would overflow the stack. */
export function findDepthIssue(value: unknown): ParamIssue | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return tooDeep;
    const below = level.flatMap((entry) =>
      isObject(entry) ? Object.values(entry as Readonly<Record<string, unknown>>).filter(isObject) : [],
    );
    // Visits each object once: objects that hold the next one twice, level by level, would make 2⁶⁴ entries.
    level = [...new Set(below)];
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Joins a key to a path, as issues write it. */
export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Finds forbidden keys at any depth of a value of any type; the depth was limited before. */
export function findFreeFormIssues(value: unknown, path: string): readonly ParamIssue[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => findFreeFormIssues(item, `${path}[${String(index)}]`));
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = `${path}.${keyText(key)}`;
    return isPrototypeKey(key)
      ? [{ kind: 'extra' as const, path: at, message: 'is not a possible key' }]
      : findFreeFormIssues(entry, at);
  });
}
