import type { AbstractConstructor } from './types.js';

const isInstanceByPrototype = Function.prototype[Symbol.hasInstance];

/**
 * Makes `instanceof` recognise instances from every copy of the package in the process: the ESM and the CommonJS build each contain
 * the class. Subclasses without a brand keep the ordinary `instanceof`.
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

/** Returns true for an object with the brand. Never throws, even for a revoked proxy. */
function hasMark(value: unknown, mark: symbol): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Record<symbol, unknown>)[mark] === true;
  } catch {
    return false;
  }
}
