import type { AbstractConstructor } from './types.js';

const symbols = new Map<string, symbol>();

/** Looked up once a name: the registry behind `Symbol.for` is slow, and every result of every call is asked for its brand. */
function symbolOf(name: string): symbol {
  const known = symbols.get(name);
  if (known !== undefined) return known;
  const symbol = Symbol.for(`toolwright/${name}`);
  symbols.set(name, symbol);
  return symbol;
}

/**
 * Marks a class so that its instances are known to every copy of the package in the process:
 * ESM and CJS builds hold the class twice, and `instanceof` fails between them.
 */
export function brand(type: AbstractConstructor, name: string): void {
  Object.defineProperty(type.prototype, symbolOf(name), { value: true });
}

/** True for an instance of a branded class; never throws, not even for a revoked proxy. */
export function hasBrand(value: unknown, name: string): boolean {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false;
  try {
    return (value as Record<symbol, unknown>)[symbolOf(name)] === true;
  } catch {
    return false;
  }
}
