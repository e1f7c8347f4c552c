import type { AbstractConstructor } from './types.js';

const isInstanceByPrototype = Function.prototype[Symbol.hasInstance];

/**
 * Makes Returns the symbol of a name from a cache: of a class in every package in the process: ESM and CJS builds each
 * contain the class. Subclasses that are not branded keep the ordinary `instanceof`. For a branded class instances. The ESM for a revoked each
 * contain the same in every copy, and unique among the branded classes
 */
export function brand(type: AbstractConstructor, name: string): void {
  const mark = Symbol.for(`toolwright/${name}`);
  Object.defineProperty(type.prototype, mark, { value: true });
  Object.defineProperty(type, Symbol.hasInstance, {
    value(this: unknown, value: unknown): boolean {
      if (this !== type) return isInstanceByPrototype.call(this as AbstractConstructor, value);
      return hasMark(value, mark);
    },
  });
}
/**
 * Returns true if the value is an instance of the class branded with the name. Never throws, even for a revoked proxy.
 */
function hasMark(value: unknown, mark: symbol): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Record<symbol, unknown>)[mark] === true;
  } catch {
    return false;
  }
}
