import type { ParamIssue } from '../error/toolErrors.js';
import { findTextExcess, type JsonExtent } from './parse/jsonExtent.js';
import { keyText } from '../common/text.js';

/** Largest arguments that are parsed, in bytes of UTF-8. */
export const MAX_BYTES = 1_048_576;

/** Deepest nesting that is parsed. */
export const MAX_DEPTH = 64;

/** Most values in arguments, and in anything else that is checked value by value, a plan of 10,000 steps included: more hold the event loop noticeably. */
export const MAX_VALUES = 12_000;

/** What arguments and answers may hold. */
export const MAX_EXTENT: JsonExtent = Object.freeze({ values: MAX_VALUES, depth: MAX_DEPTH });

/** Most issues that are found in one value: a model reads some twenty, and a hostile value has as many as it has parts. */
export const MAX_ISSUES = 100;

/** Keys that no free-form map may have: code that assigns them would change the prototype of an object or class. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** True for a key that no free-form map may have. */
export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key);
}

/** The issue of a value that is nested too deeply. */
export const tooDeep: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `expected at most ${String(MAX_DEPTH)} levels of nesting, got more`,
});

/** The issue of a value that holds too many others. */
export const tooWide: ParamIssue = Object.freeze({
  kind: 'constraint',
  path: '',
  message: `expected at most ${String(MAX_VALUES)} values, got more`,
});

/** The issue of a text that is too large to be read; the message never quotes the text. */
export function findSizeIssue(text: string): ParamIssue | undefined {
  // A UTF-16 unit is at most three bytes, so short texts need no counting.
  if (text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES) return undefined;
  return { kind: 'constraint', path: '', message: `expected at most ${String(MAX_BYTES)} bytes of JSON, got more` };
}

/** The issue of JSON text that is too large, too wide or too deep to be parsed. */
export function findTextIssue(json: string): ParamIssue | undefined {
  const tooLarge = findSizeIssue(json);
  if (tooLarge !== undefined) return tooLarge;
  const excess = findTextExcess(json, MAX_EXTENT);
  return excess === undefined ? undefined : excess === 'depth' ? tooDeep : tooWide;
}

/** The issue of a value that is nested too deeply; walks level by level, since recursion would overflow the stack. */
export function findDepthIssue(value: unknown): ParamIssue | undefined {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return tooDeep;
    const below = level.flatMap((entry) =>
      isObject(entry) ? Object.values(entry as Readonly<Record<string, unknown>>).filter(isObject) : [],
    );
    // Each object once: objects that hold the next one twice, level by level, would make 2⁶⁴ entries.
    level = [...new Set(below)];
  }
  return undefined;
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** The path of a key below another path, as issues name it. */
export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The keys that no map may have in a value of any type, at any depth; the depth itself is limited before. */
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
