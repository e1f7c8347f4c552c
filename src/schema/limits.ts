import type { ParamIssue } from '../error/toolErrors.js';
import { excessOfText, type JsonExtent } from './parse/jsonExtent.js';

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
export function sizeIssue(text: string): ParamIssue | undefined {
  // A UTF-16 unit is at most three bytes, so short texts need no counting.
  if (text.length * 3 <= MAX_BYTES || Buffer.byteLength(text) <= MAX_BYTES) return undefined;
  return { kind: 'constraint', path: '', message: `expected at most ${String(MAX_BYTES)} bytes of JSON, got more` };
}

/** The issue of JSON text that is too large, too wide or too deep to be parsed. */
export function textIssue(json: string): ParamIssue | undefined {
  const tooLarge = sizeIssue(json);
  if (tooLarge !== undefined) return tooLarge;
  const excess = excessOfText(json, MAX_EXTENT);
  return excess === undefined ? undefined : excess === 'depth' ? tooDeep : tooWide;
}

/** The issue of a value that is nested too deeply; walks level by level, since recursion would overflow the stack. */
export function depthIssue(value: unknown): ParamIssue | undefined {
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
