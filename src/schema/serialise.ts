import { isClass, lineage } from '../common/classes.js';
import { snakeCase } from '../common/naming.js';
import type { Constructor } from '../common/types.js';
import { knownArgs } from '../metadata/args/MetadataArgsStorage.js';
import { exposesOnlyMarked, transformerNotes, transformerProperties } from './classTransformer.js';
import type { FieldNames } from './ShapeReader.js';

/** How values are written. */
export interface DumpOptions {
  /** Leaves out `null` and `undefined` in class instances; plain records keep theirs. */
  readonly excludeNone?: boolean | undefined;
}

type Plain = string | number | boolean | null | undefined | Plain[] | { [key: string]: Plain };

/**
 * Writes any value as plain JSON data: class instances by their wire names without `@Exclude`d properties and with exposed
 * getters; cycles, BigInt, Map, Set, Error and Date in defined forms (runtime contract, 5). Never throws.
 */
export class Serialiser {
  readonly #fieldNames: FieldNames;
  readonly #names = new Map<Constructor, ReadonlyMap<string, string | undefined>>();

  constructor(fieldNames: FieldNames = 'as-is') {
    this.#fieldNames = fieldNames;
  }

  /** The value as compact JSON; a string as itself. */
  toJson(value: unknown, options: DumpOptions = {}): string {
    if (isPlainJson(value, 0)) return JSON.stringify(value);
    const plain = this.toPlain(value, options);
    return typeof plain === 'string' ? plain : JSON.stringify(plain);
  }

  toPlain(value: unknown, options: DumpOptions = {}): unknown {
    return this.#write(value, options.excludeNone === true, []);
  }

  #write(value: unknown, excludeNone: boolean, ancestors: readonly object[]): Plain {
    switch (typeof value) {
      case 'string':
      case 'boolean':
        return value;
      case 'undefined':
        return undefined;
      case 'number':
        return Number.isFinite(value) ? value : String(value);
      case 'bigint':
        return value.toString();
      case 'symbol':
        return value.toString();
      case 'function':
        return '[function]';
      case 'object':
        return value === null ? null : this.#object(value, excludeNone, ancestors);
    }
  }

  #object(value: object, excludeNone: boolean, ancestors: readonly object[]): Plain {
    if (ancestors.includes(value)) return '[circular]';
    const inside = [...ancestors, value];
    try {
      if (Array.isArray(value)) return value.map((item) => this.#write(item, excludeNone, inside) ?? null);
      if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString();
      if (value instanceof Error) return { name: value.name, message: value.message };
      if (value instanceof Map)
        return [...value].map(([key, entry]) => [
          this.#write(key, excludeNone, inside) ?? null,
          this.#write(entry, excludeNone, inside) ?? null,
        ]);
      if (value instanceof Set) return [...value].map((item) => this.#write(item, excludeNone, inside) ?? null);
      if (ArrayBuffer.isView(value)) return `[${value.constructor.name}: ${String(value.byteLength)} bytes]`;
      return this.#record(value, excludeNone, inside);
    } catch {
      // A revoked proxy throws whatever is asked of it; a getter may throw anything.
      return '[value that cannot be read]';
    }
  }

  #record(value: object, excludeNone: boolean, inside: readonly object[]): Plain {
    const plain: Record<string, Plain> = {};
    const type: unknown = value.constructor;
    const isInstance = isClass(type) && type !== Object;
    const names = isInstance ? this.#namesOf(type) : undefined;
    for (const property of names === undefined
      ? Object.keys(value)
      : new Set([...names.keys(), ...Object.keys(value)])) {
      const name = names?.has(property) === true ? names.get(property) : property;
      if (name === undefined) continue;
      const written = this.#write((value as Readonly<Record<string, unknown>>)[property], excludeNone, inside);
      if (written === undefined || (written === null && isInstance && excludeNone)) continue;
      // An assignment to "__proto__" would set the prototype.
      if (name === '__proto__') Object.defineProperty(plain, name, { value: written, enumerable: true });
      else plain[name] = written;
    }
    return plain;
  }

  /** The declared properties and exposed getters of a class with their wire names; undefined for those that are excluded. */
  #namesOf(type: Constructor): ReadonlyMap<string, string | undefined> {
    const known = this.#names.get(type);
    if (known !== undefined) return known;
    const names = new Map<string, string | undefined>();
    const declared = [...lineage(type)].reverse().flatMap((owner) => knownArgs(owner)?.properties ?? []);
    const options = new Map(declared.map((args) => [args.property, args.options]));
    const noted = transformerProperties(type);
    for (const property of [...options.keys(), ...noted]) {
      const notes = transformerNotes(type, property);
      const hidden = notes.excluded || (exposesOnlyMarked(type) && !noted.includes(property));
      const derived = this.#fieldNames === 'snake_case' && options.has(property) ? snakeCase(property) : property;
      names.set(property, hidden ? undefined : (options.get(property)?.name ?? notes.exposedName ?? derived));
    }
    this.#names.set(type, names);
    return names;
  }
}

const DEEPEST_PLAIN = 32;

/** True for what JSON.stringify writes the way `toPlain` would: most results are such, and need no copy. */
function isPlainJson(value: unknown, depth: number): boolean {
  switch (typeof value) {
    case 'string':
      return depth > 0;
    case 'boolean':
      return true;
    case 'number':
      return Number.isFinite(value);
    case 'object':
      return value === null || (depth < DEEPEST_PLAIN && isPlainContainer(value, depth + 1));
    default:
      return false;
  }
}

function isPlainContainer(value: object, depth: number): boolean {
  try {
    if (Array.isArray(value)) return value.every((item) => isPlainJson(item, depth));
    if (Object.getPrototypeOf(value) !== Object.prototype) return false;
    for (const key in value) {
      if (key === 'toJSON' || !isPlainJson((value as Readonly<Record<string, unknown>>)[key], depth)) return false;
    }
    return true;
  } catch {
    return false;
  }
}
