import { keyText } from '../../common/text.js';
import type { ParamIssue } from '../../error/toolErrors.js';

/** A copy of arguments, or the issue for which they are refused. */
export type CopiedArguments =
  { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly issue: ParamIssue };

/**
 * Copies plain objects and arrays, so that a validator that returns its input does not pass the caller's own objects to the
 * handler. A key named `__proto__` is refused anywhere: it is unknown how another library copies such a key.
 *
 * @param value a value whose depth was checked before
 */
export function copyArguments(value: unknown): CopiedArguments {
  const found: { path: string | undefined } = { path: undefined };
  const copy = copied(value, '', found);
  if (found.path === undefined) return { ok: true, value: copy };
  return { ok: false, issue: { kind: 'extra', path: found.path, message: 'is not a possible key' } };
}

function copied(value: unknown, path: string, found: { path: string | undefined }): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item, index) => copied(item, `${path}[${String(index)}]`, found));
  if (!isPlain(value)) return value;
  const copy: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(value)) {
    const at = path === '' ? keyText(key) : `${path}.${keyText(key)}`;
    if (key === '__proto__') found.path ??= at;
    else copy[key] = copied(entry, at, found);
  }
  return copy;
}

/** True for an object without a class, of any realm. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}
