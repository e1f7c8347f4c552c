import { isBoolean, isIn, isInt, isISO8601, isNumber, isString } from 'class-validator';
import type { ClassRecipe, Kind } from './Recipe';

/** Represents a value that does not fit. */
export const FAILED: unique symbol = Symbol('failed');

/** Judges an object by class-transformer and class-validator: the instance, or `FAILED`. */
export type Judge = (recipe: ClassRecipe, value: unknown) => unknown;

/**
 * Kinds that the two libraries have no decorator for: records, tuples, unions, lists of lists. What they consist of is judged
 * by the libraries again.
 */
export class Composites {
  readonly #judge: Judge;

  constructor(judge: Judge) {
    this.#judge = judge;
  }

  /** True if a value is of a kind that is no composite. */
  holds(kind: Kind, value: unknown, owner: ClassRecipe): boolean {
    return this.#fitting(kind, value, owner) !== FAILED;
  }

  /**
   * The value with real instances in it.
   *
   * @param sent a function that returns the value: class-transformer, which walks into everything else, leaves functions alone
   */
  convert(kind: Kind, sent: unknown, owner: ClassRecipe): unknown {
    const value = typeof sent === 'function' ? (sent as () => unknown)() : sent;
    return value === undefined ? undefined : this.#fitting(kind, value, owner);
  }

  #fitting(kind: Kind, value: unknown, owner: ClassRecipe): unknown {
    switch (kind.kind) {
      case 'any':
        return value;
      case 'string':
        return isString(value) ? value : FAILED;
      case 'number':
        return isNumber(value) ? value : FAILED;
      case 'integer':
        return isInt(value) ? value : FAILED;
      case 'boolean':
        return isBoolean(value) ? value : FAILED;
      case 'enum':
        return isIn(value, [...kind.values]) ? value : FAILED;
      case 'date':
        return isISO8601(value, { strict: true }) && !Number.isNaN(Date.parse(value as string))
          ? new Date(value as string)
          : FAILED;
      case 'class':
        return this.#judge(kind.recipe, value);
      case 'self':
        return this.#judge(owner, value);
      case 'array':
        return Array.isArray(value) ? this.#all(value.map((item) => this.#fitting(kind.items, item, owner))) : FAILED;
      case 'tuple':
        return Array.isArray(value) && value.length === kind.items.length
          ? this.#all(kind.items.map((item, index) => this.#fitting(item, value[index], owner)))
          : FAILED;
      case 'record':
        return this.#record(kind.values, value, owner);
      case 'oneOf': {
        const fitting = kind.options.map((option) => this.#fitting(option, value, owner));
        return fitting.find((one) => one !== FAILED) ?? (fitting.includes(null) ? null : FAILED);
      }
      case 'union':
        throw new TypeError('a union stands on a property or in a list');
    }
  }

  #all(items: readonly unknown[]): unknown {
    return items.includes(FAILED) ? FAILED : items;
  }

  #record(values: Kind, value: unknown, owner: ClassRecipe): unknown {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return FAILED;
    const record = {};
    for (const [key, entry] of Object.entries(value)) {
      const fitting = this.#fitting(values, entry, owner);
      if (fitting === FAILED) return FAILED;
      Object.defineProperty(record, key, { value: fitting, enumerable: true, configurable: true, writable: true });
    }
    return record;
  }
}
