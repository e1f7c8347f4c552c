import { MAX_DEPTH_LEVELS, MAX_EXTENT, MAX_JSON_BYTES, MAX_VALUES } from '../common/limits.js';
import { walkValue } from '../common/walkValue.js';
import type { ParamIssue } from '../error/toolErrors.js';
import type { ParseOutcome } from '../metadata/ClassShape.js';
import { findTextExcess } from './parse/jsonExtent.js';
import { isObject } from '../common/guards.js';
import { keyText } from '../common/text.js';

/** Keys that free-form maps must not have: code that assigns them would change the prototype of an object or class. */
const PROTOTYPE_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isPrototypeKey(key: string): boolean {
  return PROTOTYPE_KEYS.has(key);
}

/** Creates the issue of a value that exceeds a limit; it never quotes the value. */
function createLimitIssue(limit: string): ParamIssue {
  return Object.freeze({ kind: 'constraint', path: '', message: `expected at most ${limit}, got more` });
}

/** The issue of a value that is nested too deeply. */
export const tooDeep = createLimitIssue(`${String(MAX_DEPTH_LEVELS)} levels of nesting`);

/** The issue of a value that holds too many others. */
export const tooWide = createLimitIssue(`${String(MAX_VALUES)} values`);

export function refuseWith(issue: ParamIssue): ParseOutcome {
  return { ok: false, issues: [issue] };
}

/** Returns an issue for a text that is too large to read. */
export function findSizeIssue(text: string): ParamIssue | undefined {
  // A UTF-16 unit is at most three bytes, so short texts need no counting.
  if (text.length * 3 <= MAX_JSON_BYTES || Buffer.byteLength(text) <= MAX_JSON_BYTES) return undefined;
  return createLimitIssue(`${String(MAX_JSON_BYTES)} bytes of JSON`);
}

/** Returns an issue for JSON text that is too large, too wide or too deep to parse. */
export function findTextIssue(json: string): ParamIssue | undefined {
  const tooLarge = findSizeIssue(json);
  if (tooLarge !== undefined) return tooLarge;
  const excess = findTextExcess(json, MAX_EXTENT);
  return excess === undefined ? undefined : excess === 'depth' ? tooDeep : tooWide;
}

/** Returns an issue for a value that is nested too deeply, such as one that contains itself. */
export function findDepthIssue(value: unknown): ParamIssue | undefined {
  return walkValue(value, { depth: MAX_DEPTH_LEVELS, once: true }) === undefined ? undefined : tooDeep;
}

export function joinPath(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** Writes the keys and indexes that lead to a part of a value as a path. */
export function formatPath(steps: readonly (string | number)[]): string {
  return steps.reduce<string>(
    (path, step) => (typeof step === 'number' ? `${path}[${String(step)}]` : joinPath(path, keyText(step))),
    '',
  );
}

/** Finds forbidden keys at any depth of a value of any type; the depth was limited before. */
export function findFreeFormIssues(value: unknown, path: string): readonly ParamIssue[] {
  if (!isObject(value)) return [];
  if (Array.isArray(value))
    return value.flatMap((item, index) => findFreeFormIssues(item, `${path}[${String(index)}]`));
  return Object.entries(value).flatMap(([key, entry]) => {
    const at = `${path}.${keyText(key)}`;
    return isPrototypeKey(key)
      ? [{ kind: 'extra' as const, path: at, message: 'is not a possible key' }]
      : findFreeFormIssues(entry, at);
  });
}
