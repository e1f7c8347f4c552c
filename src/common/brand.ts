import type { AbstractConstructor } from './types.js';

const symbols = new Map<string, symbol>();

/** Returns the symbol of a name from a cache: `Symbol.for` is slow, and every result of every call is checked. */
function symbolOf(name: string): symbol {
  const known = symbols.get(name);
  if (known !== undefined) return known;
  const symbol = Symbol.for(`toolwright/${name}`);
  symbols.set(name, symbol);
  return symbol;
}

/**
 * Marks a class so that every copy of the package in the process recognises its instances. The ESM and CJS builds each
 * contain the class, and `instanceof` fails between them.
 */
export function brand(type: AbstractConstructor, name: string): void {
  Object.defineProperty(type.prototype, symbolOf(name), { value: true });
}

/**
 * Returns true if the value is an instance of the class branded with the name. Never throws, even for a revoked proxy.
 */
export function hasBrand(value: unknown, name: string): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Record<symbol, unknown>)[symbolOf(name)] === true;
  } catch {
    return false;
  }
}
