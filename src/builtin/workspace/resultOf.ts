import type { Constructor } from '../../common/types.js';

/** The fields of a result, without its methods. */
type FieldsOf<T> = { readonly [K in keyof T as T[K] extends (...args: never[]) => unknown ? never : K]: T[K] };

/** An instance with these fields; the compiler sees to it that none is missing. */
export function resultOf<T extends object>(type: Constructor<T>, fields: FieldsOf<T>): T {
  return Object.assign(new type(), fields);
}
