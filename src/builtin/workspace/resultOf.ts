import type { Constructor } from '../../common/types.js';

/** The fields of a result, without its methods. */
type FieldsOf<T> = { readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: T[K] };

/** Creates an instance with these fields; the compiler checks that none is missing. */
export function resultOf<T extends object>(type: Constructor<T>, fields: FieldsOf<T>): T {
  return Object.assign(new type(), fields);
}
