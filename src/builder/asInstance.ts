import { className } from '../common/classes.js';
import type { ClassShape } from '../metadata/ClassShape.js';
import { createParser } from '../schema/parser.js';

/** The instance, or why there is none. */
export type InstanceOutcome =
  { readonly ok: true; readonly value: object } | { readonly ok: false; readonly problem: string };

/** An instance of exactly the class as it is; a plain object parsed into one; anything else refused. */
export function asInstance(shape: ClassShape, value: object): InstanceOutcome {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === shape.type.prototype) return { ok: true, value };
  if (prototype !== Object.prototype && prototype !== null) {
    return { ok: false, problem: `it is an instance of ${className(value.constructor)}` };
  }
  const parsed = createParser(shape)(value);
  if (parsed.ok) return { ok: true, value: parsed.value as object };
  return { ok: false, problem: parsed.issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ') };
}
