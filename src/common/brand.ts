import type { AbstractConstructor } from './types.js';

const isInstanceByPrototype = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` recognise the instances of a class in every copy of the package in the process: ESM and CJS builds each
 * contain the class. Subclasses that are not branded keep the ordinary `instanceof`. For a branded class it never throws, not
 * even for a revoked proxy.
 *
 * @param name the same in every copy, and unique among the branded classes
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

function hasMark(value: unknown, mark: symbol): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Record<symbol, unknown>)[mark] === true;
  } catch {
    return false;
  }
}
