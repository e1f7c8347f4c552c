import { className } from '../common/classes.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import { createParser } from '../schema/parse/parser.js';

export type InstanceOutcome =
  { readonly ok: true; readonly value: object } | { readonly ok: false; readonly problem: string };

/** Returns an instance of exactly the class unchanged, parses a plain object into one, and refuses any other value. */
export function parseToInstance(shape: ClassShape, value: object): InstanceOutcome {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === shape.type.prototype) return { ok: true, value };
  if (prototype !== Object.prototype && prototype !== null) {
    return { ok: false, problem: `it is an instance of ${className(value.constructor)}` };
  }
  const parsed = createParser(shape)(value);
  if (parsed.ok) return { ok: true, value: parsed.value as object };
  return { ok: false, problem: parsed.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') };
}
